// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/motion/body.h>
#include <loom/motion/hand_contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

namespace loom::motion {
namespace {

TEST(HandContacts, AreWhereTheLabelSaysAndNowhereElse) {
  Clip clip = sample::make_sample("walk-normal-1")->clip;
  clip.labels = {{"touch", 10, 20}, {"walk", 0, clip.frames()}};
  HandContactOptions options;
  options.label = "touch";
  const auto touching = find_hand_contacts(clip, options);
  ASSERT_TRUE(touching);
  for (std::size_t f = 0; f < clip.frames(); ++f) EXPECT_EQ((*touching)[f] != 0, f >= 10 && f < 20) << f;
}

TEST(HandContacts, AreWhereAHandRestsAtTheHeight) {
  // A walk whose second half stands still: only there does a hand rest.
  Clip clip = sample::make_sample("walk-normal-1")->clip;
  const std::size_t half = clip.frames() / 2;
  for (std::size_t f = half; f < clip.frames(); ++f) {
    clip.roots[f] = clip.roots[half];
    std::copy(clip.pose(half).begin(), clip.pose(half).end(), clip.pose(f).begin());
  }
  const WorldPoses poses = forward_kinematics(clip);
  const Body body = find_body(*clip.skeleton);
  const auto hand = [](const Limb& arm) { return static_cast<std::size_t>(arm.tip >= 0 ? arm.tip : arm.end); };
  const float left = poses.position(half, hand(body.left_arm)).y, right = poses.position(half, hand(body.right_arm)).y;
  HandContactOptions options;
  options.height = left;
  options.reach = 0.01f;
  options.slow = 1e-3f;
  const auto touching = find_hand_contacts(clip, options);
  ASSERT_TRUE(touching);
  for (std::size_t f = half + 5; f < clip.frames(); ++f) {
    EXPECT_TRUE((*touching)[f] & kLeftHand) << f;
    EXPECT_EQ(((*touching)[f] & kRightHand) != 0, std::abs(right - left) <= 0.01f) << f;
  }
  // Before, it moves, if only a little now and then.
  for (std::size_t f = 2; f + 2 < half; ++f) EXPECT_EQ((*touching)[f], 0) << f;
  options.height = 2.9f;
  const auto high = find_hand_contacts(clip, options);
  for (const std::uint8_t bits : *high) EXPECT_EQ(bits, 0);
}

TEST(HandContacts, AHeightNeedsHands) {
  std::vector<Joint> joints(1);
  joints[0].name = "box";
  joints[0].parent = -1;
  Clip clip;
  clip.skeleton = std::make_shared<const Skeleton>(Skeleton::create(joints, {}).value());
  clip.roots.resize(3);
  clip.rotations.resize(3);
  HandContactOptions options;
  options.height = 1;
  EXPECT_FALSE(find_hand_contacts(clip, options));
  options.height.reset();
  EXPECT_FALSE(options.any());
  EXPECT_TRUE(find_hand_contacts(clip, options));
}

}  // namespace
}  // namespace loom::motion
