// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/io/detail/gltf_numbers.h>
#include <loom/io/vrma_write.h>

namespace loom::io {
namespace {

using nlohmann::ordered_json;

Result<void> check(const HumanMotion& motion) {
  if (motion.hips.empty()) return fail("a motion without frames cannot be written");
  if (motion.bones.empty() || motion.bones[0].name != "hips") return fail("the first bone of a human must be the hips");
  for (std::size_t b = 0; b < motion.bones.size(); ++b) {
    const HumanBone& bone = motion.bones[b];
    if (bone.rotations.size() != motion.hips.size()) return fail(fmt::format("bone {} has another length", bone.name));
    if ((b == 0) != (bone.parent < 0) || bone.parent >= static_cast<int>(b)) {
      return fail(fmt::format("bone {} comes before what it hangs from", bone.name));
    }
  }
  return {};
}

std::vector<float> flat(const std::vector<Quat>& turns) {
  std::vector<float> numbers;
  numbers.reserve(4 * turns.size());
  Quat before = turns[0];
  for (Quat q : turns) {
    if (dot(before, q) < 0) q = -q;
    numbers.insert(numbers.end(), {q.x, q.y, q.z, q.w});
    before = q;
  }
  return numbers;
}

}  // namespace

Result<std::string> format_vrma(const HumanMotion& motion) {
  if (Result<void> sound = check(motion); !sound) return fail_from(sound);
  NumberStore numbers;
  std::vector<float> seconds, places;
  for (std::size_t f = 0; f < motion.hips.size(); ++f) {
    seconds.push_back(static_cast<float>(static_cast<double>(f) / motion.rate));
    places.insert(places.end(), {motion.hips[f].x, motion.hips[f].y, motion.hips[f].z});
  }
  const int times = numbers.add(std::span<const float>(seconds), kFloat, 1, kNoTarget, true);
  ordered_json nodes = ordered_json::array(), bones = ordered_json::object(), channels = ordered_json::array(),
               samplers = ordered_json::array();
  const auto add = [&](std::size_t node, const char* path, std::vector<float> values, int each) {
    const int output = numbers.add(std::span<const float>(values), kFloat, each, kNoTarget);
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back({{"input", times}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  for (std::size_t b = 0; b < motion.bones.size(); ++b) {
    const HumanBone& bone = motion.bones[b];
    nodes.push_back({{"name", bone.name}, {"translation", {bone.offset.x, bone.offset.y, bone.offset.z}}});
    if (bone.parent >= 0) nodes[static_cast<std::size_t>(bone.parent)]["children"].push_back(b);
    bones[bone.name] = {{"node", b}};
    add(b, "rotation", flat(bone.rotations), 4);
    if (b == 0) add(b, "translation", places, 3);
  }
  ordered_json root{
      {"asset", {{"version", "2.0"}, {"generator", "Motion Loom"}}},
      {"extensionsUsed", {"VRMC_vrm_animation"}},
      {"extensions",
       {{"VRMC_vrm_animation", {{"specVersion", "1.0"}, {"humanoid", {{"humanBones", std::move(bones)}}}}}}},
      {"scene", 0},
      {"scenes", ordered_json::array({{{"nodes", {0}}}})},
      {"nodes", std::move(nodes)},
      {"animations", ordered_json::array({{{"name", clean_utf8(motion.name)},
                                           {"channels", std::move(channels)},
                                           {"samplers", std::move(samplers)},
                                           {"extras", {{"rate", motion.rate}}}}})},
      {"accessors", numbers.accessors()},
      {"bufferViews", numbers.views()}};
  return glb_of(std::move(root), numbers.bytes());
}

}  // namespace loom::io
