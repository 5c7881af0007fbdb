// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/live/packets/packet_reader.h>
#include <loom/live/packets/slimevr.h>

namespace loom::live {
namespace {

constexpr std::size_t kMostSensors = 64;
constexpr double kSilence = 0.5;  ///< seconds after which a sensor has nothing to say any more

enum Type : std::uint32_t {
  kHello = 3,
  kAcceleration = 4,
  kSensorInfo = 15,
  kRotation = 17,
  kAction = 21,
  kRotationAndAcceleration = 23,
  kPlainBundle = 100,
  kCompactBundle = 101,
};

void read_body(std::uint32_t type, PacketReader& reader, SlimePacket& packet, int depth);

void read_bundle(bool compact, PacketReader& reader, SlimePacket& packet, int depth) {
  while (reader.left() > 0 && packet.readings.size() < kMostSensors) {
    const std::size_t length = compact ? reader.value<std::uint8_t>() : reader.value<std::uint16_t>();
    PacketReader inner(reader.take(length), std::endian::big);
    const std::uint32_t type = compact ? inner.value<std::uint8_t>() : inner.value<std::uint32_t>();
    if (!reader.ok() || length == 0) return;
    read_body(type, inner, packet, depth + 1);
    if (!inner.ok()) reader.take(reader.left() + 1);  // the whole is cut off, too
  }
}

void read_body(std::uint32_t type, PacketReader& reader, SlimePacket& packet, int depth) {
  SlimeReading reading;
  switch (type) {
    case kRotation: {
      reading.sensor = reader.value<std::uint8_t>();
      const auto what = reader.value<std::uint8_t>();
      const Vec3 v = reader.vector();
      const auto w = reader.value<float>();
      if (what == 1) reading.rotation = to_ours(Axes::kZUpBackwards, Quat{w, v.x, v.y, v.z});  // 2 is a correction
      break;
    }
    case kRotationAndAcceleration: {
      reading.sensor = reader.value<std::uint8_t>();
      float v[7];
      for (float& f : v) f = reader.value<std::int16_t>();
      reading.rotation = to_ours(Axes::kZUpBackwards, Quat{v[3] / 32768, v[0] / 32768, v[1] / 32768, v[2] / 32768});
      reading.acceleration = Vec3{v[4], v[5], v[6]} / 128.0f;
      break;
    }
    case kAcceleration:
      reading.acceleration = reader.vector();
      reading.sensor = reader.value<std::uint8_t>();
      break;
    case kSensorInfo:
      reading.sensor = reader.value<std::uint8_t>();
      reader.take(2);  // status and kind of sensor
      // Old firmware ends here.
      if (reader.left() >= 4) {
        reader.take(3);  // configuration and calibration
        reading.position = reader.value<std::uint8_t>();
      }
      break;
    case kAction:
      packet.action = reader.value<std::uint8_t>();
      return;
    case kPlainBundle:
    case kCompactBundle:
      if (depth == 0) read_bundle(type == kCompactBundle, reader, packet, depth);
      return;
    default:
      return;
  }
  if (reading.rotation && !make_unit(*reading.rotation)) reading.rotation.reset();
  if (reading.acceleration && !is_place(*reading.acceleration)) reading.acceleration.reset();
  if (reader.ok()) packet.readings.push_back(reading);
}

}  // namespace

Result<SlimePacket> read_slime(std::span<const std::byte> bytes) {
  PacketReader reader(bytes, std::endian::big);
  SlimePacket packet;
  packet.type = reader.value<std::uint32_t>();
  packet.number = reader.value<std::uint64_t>();
  // A hello of old firmware is shorter than what other packets begin with.
  if (packet.type == kHello && bytes.size() >= 4) return packet;
  if (reader.ok()) read_body(packet.type, reader, packet, 0);
  if (!reader.ok()) return fail_as(ErrorKind::kBadInput, "a packet of a SlimeVR tracker is cut off");
  return packet;
}

std::vector<std::byte> slime_handshake() {
  PacketWriter writer(std::endian::big);
  writer.value<std::uint8_t>(kHello);
  writer.text("Hey OVR =D 5");
  writer.zeros(64 - writer.size());
  return writer.take();
}

Result<Decoded> SlimeDecoder::take(std::span<const std::byte> bytes, int sender, double arrival) {
  const auto packet = read_slime(bytes);
  if (!packet) return fail_from(packet);
  Decoded decoded;
  if (packet->type == kHello) decoded.reply = slime_handshake();
  bool whole = false;
  for (const SlimeReading& reading : packet->readings) {
    const std::pair key{sender, reading.sensor};
    if (!reading.rotation || (sensors_.size() >= kMostSensors && !sensors_.contains(key))) continue;
    sensors_[key] = {*reading.rotation, arrival};
    const auto leader = sensors_.find(leader_);
    if (leader == sensors_.end() || arrival - leader->second.heard > kSilence) leader_ = key;
    whole = whole || key == leader_;
  }
  if (!whole) return decoded;
  LiveFrame frame{arrival, false, false, packet->number, {}};
  for (const auto& [key, sensor] : sensors_) {
    if (arrival - sensor.heard > kSilence) continue;
    frame.parts.push_back({fmt::format("{}/{}", key.first, key.second), {}, sensor.rotation});
  }
  decoded.frames.push_back(std::move(frame));
  return decoded;
}

}  // namespace loom::live
