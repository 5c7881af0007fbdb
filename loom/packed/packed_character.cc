// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/character/body_bytes.h>
#include <loom/graph/walk.h>
#include <loom/matching/matching.h>
#include <loom/packed/packed_character.h>
#include <loom/play/segment_player.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/take/mix.h>
#include <loom/take/take_bytes.h>

namespace loom::packed {
namespace {

constexpr std::uint32_t kMagic = 0x54524d4c;  ///< "LMRT"
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHashLength = 32;
constexpr std::size_t kHeader = 2 * sizeof(std::uint32_t) + kHashLength;
constexpr double kUsualRate = 60;
constexpr float kDeepest = 1e4f;  ///< metres: no floor is further away

tl::unexpected<Error> damaged(const std::string& how) {
  return fail_as(ErrorKind::kDamaged, "the packed character is damaged: " + how);
}

template <typename T>
tl::unexpected<Error> damaged(const Result<T>& part) {
  return damaged(part.error().message);
}

/// The recorded clips of a set: those that lie between others are made again when the file is read.
take::TakeSet recorded_of(const PackedCharacter& packed) {
  take::TakeSet set = *packed.motion;
  if (packed.graph) {
    set.clips.resize(packed.graph->recorded_clips());
    set.contacts.resize(set.clips.size());
  }
  return set;
}

void write_artefact(ByteWriter& out, const PackedCharacter& packed) {
  switch (packed.kind) {
    case Kind::kGraph:
      out.array(std::span<const std::byte>(graph::to_bytes(*packed.graph)));
      break;
    case Kind::kSteeredGraph:
      out.array(std::span<const std::byte>(graph::to_bytes(*packed.graph)));
      out.array(std::span<const std::byte>(policy::to_bytes(*packed.steering)));
      break;
    case Kind::kPolicy:
      out.array(std::span<const std::byte>(policy::to_bytes(*packed.fragments.set)));
      out.array(std::span<const std::byte>(policy::to_bytes(*packed.policy)));
      break;
    case Kind::kMachine:
      out.array(std::span<const std::byte>(machine::to_bytes(*packed.machine)));
      break;
    case Kind::kMatching:
      out.value<std::uint64_t>(packed.match_flags.size());
      for (const std::string& flag : packed.match_flags) out.string(flag);
      break;
  }
}

void write_body(ByteWriter& out, const std::optional<character::HumanBody>& body) {
  out.array(std::span<const std::byte>(body ? character::to_bytes(*body) : std::vector<std::byte>{}));
}

Result<void> read_body(ByteReader& in, std::optional<character::HumanBody>& body) {
  const std::vector<std::byte> bytes = in.array<std::byte>();
  if (bytes.empty()) return {};
  auto read = character::human_body_from_bytes(bytes);
  if (!read) return fail_from(read);
  body = std::move(*read);
  return {};
}

/// Whether the motion is what something made of so many frames in every clip was made of.
template <typename Clips>
Result<void> check_frames(const take::TakeSet& motion, double rate, const Clips& clips) {
  if (motion.clips.size() != clips.size()) return fail("its motion has another number of clips");
  if (motion.rate() != rate) return fail("its motion has another rate");
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    if (motion.clips[c].frames() != clips[c].frames) return fail("a clip of its motion has another length");
  }
  return {};
}

Result<void> read_graph(ByteReader& in, PackedCharacter& packed) {
  auto graph = graph::graph_from_bytes(in.array<std::byte>());
  if (!graph) return fail_from(graph);
  if (graph->nodes() == 0) return fail("its graph is empty");
  if (packed.kind == Kind::kSteeredGraph) {
    auto steering = policy::graph_policy_from_bytes(in.array<std::byte>(), *graph);
    if (!steering) return fail_from(steering);
    packed.steering = std::make_shared<const policy::GraphPolicy>(std::move(*steering));
  }
  packed.graph = std::make_shared<const graph::MotionGraph>(std::move(*graph));
  return {};
}

Result<void> read_policy(ByteReader& in, PackedCharacter& packed) {
  auto set = policy::fragments_from_bytes(in.array<std::byte>());
  if (!set) return fail_from(set);
  auto policy = policy::policy_from_bytes(in.array<std::byte>());
  if (!policy) return fail_from(policy);
  packed.fragments.hash = policy::hash_of(*set);
  if (packed.fragments.hash != policy->fragments_hash || set->size() != policy->solution.states) {
    return fail("its policy is one of other fragments");
  }
  if (set->size() == 0) return fail("it has no fragments");
  packed.fragments.set = std::make_shared<const policy::FragmentSet>(std::move(*set));
  packed.policy = std::make_shared<const policy::Policy>(std::move(*policy));
  return {};
}

Result<void> read_artefact(ByteReader& in, PackedCharacter& packed) {
  switch (packed.kind) {
    case Kind::kGraph:
    case Kind::kSteeredGraph:
      return read_graph(in, packed);
    case Kind::kPolicy:
      return read_policy(in, packed);
    case Kind::kMachine: {
      auto machine = machine::built_machine_from_bytes(in.array<std::byte>());
      if (!machine) return fail_from(machine);
      packed.machine = std::make_shared<const machine::BuiltMachine>(std::move(*machine));
      return {};
    }
    case Kind::kMatching: {
      const auto flags = in.value<std::uint64_t>();
      for (std::uint64_t i = 0; i < flags && in.ok(); ++i) packed.match_flags.push_back(in.string());
      return {};
    }
  }
  return {};
}

/// The motion, which must be that of the artefact.
Result<void> read_motion(ByteReader& in, PackedCharacter& packed) {
  auto motion = take::take_set_from_bytes(in.array<std::byte>());
  if (!motion) return fail_from(motion);
  for (std::size_t c = 0; c < motion->clips.size(); ++c) {
    if (motion->contacts[c].planted.size() != motion->clips[c].frames()) return fail("a clip has no contacts");
  }
  if (packed.graph) {
    if (motion->clips.size() != packed.graph->recorded_clips()) return fail("its motion has another number of clips");
    if (motion->rate() != packed.graph->rate) return fail("its motion has another rate");
    if (const auto mixed = take::append_mixes(*motion, graph::mixes_of(packed.graph->clips)); !mixed) return mixed;
    if (const auto sound = check_frames(*motion, packed.graph->rate, packed.graph->clips); !sound) return sound;
  }
  if (packed.fragments.set) {
    const policy::FragmentSet& set = *packed.fragments.set;
    if (const auto sound = check_frames(*motion, set.rate, set.clips); !sound) return sound;
  }
  packed.motion = std::make_shared<const take::TakeSet>(std::move(*motion));
  if (packed.fragments.set) packed.fragments.motion = packed.motion;
  return {};
}

/// What is found in the motion and not kept with it: features, tracks.
Result<void> prepare(PackedCharacter& packed) {
  if (packed.kind == Kind::kMatching) {
    matching::MatchOptions options;
    options.flags = packed.match_flags;
    auto features = matching::find_match_features(*packed.motion, options);
    if (!features) return fail_from(features);
    packed.features = std::move(*features);
  }
  if (packed.motion && packed.kind != Kind::kGraph) static_cast<void>(packed.motion->tracks());
  if (packed.body && !(*packed.body->skeleton == *packed.skeleton())) return fail("its body is not that of its motion");
  if (packed.onto && !packed.body) return fail("it has a character and no body to carry motion from");
  return {};
}

Result<Player> play_policy(const PackedCharacter& packed, double rate) {
  policy::FragmentStreamOptions options;
  options.rate = rate;
  const auto solution = std::shared_ptr<const policy::Solution>(packed.policy, &packed.policy->solution);
  auto stream = policy::FragmentStream::create(
      packed.fragments, std::make_unique<policy::TableController>(packed.policy->space, solution), options);
  if (!stream) return fail_from(stream);
  return Player{std::move(*stream)};
}

Result<Player> play_machine(const PackedCharacter& packed, const PlayOptions& options) {
  machine::PlayerOptions how;
  if (options.rate > 0) how.rate = options.rate;
  auto player = machine::MachinePlayer::create(packed.machine, how);
  if (!player) return fail_from(player);
  machine::MachinePlayer* within = player->get();
  return Player{std::move(*player), within};
}

}  // namespace

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::kGraph:
      return "graph";
    case Kind::kSteeredGraph:
      return "steered graph";
    case Kind::kPolicy:
      return "policy";
    case Kind::kMachine:
      return "machine";
    case Kind::kMatching:
      return "matching";
  }
  return "";
}

std::vector<std::byte> to_bytes(const PackedCharacter& packed, double error) {
  ByteWriter content;
  content.string(packed.name);
  content.value(static_cast<std::uint8_t>(packed.kind));
  write_artefact(content, packed);
  if (!packed.machine) content.array(std::span<const std::byte>(take::to_bytes(recorded_of(packed), error)));
  write_body(content, packed.body);
  content.value(packed.floor);
  write_body(content, packed.onto);
  const std::vector<std::byte> bytes = content.take();
  ByteWriter header;
  header.value(kMagic);
  header.value(kVersion);
  for (const char digit : content_hash(bytes)) header.value(digit);
  std::vector<std::byte> all = header.take();
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

Result<PackedCharacter> packed_character_from_bytes(std::span<const std::byte> bytes, bool check_sum) {
  ByteReader header(bytes);
  if (header.value<std::uint32_t>() != kMagic) {
    return fail_as(ErrorKind::kBadInput, "this is no packed character (.loomrt)");
  }
  if (const auto version = header.value<std::uint32_t>(); version != kVersion) {
    return fail_as(
        version > kVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("this packed character is of version {}, and this program reads version {}", version, kVersion));
  }
  if (bytes.size() < kHeader) return damaged("it ends too soon");
  const auto content = bytes.subspan(kHeader);
  if (check_sum) {
    const std::string sum = content_hash(content);
    if (std::memcmp(sum.data(), bytes.data() + kHeader - kHashLength, kHashLength) != 0) {
      return damaged("its checksum is not that of its contents");
    }
  }
  ByteReader in(content);
  PackedCharacter packed;
  packed.name = in.string();
  const auto kind = in.value<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::kMatching)) return damaged("nothing is known of its kind");
  packed.kind = static_cast<Kind>(kind);
  if (const auto read = read_artefact(in, packed); !read) return damaged(read);
  if (!packed.machine) {
    if (const auto read = read_motion(in, packed); !read) return damaged(read);
  }
  if (const auto read = read_body(in, packed.body); !read) return damaged(read);
  packed.floor = in.value<float>();
  if (const auto read = read_body(in, packed.onto); !read) return damaged(read);
  if (!in.finished()) return damaged("it ends too soon or too late");
  if (!(packed.floor >= -kDeepest && packed.floor <= kDeepest)) return damaged("its floor is nowhere");
  if (const auto ready = prepare(packed); !ready) return damaged(ready);
  return packed;
}

Content content_of(const PackedCharacter& packed) {
  Content content;
  const auto add = [&](const std::vector<motion::Clip>& clips) {
    for (const motion::Clip& clip : clips) {
      content.seconds += static_cast<double>(clip.frames()) / clip.rate;
      content.frames += clip.frames();
      ++content.clips;
    }
  };
  if (packed.motion) add(packed.motion->clips);
  if (packed.machine) {
    for (const machine::BuiltState& state : packed.machine->states) add(state.space->clips());
  }
  return content;
}

Result<Player> play(const PackedCharacter& packed, const PlayOptions& options) {
  const double rate = options.rate > 0 ? options.rate : kUsualRate;
  switch (packed.kind) {
    case Kind::kGraph: {
      graph::WalkOptions walk;
      walk.seed = options.seed;
      auto feed = graph::Walk::create(packed.graph, *packed.motion, walk);
      if (!feed) return fail_from(feed);
      return Player{std::make_unique<play::SegmentPlayer>(packed.motion, std::move(*feed))};
    }
    case Kind::kSteeredGraph: {
      policy::GraphPolicyStreamOptions how;
      how.rate = rate;
      auto stream = policy::GraphPolicyStream::create(packed.graph, packed.motion, packed.steering, how);
      if (!stream) return fail_from(stream);
      return Player{std::move(*stream)};
    }
    case Kind::kPolicy:
      return play_policy(packed, rate);
    case Kind::kMachine:
      return play_machine(packed, options);
    case Kind::kMatching: {
      matching::MatchingOptions how;
      how.rate = rate;
      auto stream = matching::MotionMatcher::create(packed.motion, packed.features, how);
      if (!stream) return fail_from(stream);
      return Player{std::move(*stream)};
    }
  }
  return fail("there is no such kind of character");
}

}  // namespace loom::packed
