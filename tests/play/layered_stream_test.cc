// SPDX-License-Identifier: MIT
// Legs of one motion under the upper body of another.
#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/play/layered_stream.h>

#include "tests/blend/sample_set.h"

namespace loom::play {
namespace {

std::unique_ptr<motion::MotionStream> playing(const std::string& name, double rate = 30) {
  auto set = testing::sample_set({name}, rate);
  return std::make_unique<motion::RecordedStream>(std::move(set.clips[0]), std::move(set.contacts[0]));
}

/// A child of the root that is no hip: where the back begins.
std::string back_of(const motion::Skeleton& skeleton) {
  for (const motion::Joint& joint : skeleton.joints()) {
    if (joint.parent == 0 && joint.offset.y > 0) return joint.name;
  }
  return {};
}

/// World rotations against the facing of the body.
std::vector<Quat> world_of(const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations) {
  std::vector<Vec3> points(skeleton.size() + skeleton.end_sites().size());
  std::vector<Quat> world(skeleton.size());
  motion::forward_kinematics(skeleton, root, rotations, points, world);
  const Quat facing = motion::GroundFrameFinder(skeleton).find(root, rotations[0]).rotation();
  for (Quat& turn : world) turn = conjugate(facing) * turn;
  return world;
}

TEST(LayeredStream, LegsAreThoseOfOneAndTheChestPointsAsInTheOther) {
  auto legs = playing("walk-normal-1"), upper = playing("punch-family-01");
  const motion::Skeleton& skeleton = *legs->skeleton();
  const std::string back = back_of(skeleton);
  ASSERT_FALSE(back.empty());
  const auto layered = *LayeredStream::create(legs->clone(), upper->clone(), back);
  std::vector<Quat> both(skeleton.size()), low(skeleton.size()), high(skeleton.size());
  motion::StreamPose pose{{}, both, 0, {}}, below{{}, low, 0, {}}, above{{}, high, 0, {}};
  std::vector<bool> of_back(skeleton.size());
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    const motion::Joint& joint = skeleton.joints()[j];
    of_back[j] = joint.name == back || (joint.parent > 0 && of_back[static_cast<std::size_t>(joint.parent)]);
  }
  for (int p = 0; p < 30; ++p) {
    ASSERT_TRUE(layered->next({}, pose) && legs->next({}, below) && upper->next({}, above));
    EXPECT_EQ(pose.root, below.root);
    EXPECT_EQ(pose.planted, below.planted);
    const auto seen = world_of(skeleton, pose.root, both), chest = world_of(skeleton, above.root, high);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      if (of_back[j]) {
        EXPECT_LT(length(log_vector(seen[j] * conjugate(chest[j]))), 0.002f) << "joint " << j << ", pose " << p;
      } else {
        EXPECT_EQ(both[j], low[j]) << "joint " << j << ", pose " << p;
      }
    }
  }
}

TEST(LayeredStream, RefusesWhatDoesNotFit) {
  const auto legs = playing("walk-normal-1");
  EXPECT_FALSE(LayeredStream::create(legs->clone(), playing("idle-1", 60), back_of(*legs->skeleton())));
  EXPECT_FALSE(LayeredStream::create(legs->clone(), legs->clone(), "tail"));
  EXPECT_FALSE(LayeredStream::create(legs->clone(), legs->clone(), legs->skeleton()->joints()[0].name));
}

}  // namespace
}  // namespace loom::play
