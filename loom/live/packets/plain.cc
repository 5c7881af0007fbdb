// SPDX-License-Identifier: MIT
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/packet_reader.h>
#include <loom/live/packets/plain.h>

namespace loom::live {
namespace {

using nlohmann::json;

constexpr JsonLimits kPlainLimits{8, 8192};
constexpr std::size_t kNameBytes = 16;
constexpr std::uint8_t kCanonical = 1, kPlaces = 2;
constexpr float kFastestTurn = 200, kHardestKnock = 2000;  ///< radians a second, metres a second²: no sensor says more

std::optional<Vec3> vector_of(const json& part, const char* name, float most) {
  const auto found = part.find(name);
  if (found == part.end() || !found->is_array() || found->size() != 3) return std::nullopt;
  for (const json& value : *found) {
    if (!value.is_number()) return std::nullopt;
  }
  const Vec3 v{found->at(0).get<float>(), found->at(1).get<float>(), found->at(2).get<float>()};
  if (!is_finite(v) || length(v) > most) return std::nullopt;
  return v;
}

std::optional<Quat> rotation_of(const json& part) {
  const auto found = part.find("q");
  if (found == part.end() || !found->is_array() || found->size() != 4) return std::nullopt;
  for (const json& value : *found) {
    if (!value.is_number()) return std::nullopt;
  }
  Quat q{found->at(0).get<float>(), found->at(1).get<float>(), found->at(2).get<float>(), found->at(3).get<float>()};
  if (!make_unit(q)) return std::nullopt;
  return q;
}

Result<LiveFrame> read_text(std::string_view text, double arrival) {
  const json said = parse_json(text, kPlainLimits);
  const auto parts = said.is_object() ? said.find("parts") : said.end();
  if (!said.is_object() || !said.contains("loom") || parts == said.end() || !parts->is_object()) {
    return fail_as(ErrorKind::kBadInput, "a frame is an object with \"loom\" and \"parts\"");
  }
  const Axes axes = said.value("up", json("y")) == json("z") ? Axes::kEastNorthUp : Axes::kOurs;
  LiveFrame frame{arrival, false, said.value("canonical", json(false)) == json(true), {}, {}};
  const auto time = said.find("t"), number = said.find("n");
  if (time != said.end() && time->is_number() && std::isfinite(time->get<double>())) {
    frame.seconds = time->get<double>();
    frame.stamped = true;
  }
  if (number != said.end() && number->is_number_unsigned()) frame.number = number->get<std::uint64_t>();
  for (const auto& [name, said_of] : parts->items()) {
    if (frame.parts.size() >= kMostParts) break;
    if (!said_of.is_object() || name.empty() || name.size() > kLongestName) continue;
    LivePart part{name, role_called(name), {}};
    if (const auto turn = rotation_of(said_of)) {
      part.rotation = to_ours(axes, *turn);
    } else {
      const auto rate = vector_of(said_of, "gyr", kFastestTurn),
                 acceleration = vector_of(said_of, "acc", kHardestKnock);
      if (!rate || !acceleration) continue;
      part.inertial = Inertial{*rate, *acceleration, vector_of(said_of, "mag", 1e6f)};
    }
    if (const auto place = vector_of(said_of, "p", kFarthestPlace)) part.place = to_ours(axes, *place);
    frame.parts.push_back(std::move(part));
  }
  if (frame.parts.empty()) return fail_as(ErrorKind::kBadInput, "a frame without a part that can be used");
  return frame;
}

Result<LiveFrame> read_bytes(std::span<const std::byte> packet) {
  PacketReader reader(packet.subspan(4), std::endian::little);
  const auto version = reader.value<std::uint8_t>(), flags = reader.value<std::uint8_t>();
  const std::size_t count = reader.value<std::uint16_t>();
  LiveFrame frame{0, true, (flags & kCanonical) != 0, reader.value<std::uint32_t>(), {}};
  frame.seconds = reader.value<double>();
  if (!reader.ok() || version != 1 || count > kMostParts || !std::isfinite(frame.seconds)) {
    return fail_as(ErrorKind::kBadInput, "a frame of bytes is cut off or of another version");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = reader.text(kNameBytes);
    LivePart part{std::string(name.substr(0, name.find('\0'))), {}, {}};
    const auto w = reader.value<float>();
    const Vec3 v = reader.vector();
    part.rotation = {w, v.x, v.y, v.z};
    if ((flags & kPlaces) != 0) {
      const Vec3 place = reader.vector();
      if (is_place(place)) part.place = place;
    }
    if (!reader.ok()) return fail_as(ErrorKind::kBadInput, "a frame of bytes is cut off");
    part.role = role_called(part.name);
    if (!part.name.empty() && make_unit(part.rotation)) frame.parts.push_back(std::move(part));
  }
  if (count > 0 && frame.parts.empty()) {
    return fail_as(ErrorKind::kBadInput, "no rotation of a frame of bytes is one");
  }
  return frame;
}

}  // namespace

Result<Decoded> PlainDecoder::take(std::span<const std::byte> packet, int, double arrival) {
  const std::string_view text(reinterpret_cast<const char*>(packet.data()), packet.size());
  auto frame = text.starts_with("LOOM") ? read_bytes(packet) : read_text(text, arrival);
  if (!frame) return fail_from(frame);
  Decoded decoded;
  decoded.frames.push_back(std::move(*frame));
  return decoded;
}

std::string write_plain_text(const LiveFrame& frame) {
  json parts = json::object();
  for (const LivePart& part : frame.parts) {
    const Quat q = part.rotation;
    json said = {{"q", {q.w, q.x, q.y, q.z}}};
    if (part.place) said["p"] = {part.place->x, part.place->y, part.place->z};
    parts[part.name] = std::move(said);
  }
  json said = {{"loom", 1}, {"t", frame.seconds}, {"canonical", frame.canonical}, {"parts", std::move(parts)}};
  if (frame.number) said["n"] = *frame.number;
  return json_text(said);
}

std::vector<std::byte> write_plain_bytes(const LiveFrame& frame) {
  PacketWriter writer(std::endian::little);
  bool places = false;
  for (const LivePart& part : frame.parts) places = places || part.place;
  writer.text("LOOM");
  writer.value<std::uint8_t>(1);
  writer.value(static_cast<std::uint8_t>((frame.canonical ? kCanonical : 0) | (places ? kPlaces : 0)));
  writer.value(static_cast<std::uint16_t>(frame.parts.size()));
  writer.value(static_cast<std::uint32_t>(frame.number.value_or(0)));
  writer.value(frame.seconds);
  for (const LivePart& part : frame.parts) {
    const std::string name = part.name.substr(0, kNameBytes);
    writer.text(name);
    writer.zeros(kNameBytes - name.size());
    for (const float v : {part.rotation.w, part.rotation.x, part.rotation.y, part.rotation.z}) writer.value(v);
    const Vec3 place = part.place.value_or(Vec3{});
    if (places) {
      for (const float v : {place.x, place.y, place.z}) writer.value(v);
    }
  }
  return writer.take();
}

}  // namespace loom::live
