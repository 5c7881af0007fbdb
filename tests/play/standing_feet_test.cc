// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/contacts.h>
#include <loom/play/standing_feet.h>
#include <loom/sample/sample.h>

#include "tests/allocations.h"
#include "tests/make_skeleton.h"

namespace loom::play {
namespace {

constexpr float kMillimetre = 1e-3f;
constexpr std::uint8_t kBoth = motion::kLeftFoot | motion::kRightFoot;

Vec3 on_the_floor(Vec3 way) { return {way.x, 0, way.z}; }

/// A body that stands with bent knees, and poses that are blends of such bodies elsewhere.
class StandingFeetTest : public ::testing::Test {
 protected:
  StandingFeetTest() {
    const motion::Clip idle = sample::make_sample("idle-1")->clip;
    skeleton_ = idle.skeleton;
    feet_ = polish::find_feet(*skeleton_).value();
    root_ = idle.roots[0];
    rotations_.assign(idle.pose(0).begin(), idle.pose(0).end());
    const std::array before = {place(0, root_), place(1, root_)};
    root_.y -= 0.06f;
    for (std::size_t side = 0; side < 2; ++side) {
      const Vec3 axis = feet_[side].hinge.value_or(Vec3{1, 0, 0});
      place_foot(*skeleton_, feet_[side], root_, rotations_, axis, place(side, root_), before[side]);
    }
  }

  [[nodiscard]] polish::FootPlace place(std::size_t side, Vec3 root) const {
    return place_of(*skeleton_, feet_[side], root, rotations_);
  }
  [[nodiscard]] StandingFeet standing_feet() const { return StandingFeet::create(skeleton_, 30).value(); }
  [[nodiscard]] StandingFeet::Blended at(float weight, Vec3 root, Vec3 before, std::uint8_t planted = kBoth) const {
    return {weight, planted, root, before, rotations_, rotations_};
  }
  /// The pose of the body with its root at `root`, and where its left foot is once feet are held.
  polish::FootPlace held(StandingFeet& feet, Vec3 root, std::uint8_t planted) {
    made_ = rotations_;
    motion::StreamPose pose{root, made_, planted, {}};
    feet.hold(pose);
    return place_of(*skeleton_, feet_[0], pose.root, pose.rotations);
  }

  std::shared_ptr<const motion::Skeleton> skeleton_;
  std::array<polish::Foot, 2> feet_;
  Vec3 root_;
  std::vector<Quat> rotations_, made_;
};

TEST_F(StandingFeetTest, ABlendBetweenTwoThatStandApartDrawsNoFoot) {
  StandingFeet feet = standing_feet();
  const Vec3 there = root_ + Vec3{0.03f, 0, 0.02f};
  const polish::FootPlace stood = place(0, root_);
  for (int f = 0; f <= 30; ++f) {
    const float weight = std::min(1.0f, static_cast<float>(f) / 10);
    if (weight < 1) feet.tell(at(1 - weight, root_, root_));
    if (weight > 0) feet.tell(at(weight, there, there));
    const polish::FootPlace now = held(feet, lerp(root_, there, weight), kBoth);
    EXPECT_LT(distance(now.heel, stood.heel), kMillimetre) << f;
    EXPECT_LT(distance(now.toe, stood.toe), kMillimetre) << f;
  }
  // When it has swung for a second, it is where the motion has it.
  for (int f = 0; f < 30; ++f) {
    feet.tell(at(1, there, there, 0));
    held(feet, there, 0);
  }
  feet.tell(at(1, there, there));
  EXPECT_LT(distance(held(feet, there, kBoth).heel, place(0, there).heel), kMillimetre);
}

TEST_F(StandingFeetTest, AFootGoesByTheMeanOfItsSteps) {
  // Beside the sum of steps, added up here. Steps are small, so that the foot never leaves its reach.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto some = [&](double most) { return static_cast<float>(random.uniform(-most, most)); };
    StandingFeet feet = standing_feet();
    Vec3 a = root_, b = root_ + Vec3{some(0.03), 0, some(0.03)};
    feet.tell(at(1, a, a));
    polish::FootPlace expected = held(feet, a, kBoth);
    for (int f = 1; f <= 12; ++f) {
      const float weight = static_cast<float>(f) / 12;
      const Vec3 step_a{some(0.002), 0, some(0.002)}, step_b{some(0.002), 0, some(0.002)};
      a += step_a;
      b += step_b;
      if (weight < 1) feet.tell(at(1 - weight, a, a - step_a));
      feet.tell(at(weight, b, b - step_b));
      const polish::FootPlace now = held(feet, lerp(a, b, weight), kBoth);
      expected.heel += lerp(step_a, step_b, weight);
      EXPECT_LT(distance(now.heel, expected.heel), kMillimetre) << seed << " " << f;
    }
  }
}

TEST_F(StandingFeetTest, WhatSwingsInTheOtherMotionDoesNotDrawIt) {
  StandingFeet feet = standing_feet();
  feet.tell(at(1, root_, root_));
  const polish::FootPlace stood = held(feet, root_, kBoth);
  const Vec3 there = root_ + Vec3{0, 0, 0.05f};
  feet.tell(at(0.8f, root_, root_));
  feet.tell(at(0.2f, there, root_, motion::kRightFoot));
  EXPECT_LT(distance(held(feet, lerp(root_, there, 0.2f), kBoth).heel, stood.heel), kMillimetre);
}

TEST_F(StandingFeetTest, ABlendBetweenStancesFarApartDrawsNoFoot) {
  // A runner who stops on feet wide apart is blended into one who stops on feet near each other.
  StandingFeet feet = standing_feet();
  const Vec3 there = root_ + Vec3{0, 0, 0.14f};
  const polish::FootPlace stood = place(0, root_);
  for (int f = 0; f <= 10; ++f) {
    const float weight = static_cast<float>(f) / 10;
    if (weight < 1) feet.tell(at(1 - weight, root_, root_));
    if (weight > 0) feet.tell(at(weight, there, there));
    const polish::FootPlace now = held(feet, lerp(root_, there, weight), kBoth);
    EXPECT_LT(distance(now.heel, stood.heel), 5 * kMillimetre) << f;
  }
}

TEST_F(StandingFeetTest, AFootIsNotHeldTurnedRound) {
  // The blend goes over to a body that has turned by half, round its left heel: no foot stays as it was under that.
  StandingFeet feet = standing_feet();
  const polish::FootPlace stood = place(0, root_);
  for (int f = 0; f <= 20; ++f) {
    const Quat turn = axis_angle({0, 1, 0}, kPi * static_cast<float>(f) / 20);
    made_ = rotations_;
    made_[0] = turn * rotations_[0];
    motion::StreamPose pose{stood.heel + rotate(turn, root_ - stood.heel), made_, kBoth, {}};
    feet.tell(at(1, root_, root_));
    const polish::FootPlace own = place_of(*skeleton_, feet_[0], pose.root, pose.rotations);
    feet.hold(pose);
    const polish::FootPlace now = place_of(*skeleton_, feet_[0], pose.root, pose.rotations);
    const Vec3 is = on_the_floor(now.toe - now.heel), was = on_the_floor(own.toe - own.heel);
    EXPECT_GT(dot(normalized(is), normalized(was)), std::cos(62 * kDegree)) << f;
  }
}

TEST_F(StandingFeetTest, AFootThatLandsGoesWithTheBlendUntilItIsDown) {
  StandingFeet feet = standing_feet();
  const Vec3 step{0, 0, 0.02f};
  Vec3 root = root_;
  const auto next = [&](std::uint8_t planted) {
    feet.tell(at(0.5f, root, root, planted));
    feet.tell(at(0.5f, root, root, planted));
    return held(feet, root, planted);
  };
  next(0);
  root += step;
  const polish::FootPlace landed = next(kBoth);
  EXPECT_LT(distance(landed.heel, place(0, root).heel), kMillimetre) << "it came as the blend did";
  root += step;
  EXPECT_LT(distance(next(kBoth).heel, landed.heel), kMillimetre) << "and stays";
}

TEST_F(StandingFeetTest, OneMotionAloneStaysAsItIs) {
  StandingFeet feet = standing_feet();
  for (int f = 0; f < 20; ++f) {
    const Vec3 root = root_ + Vec3{0, 0, 0.01f * static_cast<float>(f)};
    feet.tell(at(1, root, f == 0 ? root : root - Vec3{0, 0, 0.01f}));
    held(feet, root, kBoth);
    EXPECT_EQ(made_, rotations_) << f;
  }
}

TEST_F(StandingFeetTest, AllocatesNothing) {
  StandingFeet feet = standing_feet();
  made_ = rotations_;
  const Vec3 there = root_ + Vec3{0.02f, 0, 0};
  motion::StreamPose pose{root_, made_, kBoth, {}};
  const std::size_t before = testing::allocations;
  feet.tell(at(1, root_, root_));
  feet.hold(pose);
  feet.tell(at(0.5f, root_, root_));
  feet.tell(at(0.5f, there, there));
  pose.root = lerp(root_, there, 0.5f);
  feet.hold(pose);
  EXPECT_EQ(testing::allocations, before);
}

TEST(StandingFeet, ABodyWithoutFeetHasNone) {
  EXPECT_FALSE(StandingFeet::create(
      std::make_shared<const motion::Skeleton>(testing::outline_skeleton("Hips{Spine{Head}}")), 30));
}

}  // namespace
}  // namespace loom::play
