// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/bend_axis.h>
#include <loom/polish/knee.h>

#include "tests/make_clip.h"

namespace loom::polish {
namespace {

/// The small person with its left knee bent by `bend(frame)` radians about `axis(frame)`.
template <typename Bend, typename Axis>
motion::WorldPoses bending(std::size_t frames, Bend bend, Axis axis) {
  const auto person = testing::small_person();
  motion::Clip clip{"bending", person, 30, std::vector<Vec3>(frames), std::vector<Quat>(frames * person->size()), {}};
  const auto knee = static_cast<std::size_t>(*person->find("LeftLeg"));
  for (std::size_t f = 0; f < frames; ++f) clip.pose(f)[knee] = axis_angle(axis(f), bend(f));
  return motion::forward_kinematics(clip);
}

Foot left_foot() { return find_feet(*testing::small_person()).value()[0]; }

TEST(KneeAxes, ABentKneeKeepsItsOwnAxis) {
  const auto poses = bending(
      30, [](std::size_t) { return 0.8f; },
      [](std::size_t f) {
        return Vec3{1, 0, 0.02f * static_cast<float>(f)};
      });
  const std::vector<Vec3> axes = knee_axes(poses, left_foot(), 30);
  for (std::size_t f = 0; f < 30; ++f) {
    EXPECT_LT(distance(axes[f], normalized(Vec3{1, 0, 0.02f * static_cast<float>(f)})), 1e-4f) << "frame " << f;
  }
}

TEST(KneeAxes, AStraightKneeTakesTheAxisOfTheFramesAround) {
  // Well bent about X at both ends; between, nearly straight with noise in every direction.
  Random random(5);
  std::vector<Vec3> noise(60);
  for (Vec3& n : noise) n = {static_cast<float>(random.normal()), 0, static_cast<float>(random.normal())};
  const auto straight = [](std::size_t f) { return f >= 20 && f < 40; };
  const auto poses = bending(
      60, [&](std::size_t f) { return straight(f) ? 0.01f : 0.7f; },
      [&](std::size_t f) {
        return straight(f) ? noise[f] : Vec3{1, 0, 0};
      });
  const std::vector<Vec3> axes = knee_axes(poses, left_foot(), 30);
  for (std::size_t f = 0; f < 60; ++f) EXPECT_GT(axes[f].x, 0.98f) << "frame " << f;
}

TEST(KneeAxes, ALegThatNeverBendsStillHasOne) {
  const auto poses = bending(
      10, [](std::size_t) { return 0.0f; },
      [](std::size_t) {
        return Vec3{1, 0, 0};
      });
  for (const Vec3 axis : knee_axes(poses, left_foot(), 30)) EXPECT_NEAR(length(axis), 1, 1e-5);
}

TEST(KneeAxis, ABendTheOtherWayNeverTurnsTheKneeOver) {
  // From well bent forward through straight to well bent backward: the axis stays that of the frames around, without a
  // jump.
  const Vec3 general{1, 0, 0};
  Vec3 before = motion::bend_axis({0.6f, 0, 0.05f}, general);
  for (int step = 1; step <= 240; ++step) {
    const Vec3 axis = motion::bend_axis({0.6f - 0.005f * static_cast<float>(step), 0, 0.05f}, general);
    EXPECT_LT(distance(axis, before), 0.05f) << "step " << step;
    before = axis;
  }
  EXPECT_LT(distance(before, general), 1e-5f);
}

TEST(ForwardBend, LosesABendBackwardsAndKeepsADeepOne) {
  const Vec3 natural{1, 0, 0};
  const Vec3 slight = forward_bend({-0.01f, 0, 0.02f}, natural);
  EXPECT_NEAR(slight.x, 0, 1e-3f);
  EXPECT_EQ(slight.z, 0.02f);
  EXPECT_NEAR(forward_bend({-0.45f, 0, 0.02f}, natural).x, 0, 1e-3f);
  // A leg that is recorded bent deep about an axis of its own is believed, whatever its skeleton says.
  const Vec3 deep{-0.9f, 0, 0.3f};
  EXPECT_EQ(forward_bend(deep, natural), deep);
  const Vec3 forward{0.1f, 0.02f, 0};
  EXPECT_EQ(forward_bend(forward, natural), forward);
}

}  // namespace
}  // namespace loom::polish
