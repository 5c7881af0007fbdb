// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>

#include <loom/base/whole.h>
#include <loom/graph/stored_graph.h>
#include <loom/machine/build.h>
#include <loom/packed/pack.h>
#include <loom/policy/control_space.h>
#include <loom/policy/stored_graph_policy.h>
#include <loom/policy/stored_policy.h>

namespace loom::packed {
namespace {

constexpr double kMarginSeconds = 1;  ///< around what is played: blends and smoothed tracks look no further

/// Looks at the body that `clip` moves, so that its motion can be carried to others; a body that is no human's stays
/// unknown.
void look_at(PackedCharacter& packed, const motion::Clip& clip) {
  auto body = character::look_at_body(clip);
  if (!body) return;
  packed.floor = character::sole_floor(*body, clip);
  packed.body = std::move(*body);
}

/// Of a clip and its contacts only frames [begin, end).
void cut_to(motion::Clip& clip, motion::Contacts& contacts, std::size_t begin, std::size_t end) {
  const auto joints = static_cast<std::ptrdiff_t>(clip.joints());
  const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(end);
  clip.roots = {clip.roots.begin() + from, clip.roots.begin() + to};
  clip.rotations = {clip.rotations.begin() + from * joints, clip.rotations.begin() + to * joints};
  contacts.planted = {contacts.planted.begin() + from, contacts.planted.begin() + to};
}

/// Labels counted from `begin` on, of a clip that ends at `end`.
std::vector<motion::Label> labels_within(const std::vector<motion::Label>& labels, std::size_t begin, std::size_t end) {
  std::vector<motion::Label> within;
  for (motion::Label label : labels) {
    label.begin = std::max(label.begin, begin);
    label.end = std::min(label.end, end);
    if (label.begin >= label.end) continue;
    label.begin -= begin;
    label.end -= begin;
    within.push_back(std::move(label));
  }
  return within;
}

}  // namespace

void trim(graph::MotionGraph& graph, take::TakeSet& motion) {
  if (graph.recorded_clips() != graph.clips.size()) return;
  const auto margin = to_whole<std::size_t>(kMarginSeconds * graph.rate);
  for (std::uint32_t c = 0; c < graph.clips.size(); ++c) {
    const std::size_t frames = motion.clips[c].frames();
    std::size_t first = frames, last = 0;
    for (const graph::Run& run : graph.runs_of(c)) {
      if (run.begin == run.end) continue;
      first = std::min<std::size_t>(first, run.begin);
      last = std::max<std::size_t>(last, run.end);
    }
    if (first >= last) {  // lost to pruning: a clip has a frame at least
      first = 0;
      last = 0;
    }
    const std::size_t begin = last == 0 ? 0 : first - std::min(first, margin);
    const std::size_t end = last == 0 ? 1 : std::min(frames, last + margin);
    if (begin == 0 && end == frames) continue;
    graph::GraphClip& clip = graph.clips[c];
    clip.labels = labels_within(clip.labels, begin, end);
    motion.clips[c].labels = labels_within(motion.clips[c].labels, begin, end);
    clip.begin += static_cast<std::uint32_t>(begin);
    clip.frames = static_cast<std::uint32_t>(end - begin);
    motion.stretches[c].begin = clip.begin;
    motion.stretches[c].frames = clip.frames;
    cut_to(motion.clips[c], motion.contacts[c], begin, end);
    for (graph::Run& run : graph.runs) {
      if (run.clip != c) continue;
      const bool empty = run.begin == run.end;
      run.begin = empty ? 0 : run.begin - static_cast<std::uint32_t>(begin);
      run.end = empty ? 0 : run.end - static_cast<std::uint32_t>(begin);
    }
  }
}

Result<PackedCharacter> pack_graph(const library::Library& library, const std::string& name) {
  PackedCharacter packed;
  packed.name = name;
  graph::StoredGraph stored;
  policy::GraphPolicy steering;
  const auto steered = library.get_artefact(policy::kGraphPolicyKind, name);
  if (steered) {
    auto loaded = policy::load_graph_policy(library, name);
    if (!loaded) return fail_from(loaded);
    stored = std::move(loaded->stored);
    steering = *loaded->policy;
    packed.kind = Kind::kSteeredGraph;
  } else {
    auto loaded = graph::load_graph(library, name);
    if (!loaded) return fail_from(loaded);
    stored = std::move(*loaded);
  }
  look_at(packed, stored.motion->clips.front());
  graph::MotionGraph graph = *stored.graph;
  take::TakeSet motion = *stored.motion;
  trim(graph, motion);
  if (packed.kind == Kind::kSteeredGraph) {
    steering.graph_hash = policy::hash_of(graph);
    packed.steering = std::make_shared<const policy::GraphPolicy>(std::move(steering));
  }
  packed.graph = std::make_shared<const graph::MotionGraph>(std::move(graph));
  packed.motion = std::make_shared<const take::TakeSet>(std::move(motion));
  return packed;
}

Result<PackedCharacter> pack_policy(const library::Library& library, const std::string& name) {
  auto loaded = policy::load_policy(library, name);
  if (!loaded) return fail_from(loaded);
  PackedCharacter packed;
  packed.name = name;
  packed.kind = Kind::kPolicy;
  packed.policy = loaded->policy;
  packed.fragments = loaded->fragments;
  packed.motion = loaded->fragments.motion;
  look_at(packed, packed.motion->clips.front());
  return packed;
}

Result<PackedCharacter> pack_machine(const library::Library& library, const std::string& name) {
  auto built = machine::load_built_machine(library, name);
  if (!built) return fail_from(built);
  PackedCharacter packed;
  packed.name = name;
  packed.kind = Kind::kMachine;
  packed.machine = std::move(*built);
  look_at(packed, packed.machine->states.front().space->clips().front());
  return packed;
}

Result<PackedCharacter> pack_matching(const library::Library& library, const take::GatherOptions& source,
                                      const std::vector<std::string>& flags, const Progress& progress) {
  auto gathered = take::gather(library, source, progress);
  if (!gathered) return fail_from(gathered);
  PackedCharacter packed;
  packed.name = "matching";
  packed.kind = Kind::kMatching;
  packed.match_flags = {policy::kAirborne};
  packed.match_flags.insert(packed.match_flags.end(), flags.begin(), flags.end());
  packed.motion = std::make_shared<const take::TakeSet>(std::move(gathered->motion));
  matching::MatchOptions options;
  options.flags = packed.match_flags;
  auto features = matching::find_match_features(*packed.motion, options);
  if (!features) return fail_from(features);
  packed.features = std::move(*features);
  look_at(packed, packed.motion->clips.front());
  return packed;
}

Result<void> put_onto(PackedCharacter& packed, const character::HumanBody& character) {
  if (!packed.body) {
    return fail_as(ErrorKind::kBadInput, "the motion is on no human body that is known, and cannot be carried");
  }
  packed.onto = character;
  return {};
}

}  // namespace loom::packed
