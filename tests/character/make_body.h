// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/character/human_body.h>
#include <loom/motion/kinematics.h>

namespace loom::character {

inline Role on_side(Role left, int side) { return static_cast<Role>(static_cast<int>(left) + side); }
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// How somebody is built.
struct Build {
  float thigh = 0.42f, shin = 0.41f, ankle = 0.08f, foot = 0.14f, upper = 0.29f, fore = 0.26f;
  float arms_down = 0;  ///< radians below the T-pose in which arms are held at rest
  float faces = 0;      ///< radians about the vertical at rest
  int spine = 3;        ///< joints of it, the chest included
  bool collars = true, twists = false, root_above = false;
};

/// Somebody made joint by joint, with the truth of which is which.
struct Person {
  std::vector<motion::Joint> joints;
  std::vector<motion::EndSite> ends;
  JointMap map;
  Quat facing;

  int add(const std::string& name, int parent, Vec3 offset) {
    joints.push_back({name, parent, rotate(facing, offset)});
    return static_cast<int>(joints.size()) - 1;
  }
  int add(Role role, int parent, Vec3 offset) {
    const int joint = add(std::string(role_name(role)), parent, offset);
    map.of(role) = {joint, 1};
    return joint;
  }
};

inline HumanBody make_body(const Build& build) {
  Person p;
  p.map.human = true;
  p.facing = axis_angle({0, 1, 0}, build.faces);
  const int root = build.root_above ? p.add("root", -1, {}) : -1;
  const int hips = p.add(Role::kHips, root, root < 0 ? Vec3{} : Vec3{0, 0.9f, 0});
  int top = hips;
  for (int s = 0; s < build.spine; ++s) {
    const Vec3 offset{0, 0.36f / static_cast<float>(build.spine), s == 0 ? -0.02f : 0.0f};
    if (s == 0) {
      top = p.add(Role::kSpine, top, offset);
    } else if (s + 1 == build.spine) {
      top = p.add(Role::kChest, top, offset);
    } else {
      top = p.add("between" + std::to_string(s), top, offset);
    }
  }
  p.add(Role::kHead, p.add(Role::kNeck, top, {0, 0.2f, 0}), {0, 0.1f, 0});
  for (const int side : {0, 1}) {
    const float sign = side == 0 ? 1.0f : -1.0f;
    const Vec3 along{sign * std::cos(build.arms_down), -std::sin(build.arms_down), 0};
    int from = top;
    if (build.collars) from = p.add(on_side(Role::kLeftShoulder, side), top, {sign * 0.04f, 0.14f, 0});
    const int upper = p.add(on_side(Role::kLeftUpperArm, side), from, {sign * 0.14f, build.collars ? 0.02f : 0.16f, 0});
    const int fore = p.add(on_side(Role::kLeftForearm, side), upper, along * build.upper);
    int wrist = fore;
    if (build.twists) {
      wrist = p.add("twist" + std::to_string(side), fore, along * (build.fore / 2));
      p.map.twists.push_back({on_side(Role::kLeftForearm, side), wrist});
    }
    p.add(on_side(Role::kLeftHand, side), wrist, along * (build.twists ? build.fore / 2 : build.fore));
    const int thigh = p.add(on_side(Role::kLeftThigh, side), hips, {sign * 0.09f, -0.03f, 0});
    const int shin = p.add(on_side(Role::kLeftShin, side), thigh, {0, -build.thigh, 0.01f});
    const int foot = p.add(on_side(Role::kLeftFoot, side), shin, {0, -build.shin, -0.02f});
    const int toe = p.add(on_side(Role::kLeftToe, side), foot, {0, -build.ankle + 0.02f, build.foot});
    p.ends.push_back({toe, rotate(p.facing, Vec3{0, -0.02f, 0.06f})});
  }
  auto skeleton = motion::Skeleton::create(p.joints, p.ends);
  EXPECT_TRUE(skeleton) << skeleton.error().to_string();
  auto body = look_at_body(std::make_shared<motion::Skeleton>(std::move(*skeleton)), p.map);
  EXPECT_TRUE(body) << body.error().to_string();
  return std::move(*body);
}

inline Build random_build(Random& random) {
  const auto about = [&](double value, double share) {
    return static_cast<float>(value * random.uniform(1 - share, 1 + share));
  };
  Build build;
  build.thigh = about(0.42, 0.3);
  build.shin = about(0.41, 0.3);
  build.ankle = about(0.08, 0.4);
  build.foot = about(0.14, 0.4);
  build.upper = about(0.29, 0.3);
  build.fore = about(0.26, 0.3);
  build.arms_down = static_cast<float>(random.uniform(0, 1.2));
  build.faces = static_cast<float>(random.uniform(-3, 3));
  build.spine = random.uniform(0, 1) < 0.5 ? 2 : 4;
  build.collars = random.uniform(0, 1) < 0.7;
  build.twists = random.uniform(0, 1) < 0.5;
  build.root_above = random.uniform(0, 1) < 0.5;
  return build;
}

struct WorldPose {
  std::vector<Vec3> positions;
  std::vector<Quat> world;
};

inline WorldPose world_of(const HumanBody& body, Vec3 root, std::span<const Quat> rotations) {
  WorldPose pose{std::vector<Vec3>(body.skeleton->point_count()), std::vector<Quat>(body.skeleton->size())};
  motion::forward_kinematics(*body.skeleton, root, rotations, pose.positions, pose.world);
  return pose;
}

/// A pose of somebody on their feet: knees bend as knees do, everything else as it likes, within reason.
inline std::vector<Quat> random_pose(const HumanBody& body, Random& random) {
  std::vector<Quat> pose(body.skeleton->size());
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (body.joints[r] < 0) continue;
    const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    const Role role = static_cast<Role>(r);
    const bool knee = role == Role::kLeftShin || role == Role::kRightShin;
    const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0});
    pose[at(body.joints[r])] =
        knee ? axis_angle(across, 0.8f + 0.3f * any()) : axis_angle({any(), any(), any()}, 0.35f * any());
  }
  return pose;
}

}  // namespace loom::character
