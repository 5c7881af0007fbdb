// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/natnet.h>
#include <loom/live/packets/packet_reader.h>

namespace loom::live {
namespace {

constexpr int kServerInfo = 1, kModels = 5, kFrame = 7;
constexpr std::int32_t kMostEntries = 4096;  ///< of anything in one packet
constexpr int kBoneMask = 0xffff;

tl::unexpected<Error> cut_off() { return fail_as(ErrorKind::kBadInput, "a NatNet packet is cut off"); }

/// After the message's number and size.
Result<PacketReader> open(std::span<const std::byte> packet, int message) {
  PacketReader reader(packet, std::endian::little);
  const int found = reader.value<std::uint16_t>();
  reader.take(2);
  if (!reader.ok()) return cut_off();
  if (found != message) return fail_as(ErrorKind::kBadInput, fmt::format("NatNet message {} is another one", found));
  return reader;
}

/// How many entries follow; a number that cannot be ends the reading.
std::int32_t count_of(PacketReader& reader) {
  const auto count = reader.value<std::int32_t>();
  if (count >= 0 && count <= kMostEntries) return count;
  reader.take(reader.left() + 1);
  return 0;
}

NatNetBody read_body(PacketReader& reader) {
  NatNetBody body;
  body.id = reader.value<std::int32_t>();
  body.place = reader.vector();
  const Vec3 v = reader.vector();
  body.rotation = {reader.value<float>(), v.x, v.y, v.z};
  reader.take(4);  // mean error
  body.valid = (reader.value<std::int16_t>() & 1) != 0 && is_place(body.place) && make_unit(body.rotation);
  return body;
}

}  // namespace

Result<int> natnet_message(std::span<const std::byte> packet) {
  PacketReader reader(packet, std::endian::little);
  const int message = reader.value<std::uint16_t>();
  if (!reader.ok()) return cut_off();
  return message;
}

namespace {

/// A section's entries: its count, and, from 4.1 on, its length in bytes, which is what what follows is found by.
class SectionReader {
 public:
  SectionReader(PacketReader& whole, NatNetVersion version) : count(count_of(whole)) {
    if (!version.at_least(4, 1)) {
      inner_ = &whole;
      return;
    }
    const auto size = whole.value<std::int32_t>();
    own_.emplace(whole.take(size < 0 ? whole.left() + 1 : static_cast<std::size_t>(size)), std::endian::little);
    inner_ = &*own_;
  }
  SectionReader(const SectionReader&) = delete;
  SectionReader& operator=(const SectionReader&) = delete;
  PacketReader& reader() { return *inner_; }
  /// Whether its entries need not be read to get past it.
  [[nodiscard]] bool skips() const { return own_.has_value(); }

  std::int32_t count = 0;

 private:
  std::optional<PacketReader> own_;
  PacketReader* inner_ = nullptr;
};

/// Passes what has channels: force plates and devices.
void pass_channels(SectionReader& section) {
  PacketReader& reader = section.reader();
  for (std::int32_t i = 0; i < section.count && reader.ok(); ++i) {
    reader.take(4);
    const std::int32_t channels = count_of(reader);
    for (std::int32_t c = 0; c < channels && reader.ok(); ++c) {
      reader.take(static_cast<std::size_t>(count_of(reader)) * 4);
    }
  }
}

}  // namespace

Result<NatNetFrame> read_natnet_frame(std::span<const std::byte> packet, NatNetVersion version) {
  auto opened = open(packet, kFrame);
  if (!opened) return fail_from(opened);
  PacketReader& whole = *opened;
  NatNetFrame frame;
  frame.number = whole.value<std::int32_t>();
  bool ok = true;
  {
    SectionReader sets(whole, version);
    for (std::int32_t i = 0; !sets.skips() && i < sets.count && whole.ok(); ++i) {
      whole.zero_ended();
      whole.take(static_cast<std::size_t>(count_of(whole)) * 12);
    }
  }
  {
    SectionReader others(whole, version);
    if (!others.skips()) whole.take(static_cast<std::size_t>(others.count) * 12);
  }
  {
    SectionReader bodies(whole, version);
    for (std::int32_t i = 0; i < bodies.count && bodies.reader().ok(); ++i) {
      frame.bodies.push_back(read_body(bodies.reader()));
    }
    ok = ok && bodies.reader().ok();
  }
  {
    SectionReader skeletons(whole, version);
    PacketReader& reader = skeletons.reader();
    for (std::int32_t i = 0; i < skeletons.count && reader.ok(); ++i) {
      NatNetSkeleton skeleton;
      skeleton.id = reader.value<std::int32_t>();
      const std::int32_t bones = count_of(reader);
      for (std::int32_t b = 0; b < bones && reader.ok(); ++b) skeleton.bones.push_back(read_body(reader));
      frame.skeletons.push_back(std::move(skeleton));
    }
    ok = ok && reader.ok();
  }
  if (version.at_least(4, 1)) SectionReader assets(whole, version);
  {
    SectionReader markers(whole, version);
    if (!markers.skips()) whole.take(static_cast<std::size_t>(markers.count) * 26);
  }
  for (int i = 0; i < 2; ++i) {  // force plates, devices
    SectionReader plates(whole, version);
    if (!plates.skips()) pass_channels(plates);
  }
  if (!ok || !whole.ok()) return cut_off();
  whole.take(8);  // time code
  const auto seconds = whole.value<double>();
  whole.take(24);  // stamps of camera and server
  if (version.at_least(4, 1)) whole.take(8);
  const auto flags = whole.value<std::int16_t>();
  if (!whole.ok()) return cut_off();
  if (std::isfinite(seconds) && seconds >= 0) frame.seconds = seconds;
  frame.models_changed = (flags & 2) != 0;
  return frame;
}

namespace {

std::string short_name(std::string_view name) { return std::string(name.substr(0, kLongestName)); }

NatNetModel read_body_model(PacketReader& reader, NatNetVersion version, std::int32_t skeleton) {
  NatNetModel model;
  model.skeleton = skeleton;
  model.name = short_name(reader.zero_ended());
  model.id = reader.value<std::int32_t>();
  model.parent = reader.value<std::int32_t>();
  model.offset = reader.vector();
  if (version.at_least(4, 2)) reader.take(16);  // a rotation of the offset
  const std::int32_t markers = count_of(reader);
  reader.take(static_cast<std::size_t>(markers) * 16);  // places and labels
  for (std::int32_t m = 0; version.at_least(4, 0) && m < markers && reader.ok(); ++m) reader.zero_ended();
  return model;
}

}  // namespace

Result<std::vector<NatNetModel>> read_natnet_models(std::span<const std::byte> packet, NatNetVersion version) {
  auto opened = open(packet, kModels);
  if (!opened) return fail_from(opened);
  PacketReader& whole = *opened;
  std::vector<NatNetModel> models;
  const std::int32_t count = count_of(whole);
  for (std::int32_t i = 0; i < count && whole.ok(); ++i) {
    const auto kind = whole.value<std::int32_t>();
    std::optional<PacketReader> own;
    if (version.at_least(4, 1)) {
      const auto size = whole.value<std::int32_t>();
      own.emplace(whole.take(size < 0 ? whole.left() + 1 : static_cast<std::size_t>(size)), std::endian::little);
    }
    PacketReader& reader = own ? *own : whole;
    if (kind == 0) {
      reader.zero_ended();
      const std::int32_t markers = count_of(reader);
      for (std::int32_t m = 0; m < markers && reader.ok(); ++m) reader.zero_ended();
    } else if (kind == 1) {
      models.push_back(read_body_model(reader, version, -1));
    } else if (kind == 2) {
      reader.zero_ended();
      const auto id = reader.value<std::int32_t>();
      const std::int32_t bones = count_of(reader);
      for (std::int32_t b = 0; b < bones && reader.ok(); ++b) models.push_back(read_body_model(reader, version, id));
    } else if (!own) {
      break;  // of an unknown kind and length: what follows cannot be found
    }
    if (!reader.ok()) return cut_off();
  }
  if (!whole.ok()) return cut_off();
  return models;
}

Result<NatNetVersion> read_natnet_version(std::span<const std::byte> packet) {
  auto opened = open(packet, kServerInfo);
  if (!opened) return fail_from(opened);
  opened->take(256 + 4);  // name and version of the program
  const int major = opened->value<std::uint8_t>(), minor = opened->value<std::uint8_t>();
  if (!opened->ok()) return cut_off();
  return NatNetVersion{major, minor};
}

Result<NatNetFrame> NatNetDecoder::read_frame(std::span<const std::byte> packet) {
  if (version_) return read_natnet_frame(packet, *version_);
  for (const NatNetVersion version : {NatNetVersion{4, 1}, NatNetVersion{3, 1}}) {
    auto frame = read_natnet_frame(packet, version);
    if (frame) return frame;
  }
  return cut_off();
}

Result<Decoded> NatNetDecoder::take(std::span<const std::byte> packet, int, double arrival) {
  const auto message = natnet_message(packet);
  if (!message) return fail_from(message);
  Decoded decoded;
  if (*message == kServerInfo) {
    const auto version = read_natnet_version(packet);
    if (!version) return fail_from(version);
    version_ = *version;
  } else if (*message == kModels) {
    const auto models = read_natnet_models(packet, version_.value_or(NatNetVersion{}));
    if (!models) return fail_from(models);
    models_.clear();
    for (const NatNetModel& model : *models) models_[{model.skeleton, model.id & kBoneMask}] = model;
  } else if (*message == kFrame) {
    const auto read = read_frame(packet);
    if (!read) return fail_from(read);
    LiveFrame frame{read->seconds.value_or(arrival), read->seconds.has_value(), false, {}, {}};
    frame.number = static_cast<std::uint64_t>(std::max(read->number, 0));
    for (const NatNetSkeleton& skeleton : read->skeletons) {
      if (frame.parts.empty()) add_skeleton(skeleton, frame);
    }
    for (const NatNetBody& body : read->bodies) {
      if (frame.canonical || !body.valid || frame.parts.size() >= kMostParts) continue;
      const auto model = models_.find({-1, body.id & kBoneMask});
      const std::string name = model == models_.end() ? fmt::format("body {}", body.id) : model->second.name;
      frame.parts.push_back({name, {}, body.rotation, body.place});
    }
    if (!frame.parts.empty()) decoded.frames.push_back(std::move(frame));
  }
  return decoded;
}

void NatNetDecoder::add_skeleton(const NatNetSkeleton& skeleton, LiveFrame& frame) const {
  RoleTurns turns;
  std::optional<Vec3> hips;
  std::size_t known = 0, local = 0;
  for (const NatNetBody& bone : skeleton.bones) {
    const auto model = models_.find({skeleton.id, bone.id & kBoneMask});
    if (!bone.valid || model == models_.end()) continue;
    const auto role = role_called(model->second.name);
    if (!role) continue;
    turns[static_cast<std::size_t>(*role)] = bone.rotation;
    if (*role == character::Role::kHips) {
      hips = bone.place;
    } else {
      ++known;
      local += distance(bone.place, model->second.offset) < 0.02f ? 1 : 0;
    }
  }
  // A server may send bones against their parents: then each lies where its definition has it.
  if (known > 0 && 2 * local > known) turns = world_turns(turns);
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    if (!turns[r]) continue;
    LivePart part{std::string(character::kRoleNames[r]), static_cast<character::Role>(r), *turns[r]};
    if (r == 0) part.place = hips;
    frame.parts.push_back(std::move(part));
  }
  frame.canonical = !frame.parts.empty();
}

}  // namespace loom::live
