// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/gait.h>
#include <loom/motion/kinematics.h>

#include "tests/crowd/walking_gait.h"

namespace loom::crowd {
namespace {

std::vector<float> some_weights(Random& random, std::size_t count) {
  std::vector<float> weights(count);
  float sum = 0;
  for (float& w : weights) sum += w = static_cast<float>(random.uniform());
  for (float& w : weights) w /= sum;
  return weights;
}

TEST(Gait, GoesWhereABlenderGoes) {
  // The blender works out the whole way at once, at the clips' own frames: an independent account of the same blend.
  const auto space = testing::walking_space({"locomotion-02", "locomotion-03", "locomotion-08", "locomotion-13"});
  const auto gait = Gait::create(*space).value();
  blend::Blender blender(space);
  const motion::GroundFrameFinder finder(*space->skeleton());
  std::vector<Quat> rotations(space->skeleton()->size());
  Random random(7);
  for (int round = 0; round < 5; ++round) {
    const std::vector<float> weights = some_weights(random, gait->examples());
    blender.set_weights(weights);
    Gait::Blend blend{0, weights, 0};
    motion::GroundFrame place;
    double seconds = 0;
    while (seconds + 1.0 / 30 < blender.duration()) {
      place = place * gait->advance(blend, 1.0 / 30);
      seconds += 1.0 / 30;
      motion::StreamPose pose{{}, rotations, 0, {}};
      blender.pose(seconds, pose);
      const motion::GroundFrame truth = finder.find(pose.root, rotations[0]);
      ASSERT_NEAR(blend.phase, blender.normalised_at(seconds), 2e-3);
      ASSERT_NEAR(place.x, truth.x, 0.01) << seconds;
      ASSERT_NEAR(place.z, truth.z, 0.01) << seconds;
      ASSERT_NEAR(wrap_angle(place.heading - truth.heading), 0, 0.02) << seconds;
    }
    const Velocity mean = gait->velocity(weights);
    EXPECT_NEAR(mean.turn, place.heading / seconds, 0.03) << "less than a frame is missing";
  }
}

TEST(Gait, ShowsTheBlendersPoseInTheMiddleOfTheCycle) {
  // There nothing is bent to close the cycle.
  const auto space = testing::walking_space({"locomotion-02", "locomotion-03", "locomotion-08"});
  const auto gait = Gait::create(*space).value();
  blend::Blender blender(space);
  Random random(3);
  std::vector<Quat> shown(space->skeleton()->size()), truth(shown.size());
  const std::vector<float> weights = some_weights(random, gait->examples());
  blender.set_weights(weights);
  motion::StreamPose a{{}, shown, 0, {}}, b{{}, truth, 0, {}};
  blender.pose_at(0.5, b);
  const motion::GroundFrame place = motion::GroundFrameFinder(*space->skeleton()).find(b.root, truth[0]);
  gait->pose({0.5, weights, 0}, place, 0, a);
  EXPECT_LT(distance(a.root, b.root), 1e-3f);
  EXPECT_EQ(a.planted, b.planted);
  for (std::size_t j = 0; j < shown.size(); ++j) EXPECT_LT(angle_between(shown[j], truth[j]), 0.01f) << j;
}

TEST(Gait, ACycleRunsIntoTheNextAndSpeedGrowsFromAStand) {
  const Gait& gait = *testing::walking_gait();
  std::vector<float> weights(gait.examples(), 1 / static_cast<float>(gait.examples()));
  std::vector<Quat> before(gait.skeleton()->size()), after(before.size());
  motion::StreamPose a{{}, before, 0, {}}, b{{}, after, 0, {}};
  gait.pose({0.9995, weights, 0}, {}, 0, a);
  gait.pose({0.0005, weights, 0}, {}, 0, b);
  EXPECT_LT(distance(a.root, b.root), 0.003f);
  for (std::size_t j = 0; j < before.size(); ++j) EXPECT_LT(angle_between(before[j], after[j]), 0.03f) << j;

  float last = -1;
  for (const float stand : {1.0f, 0.75f, 0.5f, 0.25f, 0.0f}) {
    Gait::Blend blend{0.2, weights, stand};
    motion::GroundFrame place;
    for (int n = 0; n < 60; ++n) place = place * gait.advance(blend, 1.0 / 30);
    EXPECT_GT(length(place.position()), last);
    last = length(place.position());
    if (stand == 1) {
      EXPECT_EQ(last, 0);
    }
  }
}

TEST(Gait, StandsOnTheFloorWithAndWithoutAClip) {
  for (const auto& gait :
       {testing::walking_gait(), Gait::create(*testing::walking_space({"locomotion-01", "locomotion-02"})).value()}) {
    std::vector<float> weights(gait->examples(), 1 / static_cast<float>(gait->examples()));
    motion::Clip clip;
    clip.skeleton = gait->skeleton();
    clip.rate = 30;
    clip.roots.resize(1);
    clip.rotations.resize(gait->skeleton()->size());
    motion::StreamPose pose{{}, clip.pose(0), 0, {}};
    gait->pose({0.3, weights, 1}, {1, 2, 0.5f}, 3.7, pose);
    clip.roots[0] = pose.root;
    EXPECT_EQ(pose.planted, motion::kLeftFoot | motion::kRightFoot);
    const auto poses = motion::forward_kinematics(clip);
    const auto points = motion::find_foot_points(*gait->skeleton()).value();
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      EXPECT_NEAR(poses.position(0, static_cast<std::size_t>(points[part])).y, gait->standing_heights()[part], 0.06);
    }
    EXPECT_NEAR(
        wrap_angle(motion::GroundFrameFinder(*gait->skeleton()).find(pose.root, clip.rotations[0]).heading - 0.5f), 0,
        1e-3);
  }
}

TEST(Gait, RefusesWhatDoesNotWalk) {
  const auto idle = testing::walking_space({"idle-1", "idle-2"});
  const auto gait = Gait::create(*idle);
  ASSERT_FALSE(gait);
  EXPECT_NE(gait.error().message.find("goes nowhere"), std::string::npos);
  motion::Clip none;
  EXPECT_FALSE(Gait::create(*testing::walking_space({"locomotion-01", "locomotion-02"}), &none));
}

}  // namespace
}  // namespace loom::crowd
