// SPDX-License-Identifier: MIT
// The sample performer jumps, walks backward and reaches as the people of the capture do. The limits are theirs, as
// bench/likeness_bench.cc prints them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/sample/sample.h>

#include "tests/limb_figures.h"

namespace loom::sample {
namespace {

using testing::limb_figures;
using testing::LimbFigures;

/// A sample with all that its limbs do.
struct Shown {
  SampleClip sample;
  motion::WorldPoses poses;
  motion::Body body;

  [[nodiscard]] LimbFigures at(std::size_t frame) const { return limb_figures(poses, frame, body); }
};

std::vector<Shown> shown(const std::vector<std::string>& names) {
  std::vector<Shown> all;
  for (const std::uint64_t seed : {1, 2}) {
    std::vector<SampleClip> take = make_samples({.seed = seed, .rate = 30}, names).value();
    for (SampleClip& made : take) {
      motion::WorldPoses poses = motion::forward_kinematics(made.clip);
      motion::Body body = motion::find_body(*made.clip.skeleton);
      all.push_back({std::move(made), std::move(poses), std::move(body)});
    }
  }
  return all;
}

double larger(const std::array<double, 2>& sides) { return std::max(sides[0], sides[1]); }

/// A body of which the left limbs are held as told, degrees; everything else hangs.
motion::Clip held(float thigh, float knee, float arm, float elbow, float bow) {
  motion::Clip clip;
  clip.skeleton = sample_skeleton();
  clip.rate = 30;
  clip.roots = {{0, 1, 0}};
  clip.rotations.resize(kJointCount);
  const auto about = [](Vec3 axis, float degrees) { return axis_angle(axis, degrees * kDegree); };
  constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
  const auto joints = clip.pose(0);
  joints[kHips] = about(kY, 70);  // whichever way the body faces
  joints[kSpine] = about(kX, bow);
  joints[kLeftUpLeg] = about(kX, -thigh);
  joints[kLeftLeg] = about(kX, knee);
  joints[kLeftArm] = about(kX, -arm - bow) * about(kZ, -90);
  joints[kRightArm] = about(kX, -bow) * about(kZ, 90);
  joints[kLeftForeArm] = about(kY, -elbow);
  return clip;
}

TEST(LimbFigures, AreThoseABodyWasPosedWith) {
  const motion::Clip clip = held(35, 50, -60, 80, 40);
  const motion::Body body = motion::find_body(*clip.skeleton);
  const LimbFigures found = limb_figures(motion::forward_kinematics(clip), 0, body);
  EXPECT_NEAR(found.thigh[0], 35, 0.01);
  EXPECT_NEAR(found.thigh[1], 0, 0.01);
  EXPECT_NEAR(found.knee[0], 50, 0.01);
  EXPECT_NEAR(found.arm[0], -60, 0.01);
  EXPECT_NEAR(found.arm[1], 0, 0.01);
  EXPECT_NEAR(found.elbow[0], 80, 0.01);
  EXPECT_NEAR(found.arm_behind(), 60 - found.trunk, 0.01);
  EXPECT_GT(found.trunk, 25);  // a part of the trunk is below the joint that bows
  EXPECT_LT(found.trunk, 40);
}

TEST(LimbLikeness, LegsHangUnderAJumperAsPeoplesDo) {
  constexpr double kThigh = 34, kKnee = 66;
  for (const Shown& jump : shown({"jump", "jump-family"})) {
    const LimbFigures highest = jump.at(testing::highest_frame(jump.poses, jump.body));
    EXPECT_LE(larger(highest.thigh), kThigh) << jump.sample.clip.name;
    EXPECT_LE(larger(highest.knee), kKnee) << jump.sample.clip.name;
    EXPECT_GE(larger(highest.knee), 20) << jump.sample.clip.name;
  }
}

TEST(LimbLikeness, ReachersFreeArmsStayBesideTheTrunkAsPeoplesDo) {
  constexpr double kBehind = 32;  // people: 28
  for (const Shown& reach : shown({"reach"})) {
    const LimbFigures lowest = reach.at(testing::lowest_frame(reach.poses, reach.body));
    EXPECT_LE(-lowest.trunk - lowest.arm[kLeft], kBehind) << reach.sample.clip.name;
  }
}

TEST(LimbLikeness, KneesStayStraightOnTiptoe) {
  constexpr double kMore = 6;  // degrees than before the reach
  for (const Shown& reach : shown({"reach-19", "reach-20", "reach-21", "reach-22", "reach-23", "reach-24"})) {
    const LimbFigures before = reach.at(0), there = reach.at(*reach.sample.stroke);
    EXPECT_LE(larger(there.knee), larger(before.knee) + kMore) << reach.sample.clip.name;
  }
}

TEST(LimbLikeness, WhoWalksBackwardDoesNotMarch) {
  constexpr double kThigh = 44;  // people: 32
  for (const Shown& walk : shown({"walk-backward"})) {
    for (std::size_t f = 0; f < walk.poses.frames; ++f) {
      ASSERT_LE(larger(walk.at(f).thigh), kThigh) << "frame " << f;
    }
  }
}

}  // namespace
}  // namespace loom::sample
