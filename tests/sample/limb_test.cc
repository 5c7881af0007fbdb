// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/sample/detail/limb.h>

#include "tests/make_clip.h"

namespace loom::sample {
namespace {

constexpr HingeLimb kLeg{{0, -1, 0}, {1, 0, 0}, 0.43f, 0.41f};

Vec3 random_direction(Random& random) { return rotate(testing::random_rotation(random), {0, 0, 1}); }

/// Where middle and end of a placed limb are.
std::pair<Vec3, Vec3> joints_of(const HingeLimb& limb, Vec3 origin, const LimbPose& pose) {
  const Vec3 middle = origin + rotate(pose.upper, limb.bone * limb.upper);
  const Quat lower = pose.upper * axis_angle(limb.hinge, pose.flexion);
  return {middle, middle + rotate(lower, limb.bone * limb.lower)};
}

TEST(HingeLimb, ReachesWhatIsWithinReach) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Vec3 origin = random_direction(random), pole = random_direction(random);
    const Vec3 line = random_direction(random);
    const Vec3 target = origin + line * static_cast<float>(random.uniform(0.25, 0.83));
    if (length(cross(pole, line)) < 0.05f) continue;
    const LimbPose pose = reach(kLeg, origin, target, pole, 0.997f);
    const auto [middle, end] = joints_of(kLeg, origin, pose);
    EXPECT_LT(distance(end, target), 1e-5f);
    EXPECT_GT(pose.flexion, 0);
    // The middle joint is on the pole's side of the line.
    EXPECT_GT(dot(middle - origin, pole - dot(pole, line) * line), 0);
  }
}

TEST(HingeLimb, NeverStretchesQuiteStraight) {
  for (float far = 0.8f; far < 2; far += 0.01f) {
    const LimbPose pose = reach(kLeg, {}, {0, -far, 0}, {0, 0, 1}, 0.95f);
    EXPECT_GT(pose.flexion, 0.05f);
    EXPECT_LE(distance(joints_of(kLeg, {}, pose).second, {}), 0.84f);
  }
}

TEST(HingeLimb, StretchesMoreTheFartherTheTarget) {
  float before = 0;
  for (float far = 0.3f; far < 1.2f; far += 0.005f) {
    const float reached = length(joints_of(kLeg, {}, reach(kLeg, {}, {0, -far, 0}, {0, 0, 1}, 0.95f)).second);
    EXPECT_GE(reached, before - 1e-5f);
    before = reached;
  }
}

TEST(HingeLimb, PoleOfAPlacedLimbIsTheOneItWasPlacedWith) {
  const Vec3 line = normalized(Vec3{0.2f, -0.9f, 0.3f}), pole{0, 0, 1};
  const LimbPose pose = reach(kLeg, {}, line * 0.7f, pole, 0.997f);
  const Vec3 across = normalized(pole - dot(pole, line) * line);
  EXPECT_LT(distance(normalized(pole_of(kLeg, pose.upper, line)), across), 1e-4f);
}

}  // namespace
}  // namespace loom::sample
