// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <loom/motion/quiet_hands.h>
#include <loom/sample/sample.h>

namespace loom::motion {
namespace {

/// A sample walk at 30 Hz whose hands have thumbs: still, but for a throw by 130 degrees in frame 20 and back in 50.
Clip walk_with_thumbs() {
  const Clip walk = resample(sample::make_sample("walk-normal-1")->clip, 30).value();
  std::vector<Joint> joints = walk.skeleton->joints();
  for (const char* side : {"Left", "Right"}) {
    const int hand = *walk.skeleton->find(std::string(side) + "Hand");
    joints.push_back({std::string(side) + "Thumb", hand, {0, -0.03f, 0.03f}});
  }
  Clip clip = walk;
  clip.skeleton = std::make_shared<Skeleton>(Skeleton::create(joints, walk.skeleton->end_sites()).value());
  clip.rotations.clear();
  for (std::size_t f = 0; f < walk.frames(); ++f) {
    clip.rotations.insert(clip.rotations.end(), walk.pose(f).begin(), walk.pose(f).end());
    const Quat thumb = f >= 20 && f < 50 ? axis_angle({0, 1, 0}, 130 * kDegree) : Quat{};
    clip.rotations.insert(clip.rotations.end(), 2, thumb);
  }
  return clip;
}

float fastest(const Clip& clip, std::size_t joint) {
  float most = 0;
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    most = std::max(most, angle_between(clip.pose(f - 1)[joint], clip.pose(f)[joint]));
  }
  return most * static_cast<float>(clip.rate);
}

TEST(QuietHands, AThumbThatIsThrownGoesOverSmoothly) {
  const Clip thrown = walk_with_thumbs();
  Clip quiet = thrown;
  quiet_hands(quiet);
  const std::size_t thumb = thrown.joints() - 1;
  ASSERT_GT(thrown.frames(), 60u);
  EXPECT_GT(fastest(thrown, thumb), 60);
  EXPECT_LT(fastest(quiet, thumb), 17);
  for (const std::size_t f : {0u, 10u, 30u, 35u, 60u}) {
    EXPECT_LT(angle_between(quiet.pose(f)[thumb], thrown.pose(f)[thumb]), 1e-3f) << f;
  }
}

TEST(QuietHands, EverythingElseStaysAsItIs) {
  const Clip thrown = walk_with_thumbs();
  Clip quiet = thrown;
  quiet_hands(quiet);
  EXPECT_EQ(quiet.roots, thrown.roots);
  for (std::size_t f = 0; f < thrown.frames(); ++f) {
    for (std::size_t j = 0; j + 2 < thrown.joints(); ++j) EXPECT_EQ(quiet.pose(f)[j], thrown.pose(f)[j]);
  }
  Clip fast = thrown;  // an elbow is no finger, however fast
  const auto elbow = static_cast<std::size_t>(*fast.skeleton->find("LeftForeArm"));
  for (std::size_t f = 30; f < fast.frames(); ++f) fast.pose(f)[elbow] = axis_angle({0, 1, 0}, 2);
  quiet = fast;
  quiet_hands(quiet);
  EXPECT_EQ(fastest(quiet, elbow), fastest(fast, elbow));
}

TEST(QuietHands, AThumbThatNeverRestsKeepsToWhereItBeginsAndEnds) {
  Clip clip = walk_with_thumbs();
  const std::size_t thumb = clip.joints() - 1;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.pose(f)[thumb] = axis_angle({0, 1, 0}, f % 2 == 0 ? 0.0f : 100 * kDegree);
  }
  const Quat first = clip.pose(0)[thumb], last = clip.pose(clip.frames() - 1)[thumb];
  quiet_hands(clip);
  EXPECT_LT(fastest(clip, thumb), 10);
  EXPECT_EQ(clip.pose(0)[thumb], first);
  EXPECT_EQ(clip.pose(clip.frames() - 1)[thumb], last);
}

}  // namespace
}  // namespace loom::motion
