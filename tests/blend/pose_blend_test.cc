// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/pose_blend.h>
#include <loom/motion/kinematics.h>

#include "tests/blend/random_weights.h"
#include "tests/make_clip.h"

namespace loom::blend {
namespace {

Quat some_turn(Random& random, float largest) {
  const Vec3 axis = rotate(testing::random_rotation(random), {1, 0, 0});
  return axis_angle(axis, static_cast<float>(random.uniform(-largest, largest)));
}

/// k rotations within `spread` of a random one.
std::vector<Quat> scattered(Random& random, std::size_t count, float spread) {
  const Quat centre = some_turn(random, kPi);
  std::vector<Quat> turns;
  for (std::size_t i = 0; i < count; ++i) turns.push_back(normalized(centre * some_turn(random, spread)));
  for (Quat& q : turns) q = dot(q, turns[0]) < 0 ? -q : q;
  return turns;
}

/// The average of Markley 2007: the eigenvector of the largest eigenvalue of the sum of w q q'.
Quat markley(const std::vector<Quat>& turns, const std::vector<float>& weights) {
  Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Eigen::Vector4d q(turns[i].w, turns[i].x, turns[i].y, turns[i].z);
    sum += weights[i] * q * q.transpose();
  }
  const Eigen::Vector4d q = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(sum).eigenvectors().col(3);
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

TEST(PoseBlend, TwoRotationsMeetHalfWayAsSlerpDoes) {
  const std::array<Quat, 2> turns{axis_angle({1, 2, 3}, 0.4f), axis_angle({-1, 0.5f, 2}, 1.9f)};
  std::array<Quat, 1> middle;
  blend_rotations(turns, std::array{0.5f, 0.5f}, middle);
  EXPECT_LT(angle_between(middle[0], slerp(turns[0], turns[1], 0.5f)), 1e-5f);
}

TEST(PoseBlend, OneWeightGivesBackItsExample) {
  Random random(3);
  const std::vector<Quat> turns = scattered(random, 4, 1.0f);
  std::array<Quat, 1> out;
  blend_rotations(turns, std::array{0.0f, 0.0f, 1.0f, 0.0f}, out);
  EXPECT_LT(angle_between(out[0], turns[2]), 1e-6f);
}

TEST(PoseBlend, StaysNearTheEigenvectorAverage) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<Quat> turns = scattered(random, 6, 30 * kDegree);
    const std::vector<float> weights = testing::random_weights(random, 6);
    std::array<Quat, 1> out;
    blend_rotations(turns, weights, out);
    EXPECT_LT(angle_between(out[0], markley(turns, weights)), 1.0f * kDegree);
  }
}

TEST(PoseBlend, DoesNotDependOnTheFramesRotationsAreWrittenIn) {
  Random random(7);
  const std::vector<Quat> turns = scattered(random, 5, 1.2f);
  const std::vector<float> weights{0.5f, 0.4f, 0.3f, -0.1f, -0.1f};
  const Quat left = some_turn(random, kPi), right = some_turn(random, kPi);
  std::vector<Quat> elsewhere;
  for (const Quat& q : turns) elsewhere.push_back(left * q * right);
  std::array<Quat, 1> here, there;
  blend_rotations(turns, weights, here);
  blend_rotations(elsewhere, weights, there);
  EXPECT_LT(angle_between(left * here[0] * right, there[0]), 1e-5f);
}

TEST(PoseBlend, ExamplesThatCancelFallBackToTheHeaviest) {
  const std::array<Quat, 2> turns{Quat{1, 0, 0, 0}, Quat{-1, 0, 0, 0}};
  std::array<Quat, 1> out;
  blend_rotations(turns, std::array{0.5f, 0.5f}, out);
  EXPECT_EQ(out[0], turns[0]);
}

TEST(PoseBlend, DerivativeAgreesWithDifferences) {
  Random random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<Quat> turns = scattered(random, 4, 1.0f);
    std::vector<float> weights = testing::random_weights(random, 4);
    std::array<Quat, 1> here, there;
    blend_rotations(turns, weights, here);
    Quat sum{0, 0, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
      sum = {sum.w + weights[i] * turns[i].w, sum.x + weights[i] * turns[i].x, sum.y + weights[i] * turns[i].y,
             sum.z + weights[i] * turns[i].z};
    }
    const Vec3 exact = rotation_derivative(turns[1], here[0], std::sqrt(dot(sum, sum)));
    constexpr float kStep = 1e-2f;
    weights[1] += kStep;
    blend_rotations(turns, weights, there);
    weights[1] -= 2 * kStep;
    blend_rotations(turns, weights, here);
    EXPECT_LT(length(log_vector(there[0] * conjugate(here[0])) / (2 * kStep) - exact), 2e-3f);
  }
}

TEST(PoseSet, OnePoseComesBackAsItWas) {
  const auto skeleton = testing::small_person();
  const motion::GroundFrameFinder finder(*skeleton);
  Random random(13);
  std::vector<Quat> pose(skeleton->size());
  for (Quat& q : pose) q = some_turn(random, 0.5f);
  const Vec3 root{0.3f, 0.9f, -2};
  const motion::GroundFrame origin{1, -2, 2.5f};
  PoseSet set;
  add_pose(set, finder, origin, root, pose);
  Vec3 back;
  std::vector<Quat> rotations(pose.size());
  blend_pose(set, std::array{1.0f}, back, rotations);
  EXPECT_LT(distance(transform(origin, back), root), 1e-5f);
  EXPECT_LT(angle_between(origin.rotation() * rotations[0], pose[0]), 1e-5f);
  for (std::size_t j = 1; j < pose.size(); ++j) EXPECT_LT(angle_between(rotations[j], pose[j]), 1e-5f);
}

TEST(PoseSet, CountsWholeTurns) {
  const auto skeleton = testing::small_person();
  const motion::GroundFrameFinder finder(*skeleton);
  std::vector<Quat> pose(skeleton->size());
  pose[0] = axis_angle({0, 1, 0}, 0.2f);
  PoseSet set;
  add_pose(set, finder, {}, {0, 1, 0}, pose, 2 * kPi);
  EXPECT_NEAR(set.headings[0], 2 * kPi + 0.2f, 1e-5f);
}

}  // namespace
}  // namespace loom::blend
