// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/inverse_blending.h>
#include <loom/blend/joint_chain.h>
#include <loom/motion/kinematics.h>

#include "tests/blend/toy_model.h"
#include "tests/make_skeleton.h"

namespace loom::blend {
namespace {

using Kind = Constraint::Kind;
using testing::uniform_weights;

/// A body of seven joints in a row with one branch, and poses of it that differ as examples of a family do.
motion::Skeleton snake() {
  std::vector<motion::Joint> joints = {{"root", motion::kNoParent, {}}};
  for (int j = 1; j < 7; ++j)
    joints.push_back({"j" + std::to_string(j), j - 1, {0.02f * static_cast<float>(j), 0.15f, 0.05f}});
  joints.push_back({"branch", 3, {0.2f, 0.1f, 0}});
  return *motion::Skeleton::create(joints, {});
}
constexpr int kTip = 6, kBranch = 7;

Quat random_turn(Random& random, float most) {
  const auto u = [&] { return static_cast<float>(random.uniform(-1, 1)) * most; };
  return exp_vector({u(), u(), u()});
}

PoseSet random_poses(Random& random, std::size_t count, float most = 0.5f) {
  PoseSet poses;
  poses.joints = 8;
  for (std::size_t i = 0; i < count; ++i) {
    poses.roots.push_back(
        {static_cast<float>(random.normal()) * 0.1f, 0.9f, static_cast<float>(random.normal()) * 0.1f});
    poses.headings.push_back(static_cast<float>(random.uniform(-0.4, 0.4)));
    for (int j = 0; j < 8; ++j) poses.rotations.push_back(random_turn(random, most));
  }
  align_hemispheres(poses, 0);
  return poses;
}

motion::JointFrame blended_frame(const motion::Skeleton& skeleton, const PoseSet& poses, std::span<const float> weights,
                                 int joint) {
  Vec3 root;
  std::vector<Quat> rotations(skeleton.size());
  blend_pose(poses, weights, root, rotations);
  return motion::joint_frame(skeleton, joint, root, rotations);
}

TEST(JointChain, AgreesWithTheBlendOfWholePoses) {
  Random random(1);
  const auto skeleton = snake();
  const auto poses = random_poses(random, 9);
  for (const int joint : {0, 3, kTip, kBranch}) {
    const JointChain chain(skeleton, poses, joint);
    for (int trial = 0; trial < 20; ++trial) {
      const auto weights = uniform_weights(random, 9);
      const auto whole = blended_frame(skeleton, poses, weights, joint), own = chain.evaluate(weights);
      EXPECT_LT(distance(whole.position, own.position), 1e-5f);
      EXPECT_LT(angle_between(whole.rotation, own.rotation), 2e-3f);
    }
  }
}

TEST(JointChain, DerivativesAreThoseOfFiniteDifferences) {
  Random random(2);
  const auto skeleton = snake();
  const auto poses = random_poses(random, 11, 0.8f);
  const JointChain chain(skeleton, poses, kTip, {0.05f, 0.1f, 0});
  const auto weights = uniform_weights(random, 11);
  std::vector<float> position(33), spin(33);
  chain.differentiate(weights, {position, spin});
  constexpr float kStep = 2e-3f;
  for (std::size_t i = 0; i < 11; ++i) {
    auto less = weights, more = weights;
    less[i] -= kStep;
    more[i] += kStep;
    const auto a = chain.evaluate(less), b = chain.evaluate(more);
    const Vec3 moved = (b.position - a.position) / (2 * kStep);
    const Vec3 turned = log_vector(b.rotation * conjugate(a.rotation)) / (2 * kStep);
    EXPECT_LT(distance(moved, {position[i], position[11 + i], position[22 + i]}), 2e-3f) << i;
    EXPECT_LT(distance(turned, {spin[i], spin[11 + i], spin[22 + i]}), 2e-3f) << i;
  }
}

Constraint position_of(int joint, Vec3 point, std::size_t moment = 0) {
  Constraint c;
  c.joint = joint;
  c.point = point;
  c.moment = moment;
  return c;
}

TEST(InverseBlending, MeetsWhatConvexWeightsCanMake) {
  Random random(3);
  const auto skeleton = snake();
  for (const std::size_t count : {4, 10, 30}) {
    const std::vector<PoseSet> moments = {random_poses(random, count)};
    auto problem = InverseBlending::create(skeleton, moments, {position_of(kTip, {})});
    ASSERT_TRUE(problem);
    std::size_t met = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const auto made = uniform_weights(random, count);
      problem->retarget(0, position_of(kTip, blended_frame(skeleton, moments[0], made, kTip).position));
      std::vector<float> weights(count);
      InverseSolution solution;
      problem->solve({}, weights, solution);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
      EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 0);
      if (solution.errors[0] < 0.005) ++met;
    }
    EXPECT_GE(met, 95U) << count << " examples";
  }
}

/// The derivative of all kinds of residuals at once, against finite differences through the public surface: at a
/// solution of a contradictory problem no small shift of weight may shorten the errors.
TEST(InverseBlending, ContradictionsEndInTheBestCompromise) {
  Random random(4);
  const auto skeleton = snake();
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<PoseSet> moments = {random_poses(random, 6), random_poses(random, 6)};
    Constraint line = position_of(kBranch, {0.3f, 1.1f, 0}, 1), turn = position_of(kTip, {}, 0);
    line.kind = Kind::kLine;
    line.direction = {1, 2, 0.5f};
    turn.kind = Kind::kOrientation;
    turn.orientation = random_turn(random, 1.0f);
    turn.axes = static_cast<std::uint8_t>(1 + random.index(7));
    turn.priority = 0.5;
    const std::vector<Constraint> constraints = {position_of(kTip, {0.4f, 1.5f, 0.3f}), line, turn};
    const auto problem = InverseBlending::create(skeleton, moments, constraints);
    ASSERT_TRUE(problem) << problem.error().message;
    std::vector<float> weights(6);
    InverseSolution solution;
    problem->solve({0, {1e-6, 1e-9, 200}}, weights, solution);
    const auto total = [&](std::span<const float> w) {
      std::array<double, 3> errors;
      problem->measure(w, errors);
      return std::hypot(errors[0], errors[1], 0.5 * 0.4 * errors[2]);
    };
    const double reached = total(weights);
    EXPECT_NEAR(reached, solution.length, 1e-4);
    EXPECT_GT(reached, 0.01) << "meant to contradict";
    for (std::size_t from = 0; from < 6; ++from) {
      for (std::size_t to = 0; to < 6; ++to) {
        if (weights[from] < 0.01f || from == to) continue;
        auto shifted = weights;
        shifted[from] -= 0.01f;
        shifted[to] += 0.01f;
        EXPECT_GT(total(shifted), reached - 2e-5) << "from " << from << " to " << to;
      }
    }
  }
}

TEST(InverseBlending, PriorityDecidesWhoIsServed) {
  Random random(5);
  const auto skeleton = snake();
  const std::vector<PoseSet> moments = {random_poses(random, 8)};
  std::vector<Constraint> constraints = {position_of(kTip, {0.3f, 1.7f, 0}), position_of(kTip, {-0.3f, 1.7f, 0.3f})};
  std::vector<float> weights(8);
  InverseSolution even, first;
  InverseBlending::create(skeleton, moments, constraints)->solve({}, weights, even);
  constraints[1].priority = 0.05;
  InverseBlending::create(skeleton, moments, constraints)->solve({}, weights, first);
  EXPECT_LT(first.errors[0], even.errors[0]);
  EXPECT_GT(first.errors[1], even.errors[1]);
}

/// Blends bend: examples as wild as these have several valleys, and the one next to the start need not be the deepest.
TEST(InverseBlending, TheSumIsAsSmallAsOnAFineGridOfWeights) {
  Random random(11);
  const auto skeleton = snake();
  constexpr int kTrials = 400;
  int deepest = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<PoseSet> moments = {random_poses(random, 3)};
    Constraint turn = position_of(kTip, {});
    turn.kind = Kind::kOrientation;
    turn.orientation = random_turn(random, 0.5f);
    turn.priority = 0.4;
    std::vector<Constraint> constraints = {position_of(kTip, {0.3f, 1.7f, 0}), position_of(kBranch, {0.1f, 1.4f, 0.2f}),
                                           turn};
    constraints[1].priority = 0.7;
    constraints[1].normalisation = 2;
    const auto problem = InverseBlending::create(skeleton, moments, constraints);
    ASSERT_TRUE(problem) << problem.error().message;
    const auto sum = [&](std::span<const float> w) {
      std::array<double, 3> errors;
      problem->measure(w, errors);
      return errors[0] + 0.7 * 2 * errors[1] + 0.4 * 0.4 * errors[2];
    };
    double least = 1e9;
    constexpr int kSteps = 60;
    for (int a = 0; a <= kSteps; ++a) {
      for (int b = 0; a + b <= kSteps; ++b) {
        const std::array<float, 3> w = {static_cast<float>(a) / kSteps, static_cast<float>(b) / kSteps,
                                        static_cast<float>(kSteps - a - b) / kSteps};
        least = std::min(least, sum(w));
      }
    }
    std::vector<float> weights(3);
    InverseSolution solution;
    problem->solve({0, {1e-6, 1e-9, 200}, Objective::kSum}, weights, solution);
    EXPECT_NEAR(sum(weights), solution.length, 1e-6);
    if (solution.length < least + 1e-3) ++deepest;
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::size_t to = 0; to < 3; ++to) {
        if (weights[from] < 0.01f || from == to) continue;
        auto shifted = weights;
        shifted[from] -= 0.01f;
        shifted[to] += 0.01f;
        EXPECT_GT(sum(shifted), solution.length - 5e-4) << "trial " << trial;
      }
    }
    // The squares make something else least, and never a smaller sum.
    std::vector<float> squared(3);
    InverseSolution squares;
    problem->solve({0, {1e-6, 1e-9, 200}}, squared, squares);
    EXPECT_GE(sum(squared), solution.length - 1e-9);
  }
  EXPECT_EQ(deepest, kTrials);
}

TEST(InverseBlending, OfTwoPlacesForOneJointTheSumTakesOneAndTheSquaresTheMiddle) {
  Random random(12);
  const auto skeleton = snake();
  const std::vector<PoseSet> moments = {random_poses(random, 12)};
  // Both places are those of blends, so each can be reached.
  const Vec3 here = blended_frame(skeleton, moments[0], uniform_weights(random, 12), kTip).position;
  const Vec3 there = blended_frame(skeleton, moments[0], uniform_weights(random, 12), kTip).position;
  const auto apart = static_cast<double>(distance(here, there));
  ASSERT_GT(apart, 0.02);
  std::vector<Constraint> constraints = {position_of(kTip, here), position_of(kTip, there)};
  constraints[0].priority = 0.6;
  constraints[1].priority = 0.4;
  const auto problem = InverseBlending::create(skeleton, moments, constraints);
  std::vector<float> weights(12);
  InverseSolution sum, squares;
  problem->solve({0, {}, Objective::kSum}, weights, sum);
  EXPECT_LT(sum.errors[0], 0.002);
  EXPECT_NEAR(sum.errors[1], apart, 0.002);
  // By hand: the point in between that makes (0.6 x)² + (0.4 (apart - x))² least.
  problem->solve({}, weights, squares);
  EXPECT_NEAR(squares.errors[0], apart * 0.16 / (0.36 + 0.16), 0.002);
}

TEST(InverseBlending, WhatCanBeMetIsMetByEitherObjective) {
  Random random(13);
  const auto skeleton = snake();
  const std::vector<PoseSet> moments = {random_poses(random, 20)};
  for (int trial = 0; trial < 20; ++trial) {
    const auto made = uniform_weights(random, 20);
    const auto tip = blended_frame(skeleton, moments[0], made, kTip);
    Constraint line = position_of(kBranch, blended_frame(skeleton, moments[0], made, kBranch).position);
    line.kind = Kind::kLine;
    line.direction = {0.2f, 1, 0};
    const auto problem = InverseBlending::create(skeleton, moments, {position_of(kTip, tip.position), line});
    for (const Objective objective : {Objective::kSquares, Objective::kSum}) {
      std::vector<float> weights(20);
      InverseSolution solution;
      problem->solve({0, {}, objective}, weights, solution);
      EXPECT_LT(solution.errors[0], 0.005) << to_string(objective);
      EXPECT_LT(solution.errors[1], 0.005) << to_string(objective);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
    }
  }
}

TEST(InverseBlending, ObjectivesHaveNames) {
  for (const Objective objective : {Objective::kSquares, Objective::kSum}) {
    EXPECT_EQ(objective_named(to_string(objective)), objective);
  }
  EXPECT_FALSE(objective_named("cubes"));
}

TEST(InverseBlending, OnlyTheNearestTakePartWhenAskedSo) {
  Random random(6);
  const auto skeleton = snake();
  const std::vector<PoseSet> moments = {random_poses(random, 20)};
  const auto problem = InverseBlending::create(skeleton, moments, {position_of(kTip, {0.1f, 1.7f, 0.2f})});
  std::vector<float> weights(20);
  InverseSolution solution;
  problem->solve({5, {}}, weights, solution);
  EXPECT_LE(std::count_if(weights.begin(), weights.end(), [](float w) { return w > 0; }), 5);
}

TEST(InverseBlending, RefusesWhatMakesNoSense) {
  Random random(7);
  const auto skeleton = snake();
  const std::vector<PoseSet> moments = {random_poses(random, 3)};
  const auto refused = [&](Constraint c) { return !InverseBlending::create(skeleton, moments, {c}); };
  EXPECT_FALSE(InverseBlending::create(skeleton, {}, {position_of(kTip, {})}));
  EXPECT_FALSE(InverseBlending::create(skeleton, moments, {}));
  EXPECT_TRUE(refused(position_of(8, {})));
  EXPECT_TRUE(refused(position_of(kTip, {}, 1)));
  EXPECT_TRUE(refused(position_of(kTip, {0, std::numeric_limits<float>::quiet_NaN(), 0})));
  Constraint odd = position_of(kTip, {});
  odd.priority = 2;
  EXPECT_TRUE(refused(odd));
  odd = position_of(kTip, {});
  odd.kind = Kind::kLine;
  odd.direction = {};
  EXPECT_TRUE(refused(odd));
  odd.kind = Kind::kOrientation;
  odd.axes = 0;
  EXPECT_TRUE(refused(odd));
  EXPECT_FALSE(InverseBlending::create(skeleton, moments, std::vector<Constraint>(9, position_of(kTip, {}))));
}

}  // namespace
}  // namespace loom::blend
