// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <lz4frame.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/rokoko.h>

namespace loom::live {
namespace {

using nlohmann::json;

constexpr std::array<unsigned char, 4> kFrameMagic = {0x04, 0x22, 0x4D, 0x18};
constexpr JsonLimits kLimits{16, 16384};

bool is_lz4(std::span<const std::byte> packet) {
  if (packet.size() < kFrameMagic.size()) return false;
  for (std::size_t i = 0; i < kFrameMagic.size(); ++i) {
    if (packet[i] != std::byte{kFrameMagic[i]}) return false;
  }
  return true;
}

/// A number of an object, or NaN, which nothing accepts.
float number(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<float>() : std::nanf("");
}

const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

Result<std::string> unpack_rokoko(std::span<const std::byte> packet) {
  if (!is_lz4(packet)) return std::string(reinterpret_cast<const char*>(packet.data()), packet.size());
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) return fail("LZ4 cannot be used");
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(made,
                                                                                     LZ4F_freeDecompressionContext);
  std::string text;
  std::array<char, 16384> piece{};
  for (std::size_t wanted = 1; wanted != 0;) {
    std::size_t out = piece.size(), in = packet.size();
    wanted = LZ4F_decompress(context.get(), piece.data(), &out, packet.data(), &in, nullptr);
    if (LZ4F_isError(wanted) != 0) {
      return fail_as(ErrorKind::kBadInput, fmt::format("a damaged LZ4 frame: {}", LZ4F_getErrorName(wanted)));
    }
    packet = packet.subspan(in);
    text.append(piece.data(), out);
    if (text.size() > kMostRokokoBytes) return fail_as(ErrorKind::kBadInput, "an LZ4 frame holds too much");
    if (in == 0 && out == 0 && wanted != 0) return fail_as(ErrorKind::kBadInput, "an LZ4 frame is cut off");
  }
  return text;
}

Result<Decoded> RokokoDecoder::take(std::span<const std::byte> packet, int, double arrival) {
  const auto text = unpack_rokoko(packet);
  if (!text) return fail_from(text);
  const json packed = parse_json(*text, kLimits);
  const json* scene = member(packed, "scene");
  if (scene == nullptr) return fail_as(ErrorKind::kBadInput, "a packet of Rokoko Studio has a scene (JSON v3)");
  Decoded decoded;
  const json* actors = member(*scene, "actors");
  const json* body =
      actors != nullptr && actors->is_array() && !actors->empty() ? member(actors->front(), "body") : nullptr;
  if (body == nullptr || !body->is_object()) return decoded;
  LiveFrame frame{arrival, false, false, {}, {}};
  if (const float seconds = number(*scene, "timestamp"); std::isfinite(seconds)) {
    frame.seconds = scene->at("timestamp").get<double>();
    frame.stamped = true;
  }
  for (const auto& [name, joint] : body->items()) {
    const auto role = role_called(name);
    const json* rotation = member(joint, "rotation");
    if (!role || rotation == nullptr || !rotation->is_object()) continue;
    LivePart part{name, role,
                  to_ours(Axes::kUnity, Quat{number(*rotation, "w"), number(*rotation, "x"), number(*rotation, "y"),
                                             number(*rotation, "z")})};
    if (!make_unit(part.rotation)) continue;
    const json* place = member(joint, "position");
    if (place != nullptr && place->is_object()) {
      const Vec3 at = to_ours(Axes::kUnity, Vec3{number(*place, "x"), number(*place, "y"), number(*place, "z")});
      if (is_place(at)) part.place = at;
    }
    frame.parts.push_back(std::move(part));
  }
  if (!frame.parts.empty()) decoded.frames.push_back(std::move(frame));
  return decoded;
}

}  // namespace loom::live
