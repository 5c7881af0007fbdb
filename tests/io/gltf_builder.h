// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/math.h>
#include <loom/io/raw_motion.h>

namespace loom::testing {

/// Puts a glTF file together piece by piece, right or wrong, without the project's own writer.
struct GltfBuilder {
  nlohmann::json root = {{"asset", {{"version", "2.0"}}}};
  std::string bytes;

  int accessor(const std::vector<float>& values, const std::string& type, std::size_t components) {
    return accessor_of(values.data(), values.size() * sizeof(float), values.size() / components, 5126, type);
  }

  int accessor_of(const void* data, std::size_t size, std::size_t count, int component_type, const std::string& type) {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}});
    bytes.append(static_cast<const char*>(data), size);
    root["accessors"].push_back({{"bufferView", root["bufferViews"].size() - 1},
                                 {"componentType", component_type},
                                 {"count", count},
                                 {"type", type}});
    return static_cast<int>(root["accessors"].size()) - 1;
  }

  /// Adds a channel to animation 0, which is made when it is not there.
  void channel(int node, const std::string& path, int times, int values, const std::string& interpolation = "LINEAR") {
    nlohmann::json& animation = root["animations"][0];
    animation["samplers"].push_back({{"input", times}, {"output", values}, {"interpolation", interpolation}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  [[nodiscard]] std::string glb() const {
    nlohmann::json complete = root;
    if (!complete.contains("buffers")) complete["buffers"] = {{{"byteLength", bytes.size()}}};
    std::string text = complete.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string padded = bytes;
    padded.resize((padded.size() + 3) / 4 * 4);
    const auto word = [](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&number), 4);
    };
    return "glTF" + word(2) + word(28 + text.size() + padded.size()) + word(text.size()) + "JSON" + text +
           word(padded.size()) + std::string("BIN\0", 4) + padded;
  }
};

/// A quaternion's numbers in the order of glTF.
inline std::vector<float> xyzw(std::initializer_list<Quat> rotations) {
  std::vector<float> numbers;
  for (const Quat q : rotations) numbers.insert(numbers.end(), {q.x, q.y, q.z, q.w});
  return numbers;
}

/// Where joints, then end sites, of `raw` are in `frame`, in file units. A plain walk down the hierarchy.
inline std::vector<Vec3> raw_positions(const io::RawMotion& raw, std::size_t frame) {
  std::vector<Vec3> positions;
  std::vector<Quat> world;
  for (std::size_t j = 0; j < raw.joints.size(); ++j) {
    Vec3 offset = raw.joints[j].offset;
    for (std::size_t m = 0; m < raw.moving.size(); ++m) {
      if (raw.moving[m] == static_cast<int>(j)) offset = raw.translations[frame * raw.moving.size() + m];
    }
    const Quat turn = raw.rotations[frame * raw.joints.size() + j];
    const int parent = raw.joints[j].parent;
    const auto p = static_cast<std::size_t>(parent);
    positions.push_back(parent < 0 ? offset : positions[p] + rotate(world[p], offset));
    world.push_back(parent < 0 ? turn : world[p] * turn);
  }
  for (const motion::EndSite& site : raw.end_sites) {
    const auto joint = static_cast<std::size_t>(site.joint);
    positions.push_back(positions[joint] + rotate(world[joint], site.offset));
  }
  return positions;
}

}  // namespace loom::testing
