// SPDX-License-Identifier: MIT
#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/noitom.h>
#include <loom/live/packets/packet_reader.h>

namespace loom::live {
namespace {

using character::Role;

constexpr std::uint32_t kMostFloats = 1024;

Quat from_yxz(float y, float x, float z) {
  return axis_angle({0, 1, 0}, y * kDegree) * axis_angle({1, 0, 0}, x * kDegree) * axis_angle({0, 0, 1}, z * kDegree);
}

}  // namespace

Result<NoitomPacket> read_noitom(std::span<const std::byte> bytes) {
  PacketReader reader(bytes, std::endian::little);
  NoitomPacket packet;
  const auto begin = reader.value<std::uint16_t>();
  reader.take(4);  // version
  const auto count = reader.value<std::uint32_t>();
  packet.has_displacement = reader.value<std::uint32_t>() != 0;
  packet.has_reference = reader.value<std::uint32_t>() != 0;
  packet.avatar = reader.value<std::uint32_t>();
  const std::string_view name = reader.text(32);
  packet.name = name.substr(0, name.find('\0'));
  reader.take(8);
  const auto end = reader.value<std::uint16_t>();
  if (!reader.ok() || begin != 0xDDFF || end != 0xEEFF) {
    return fail_as(ErrorKind::kBadInput, "a packet of Axis Neuron begins with a header of 64 bytes");
  }
  if (count > kMostFloats || reader.left() < count * sizeof(float)) {
    return fail_as(ErrorKind::kBadInput, "a packet of Axis Neuron is cut off");
  }
  packet.values.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) packet.values.push_back(reader.value<float>());
  return packet;
}

Result<Decoded> NoitomDecoder::take(std::span<const std::byte> bytes, int, double arrival) {
  const auto packet = read_noitom(bytes);
  if (!packet) return fail_from(packet);
  Decoded decoded;
  if (avatar_ < 0) avatar_ = packet->avatar;
  if (packet->avatar != avatar_) return decoded;
  const std::vector<float>& values = packet->values;
  // With displacements six values a joint; without, six of the hips and three of each other.
  std::size_t at = packet->has_reference ? 6 : 0;
  RoleTurns local;
  std::optional<Vec3> hips;
  Quat spine;  // Spine1 to Spine3 are one chest to us
  for (std::size_t j = 0; j < kNoitomJoints.size(); ++j) {
    const bool placed = j == 0 || packet->has_displacement;
    if (at + (placed ? 6 : 3) > values.size()) break;
    if (j == 0) {
      const Vec3 place = Vec3{values[at], values[at + 1], values[at + 2]} * 0.01f;
      if (is_place(place)) hips = place;
    }
    if (placed) at += 3;
    Quat turn = from_yxz(values[at], values[at + 1], values[at + 2]);
    at += 3;
    if (kNoitomJoints[j].empty() || !make_unit(turn)) continue;
    if (kNoitomJoints[j].starts_with("Spine") && kNoitomJoints[j] != "Spine") {
      spine = normalized(spine * turn);
      local[static_cast<std::size_t>(Role::kChest)] = spine;
    } else if (const auto role = role_called(kNoitomJoints[j])) {
      local[static_cast<std::size_t>(*role)] = turn;
    }
  }
  LiveFrame frame{arrival, false, true, {}, {}};
  const RoleTurns world = world_turns(local);
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    if (!world[r]) continue;
    LivePart part{std::string(character::kRoleNames[r]), static_cast<Role>(r), *world[r]};
    if (r == 0) part.place = hips;
    frame.parts.push_back(std::move(part));
  }
  if (!frame.parts.empty()) decoded.frames.push_back(std::move(frame));
  return decoded;
}

}  // namespace loom::live
