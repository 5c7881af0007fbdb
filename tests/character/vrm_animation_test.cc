// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/character/vrm_animation.h>
#include <loom/io/gltf_read.h>
#include <loom/io/raw_motion.h>

#include "tests/character/make_body.h"

namespace loom::character {
namespace {

motion::Clip random_motion(const HumanBody& body, Random& random) {
  motion::Clip clip{"moves", body.skeleton, 30, {}, {}, {}};
  for (int f = 0; f < 12; ++f) {
    clip.roots.push_back({0.1f * static_cast<float>(f), 0.9f, 0.3f});
    const std::vector<Quat> pose = random_pose(body, random);
    clip.rotations.insert(clip.rotations.end(), pose.begin(), pose.end());
  }
  return clip;
}

/// What is read again points everywhere as what was written: nothing of how it is written is used.
TEST(VrmAnimation, IsReadAgainAsItWas) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    const HumanBody body = make_body(random_build(random));
    const motion::Clip clip = random_motion(body, random);
    const auto bytes = vrm_animation(body, clip, 0);
    ASSERT_TRUE(bytes) << bytes.error().to_string();
    const auto read = io::read_gltf(*bytes, "moves.vrma", {});
    ASSERT_TRUE(read) << read.error().to_string();
    const auto again = io::normalise(read->front(), {});
    ASSERT_TRUE(again) << again.error().to_string();
    ASSERT_EQ(again->clip.frames(), clip.frames());
    const auto looked = look_at_body(again->clip);
    ASSERT_TRUE(looked) << looked.error().to_string();
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      const WorldPose one = world_of(body, clip.roots[f], clip.pose(f)),
                      two = world_of(*looked, again->clip.roots[f], again->clip.pose(f));
      for (const Role role : {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftThigh, Role::kLeftShin}) {
        for (const int side : {0, 1}) {
          const Role begin = on_side(role, side), end = static_cast<Role>(static_cast<int>(begin) + 2);
          const auto bone = [&](const HumanBody& who, const WorldPose& w) {
            return normalized(w.positions[at(who.of(end))] - w.positions[at(who.of(begin))]);
          };
          EXPECT_LT(distance(bone(body, one), bone(*looked, two)), 5e-3f) << role_name(begin);
        }
      }
      EXPECT_LT(distance(one.positions[at(body.of(Role::kHips))], two.positions[at(looked->of(Role::kHips))]), 1e-3f);
    }
  }
}

/// By the specification: the extension, the 15 required bones, nodes without turns, and only the hips travel.
TEST(VrmAnimation, KeepsToTheSpecification) {
  Random random(2);
  const HumanBody body = make_body({});
  const auto bytes = vrm_animation(body, random_motion(body, random), 0);
  ASSERT_TRUE(bytes);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes->data() + 12, 4);
  const auto root = nlohmann::json::parse(bytes->substr(20, length));
  const auto& vrma = root["extensions"]["VRMC_vrm_animation"];
  EXPECT_EQ(vrma["specVersion"], "1.0");
  const auto& bones = vrma["humanoid"]["humanBones"];
  for (const char* bone : {"hips", "spine", "head", "leftUpperArm", "rightHand", "leftFoot", "rightLowerLeg"}) {
    EXPECT_TRUE(bones.contains(bone)) << bone;
  }
  EXPECT_TRUE(bones.contains("upperChest")) << "the trunk has three joints";
  for (const auto& node : root["nodes"]) EXPECT_FALSE(node.contains("rotation") || node.contains("scale"));
  for (const auto& channel : root["animations"][0]["channels"]) {
    if (channel["target"]["path"] != "translation") continue;
    EXPECT_EQ(channel["target"]["node"], bones["hips"]["node"]);
  }
  EXPECT_GT(root["nodes"][0]["translation"][1].get<float>(), 0.7f) << "the hips stand as high as the legs are long";
}

TEST(VrmAnimation, SaysWhichBoneIsMissing) {
  HumanBody body = make_body({});
  Random random(3);
  const motion::Clip clip = random_motion(body, random);
  body.joints[static_cast<std::size_t>(Role::kHead)] = -1;
  const auto bytes = vrm_animation(body, clip, 0);
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("head"), std::string::npos);
}

}  // namespace
}  // namespace loom::character
