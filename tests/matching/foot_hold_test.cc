// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/matching/foot_hold.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"

namespace loom::matching {
namespace {

using motion::kLeftFoot;
using motion::kRightFoot;

/// A person who stands and can be carried about.
class FootHoldTest : public ::testing::Test {
 protected:
  /// Follows the stance, carried by `by`, with `planted` told to stand.
  const FeetNow& follow(Vec3 by, std::uint8_t planted) {
    hold_.follow(*clip_.skeleton, clip_.roots[0] + by, clip_.pose(0), planted);
    return hold_.feet();
  }
  Vec3 own(const char* ankle, Vec3 by) {
    return motion::joint_frame(*clip_.skeleton, *clip_.skeleton->find(ankle), clip_.roots[0] + by, clip_.pose(0))
        .position;
  }

  motion::Clip clip_ = testing::make_gait({.speed = 0}).clip;
  FootHold hold_{*clip_.skeleton};
};

TEST_F(FootHoldTest, AFootStaysWhereItTouchedDownHoweverTheBodyIsCarried) {
  const Vec3 down = own("LeftFoot", {});
  for (int step = 0; step < 5; ++step) {
    const Vec3 by{0, 0, 0.05f * static_cast<float>(step)};
    const FeetNow& feet = follow(by, kLeftFoot);
    EXPECT_TRUE(feet.held[0]);
    EXPECT_FALSE(feet.held[1]);
    EXPECT_LT(distance(feet.ankle[0], down), 1e-5f);
    EXPECT_LT(distance(feet.ankle[1], own("RightFoot", by)), 1e-5f) << "a free foot is where the motion has it";
  }
}

TEST_F(FootHoldTest, ItsHeightIsTheMotions) {
  follow({}, kLeftFoot);
  const FeetNow& feet = follow({0.02f, 0.04f, 0}, kLeftFoot);
  EXPECT_NEAR(feet.ankle[0].x, own("LeftFoot", {}).x, 1e-5f);
  EXPECT_NEAR(feet.ankle[0].y, own("LeftFoot", {0, 0.04f, 0}).y, 1e-5f);
}

TEST_F(FootHoldTest, TheFootThatStandsCarriesTheBodyUntilTheOtherHasComeDown) {
  follow({}, kLeftFoot);
  const Vec3 there{0, 0, 0.1f};
  // The motion stands on the other foot from now on: in this pose it comes down, and in the next the first is free.
  EXPECT_TRUE(follow(there, kRightFoot).held[0]);
  EXPECT_TRUE(hold_.feet().held[1]);
  EXPECT_FALSE(follow(there, kRightFoot).held[0]);
  EXPECT_LT(distance(hold_.feet().ankle[0], own("LeftFoot", there)), 1e-5f);
}

TEST_F(FootHoldTest, NobodyIsHeldWhoFlies) {
  follow({}, kLeftFoot | kRightFoot);
  const FeetNow& feet = follow({0, 0.2f, 0.1f}, 0);
  EXPECT_FALSE(feet.held[0] || feet.held[1]);
}

TEST_F(FootHoldTest, AFootIsLetGoWhereTheMotionHasItFarAway) {
  follow({}, kLeftFoot);
  const Vec3 far{0.5f, 0, 0};
  EXPECT_FALSE(follow(far, kLeftFoot).held[0]);
  EXPECT_TRUE(follow(far, kLeftFoot).held[0]) << "and held anew where it is then";
  EXPECT_LT(distance(hold_.feet().ankle[0], own("LeftFoot", far)), 1e-5f);
}

TEST(FootHold, ABodyWithoutAnklesIsNeverHeld) {
  const motion::Skeleton door = testing::outline_skeleton("Frame{Door{Handle}}");
  FootHold hold(door);
  const std::vector<Quat> rotations(door.size());
  hold.follow(door, {}, rotations, kLeftFoot | kRightFoot);
  EXPECT_FALSE(hold.feet().held[0] || hold.feet().held[1]);
}

}  // namespace
}  // namespace loom::matching
