// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/polish/detail/root_shift.h>

namespace loom::polish {
namespace {

constexpr std::size_t kFrames = 60;

/// A planted leg of 0.8 m standing upright and extended to `share` of its length; its foot is to be moved by
/// `offset(frame)`.
template <typename Offset>
std::vector<LegReach> standing_leg(float share, Offset offset) {
  std::vector<LegReach> leg;
  for (std::size_t f = 0; f < kFrames; ++f) leg.push_back({0.4, 0.4, {0, 0.8f * share, 0}, {}, offset(f), true});
  return leg;
}

TEST(RootShift, ABentLegWhoseFootStaysLeavesTheRootAlone) {
  const std::vector<LegReach> leg = standing_leg(0.9f, [](std::size_t) { return Vec3{}; });
  for (const Vec3 shift : plan_root_shift({&leg, 1}, 4)) EXPECT_LT(length(shift), 1e-5f);
}

TEST(RootShift, NoLegHasToOverstretch) {
  // The foot of a leg that is nearly straight is wanted up to 3 cm further away, for half a second.
  const std::vector<LegReach> leg = standing_leg(0.98f, [](std::size_t f) {
    return Vec3{0, -0.03f * smoothstep(std::min(static_cast<float>(f) - 15.0f, 45.0f - static_cast<float>(f)) / 8), 0};
  });
  const std::vector<Vec3> shift = plan_root_shift({&leg, 1}, 4);
  float largest = 0;
  for (std::size_t f = 0; f < kFrames; ++f) {
    largest = std::max(largest, length(shift[f]));
    EXPECT_LT(distance(leg[f].hip + shift[f], leg[f].target), 0.8f) << "frame " << f;
  }
  EXPECT_LT(largest, 0.04f);
  EXPECT_GT(largest, 0.02f);
}

TEST(RootShift, TheWayOfTheRootIsSmooth) {
  // The foot drops by 2 cm from one frame to the next; the root takes its time.
  const std::vector<LegReach> leg = standing_leg(0.95f, [](std::size_t f) {
    return Vec3{0, f < 30 ? 0.0f : -0.02f, 0};
  });
  const std::vector<Vec3> shift = plan_root_shift({&leg, 1}, 4);
  for (std::size_t f = 1; f + 1 < kFrames; ++f) {
    EXPECT_LT(length(shift[f + 1] - 2.0f * shift[f] + shift[f - 1]), 0.002f) << "frame " << f;
  }
  EXPECT_LT(shift[50].y, -0.012f);
  EXPECT_GT(shift[10].y, -0.004f);
}

TEST(RootShift, ABentLegBendsRatherThanMoveTheRootFar) {
  const auto lifted = [](std::size_t) { return Vec3{0, 0.03f, 0}; };
  const std::vector<LegReach> bent = standing_leg(0.6f, lifted), straight = standing_leg(0.98f, lifted);
  const float with_bent = plan_root_shift({&bent, 1}, 4)[30].y,
              with_straight = plan_root_shift({&straight, 1}, 4)[30].y;
  EXPECT_LT(with_bent, with_straight);
}

TEST(RootShift, OnePoseAloneIsShiftedAsALongStandIs) {
  const std::vector<LegReach> leg = standing_leg(0.97f, [](std::size_t) { return Vec3{0.02f, -0.02f, 0.01f}; });
  const Vec3 planned = plan_root_shift({&leg, 1}, 4)[kFrames / 2], alone = root_shift_for({leg.data(), 1}, {});
  EXPECT_LT(distance(planned, alone), 1e-4f);
}

}  // namespace
}  // namespace loom::polish
