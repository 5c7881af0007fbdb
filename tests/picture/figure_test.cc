// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/picture/figure.h>

#include "tests/make_clip.h"

namespace loom::picture {
namespace {

/// Where the anchors of a figure are when the skeleton is at rest.
std::vector<Vec3> at_rest(const motion::Skeleton& skeleton, const Figure& figure) {
  std::vector<Vec3> positions(skeleton.point_count()), anchors(figure.anchors.size());
  std::vector<Quat> rotations(skeleton.size()), world(skeleton.size());
  motion::forward_kinematics(skeleton, {}, rotations, positions, world);
  figure.place(positions, world, anchors);
  return anchors;
}

TEST(Figure, APersonHasTwoSidesAFaceAndSoles) {
  const auto skeleton = testing::small_person();
  const Figure figure = make_figure(*skeleton);
  ASSERT_TRUE(figure.human);
  const std::vector<Vec3> rest = at_rest(*skeleton, figure);
  for (const Part& part : figure.parts) {
    const float x = (rest[static_cast<std::size_t>(part.a)].x + rest[static_cast<std::size_t>(part.b)].x) / 2;
    if (part.side == Side::kMiddle) continue;
    EXPECT_EQ(part.side, x > 0 ? Side::kLeft : Side::kRight);
  }
  const auto at = [&](int anchor) { return rest[static_cast<std::size_t>(anchor)]; };
  for (const Sole& sole : {figure.left_sole, figure.right_sole}) {
    ASSERT_GE(sole.heel, 0);
    EXPECT_GT(at(sole.toe).z, at(sole.heel).z + 0.1f) << "toes point forward";
    EXPECT_NEAR(at(sole.toe).y, at(sole.heel).y, 0.05f);
  }
  float nose = -1;
  for (const Vec3& p : rest) nose = p.y > 0.7f ? std::max(nose, p.z) : nose;
  EXPECT_GT(nose, 0.05f) << "something on the head shows where it faces";
}

TEST(Figure, ScalesWithTheBody) {
  const auto skeleton = testing::small_person();
  const motion::Skeleton giant = skeleton->scaled(3);
  const Figure one = make_figure(*skeleton), three = make_figure(giant);
  ASSERT_EQ(one.parts.size(), three.parts.size());
  for (std::size_t i = 0; i < one.parts.size(); ++i) {
    EXPECT_NEAR(one.parts[i].radius_a * 3, three.parts[i].radius_a, 1e-4f);
  }
}

TEST(Figure, AnyHierarchyGetsAStickForEachBone) {
  for (std::size_t joints : {2u, 7u, 40u, 300u}) {
    const auto skeleton = testing::random_skeleton(joints, joints);
    const Figure figure = make_figure(*skeleton);
    EXPECT_FALSE(figure.human);
    EXPECT_EQ(figure.parts.size(), skeleton->point_count() - 1);
    EXPECT_EQ(figure.left_sole.heel, -1);
  }
}

TEST(Figure, OneJointIsABall) {
  const motion::Skeleton skeleton = motion::Skeleton::create({{"only", motion::kNoParent, {}}}, {}).value();
  const Figure figure = make_figure(skeleton);
  ASSERT_EQ(figure.parts.size(), 1u);
  EXPECT_GT(figure.parts[0].radius_a, 0);
}

TEST(Figure, AnchorsMoveWithTheirJoints) {
  const auto skeleton = testing::small_person();
  const Figure figure = make_figure(*skeleton);
  const motion::Clip clip = testing::random_clip(skeleton, 3, 30, 5);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  std::vector<Vec3> anchors(figure.anchors.size());
  figure.place({poses.positions.data() + 2 * poses.points, poses.points},
               {poses.rotations.data() + 2 * poses.joints, poses.joints}, anchors);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto joint = static_cast<std::size_t>(figure.anchors[i].joint);
    EXPECT_NEAR(distance(anchors[i], poses.position(2, joint)), length(figure.anchors[i].offset), 1e-5f);
  }
}

}  // namespace
}  // namespace loom::picture
