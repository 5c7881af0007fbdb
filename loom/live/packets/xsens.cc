// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/packet_reader.h>
#include <loom/live/packets/xsens.h>

namespace loom::live {
namespace {

using character::Role;

constexpr std::size_t kMostOrigins = 128;
constexpr float kCentimetres = 3;  ///< a pelvis higher than this is told in centimetres

/// Which segment stands where among those of MXTP05: the legs come before the trunk.
constexpr std::array<std::string_view, 23> kUnityOrder = {
    "Pelvis",
    "RightUpperLeg",
    "RightLowerLeg",
    "RightFoot",
    "RightToe",
    "LeftUpperLeg",
    "LeftLowerLeg",
    "LeftFoot",
    "LeftToe",
    "L5",
    "L3",
    "T12",
    "T8",
    "LeftShoulder",
    "LeftUpperArm",
    "LeftForeArm",
    "LeftHand",
    "RightShoulder",
    "RightUpperArm",
    "RightForeArm",
    "RightHand",
    "Neck",
    "Head",
};

Quat from_euler(Vec3 degrees) {
  return axis_angle({0, 1, 0}, degrees.y * kDegree) * axis_angle({1, 0, 0}, degrees.x * kDegree) *
         axis_angle({0, 0, 1}, degrees.z * kDegree);
}

Result<XsensHeader> read_header(PacketReader& reader) {
  XsensHeader header;
  const std::string_view id = reader.text(6);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (id.size() != 6 || !id.starts_with("MXTP") || !is_digit(id[4]) || !is_digit(id[5])) {
    return fail_as(ErrorKind::kBadInput, "a datagram of MVN begins with MXTP and two digits");
  }
  header.kind = 10 * (id[4] - '0') + (id[5] - '0');
  header.sample = reader.value<std::uint32_t>();
  const auto datagram = reader.value<std::uint8_t>();
  header.datagram = datagram & 0x7f;
  header.last = (datagram & 0x80) != 0;
  header.items = reader.value<std::uint8_t>();
  header.milliseconds = reader.value<std::uint32_t>();
  header.character = reader.value<std::uint8_t>();
  header.body_segments = reader.value<std::uint8_t>();
  header.props = reader.value<std::uint8_t>();
  header.finger_segments = reader.value<std::uint8_t>();
  reader.take(4);  // reserved, and the size of what follows, which old senders leave zero
  if (!reader.ok()) return fail_as(ErrorKind::kBadInput, "a datagram of MVN has 24 bytes at least");
  return header;
}

void read_segments(PacketReader& reader, XsensDatagram& datagram) {
  for (int i = 0; i < datagram.header.items && reader.ok(); ++i) {
    XsensSegment segment;
    segment.id = reader.value<std::uint32_t>();
    segment.place = reader.vector();
    if (datagram.header.kind == 1) {
      segment.rotation = from_euler(reader.vector());
    } else {
      const auto w = reader.value<float>();
      const Vec3 v = reader.vector();
      segment.rotation = {w, v.x, v.y, v.z};
    }
    if (reader.ok()) datagram.segments.push_back(segment);
  }
}

void read_meta(PacketReader& reader, XsensDatagram& datagram) {
  std::string_view text = reader.text(reader.left());
  while (!text.empty() && datagram.meta.size() < kMostOrigins) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && colon > 0) {
      datagram.meta.emplace_back(line.substr(0, std::min(colon, kLongestName)), line.substr(colon + 1, kLongestName));
    }
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

void read_origins(PacketReader& reader, XsensDatagram& datagram) {
  const auto count = reader.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && i < kMostOrigins && reader.ok(); ++i) {
    const auto size = reader.value<std::uint32_t>();
    XsensOrigin origin{std::string(reader.text(size).substr(0, kLongestName)), reader.vector()};
    if (reader.ok()) datagram.origins.push_back(std::move(origin));
  }
}

/// The name of a segment, and which part it is: L5 is the lowest of the spine, T8 carries the arms.
void name(LivePart& part, std::string_view segment) {
  part.name = segment;
  part.role = role_called(segment);
}

}  // namespace

Result<XsensDatagram> read_xsens(std::span<const std::byte> packet) {
  PacketReader reader(packet, std::endian::big);
  const auto header = read_header(reader);
  if (!header) return fail_from(header);
  XsensDatagram datagram{*header, {}};
  if (header->kind == 1 || header->kind == 2 || header->kind == 5) read_segments(reader, datagram);
  if (header->kind == 12) read_meta(reader, datagram);
  if (header->kind == 13) read_origins(reader, datagram);
  if (!reader.ok()) return fail_as(ErrorKind::kBadInput, "a datagram of MVN is cut off");
  return datagram;
}

Result<Decoded> XsensDecoder::take(std::span<const std::byte> packet, int, double) {
  const auto datagram = read_xsens(packet);
  if (!datagram) return fail_from(datagram);
  const XsensHeader& header = datagram->header;
  Decoded decoded;
  if (datagram->segments.empty()) return decoded;
  if (character_ < 0) character_ = header.character;
  if (header.character != character_) return decoded;
  if (header.sample != sample_ || header.kind != kind_) coming_ = {};
  sample_ = header.sample;
  kind_ = header.kind;
  coming_.seconds = header.milliseconds * 1e-3;
  coming_.stamped = true;
  coming_.canonical = true;
  coming_.number = header.sample;
  RoleTurns local;
  for (const XsensSegment& segment : datagram->segments) {
    const bool unity = header.kind == 5;
    if (segment.id < 1 || segment.id > kXsensSegments.size() || coming_.parts.size() >= kMostParts) continue;
    const Axes axes = unity ? Axes::kUnity : header.kind == 2 ? Axes::kNorthWestUp : Axes::kOurs;
    LivePart part;
    name(part, unity ? kUnityOrder[segment.id - 1] : kXsensSegments[segment.id - 1]);
    part.rotation = to_ours(axes, segment.rotation);
    if (!make_unit(part.rotation)) continue;
    const Vec3 place = to_ours(axes, segment.place);
    if (part.role == Role::kHips && is_place(place)) {
      part.place = std::fabs(place.y) > kCentimetres ? place * 0.01f : place;
    }
    coming_.parts.push_back(std::move(part));
  }
  if (header.kind == 5) {  // rotations against the parent but for the pelvis: each segment of the trunk counts
    const auto turn = [&](std::string_view segment) {
      for (const LivePart& part : coming_.parts) {
        if (part.name == segment) return part.rotation;
      }
      return Quat{};
    };
    const Quat to_chest = turn("L3") * turn("T12") * turn("T8");
    for (LivePart& part : coming_.parts) {
      if (part.role == Role::kChest) part.rotation = to_chest;
      if (part.role) local[static_cast<std::size_t>(*part.role)] = part.rotation;
    }
    const RoleTurns world = world_turns(local);
    for (LivePart& part : coming_.parts) {
      if (part.role) part.rotation = *world[static_cast<std::size_t>(*part.role)];
    }
  }
  if (!header.last) return decoded;
  std::erase_if(coming_.parts, [](const LivePart& part) { return !part.role; });
  if (!coming_.parts.empty()) decoded.frames.push_back(std::move(coming_));
  coming_ = {};
  return decoded;
}

}  // namespace loom::live
