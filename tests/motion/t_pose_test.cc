// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/measure/faults.h>
#include <loom/motion/t_pose.h>

#include "tests/make_walk.h"

namespace loom::motion {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::make_gait;

/// A pose nobody captured: arms out and one foot turned.
std::vector<Quat> made_pose(const Clip& clip) {
  std::vector<Quat> pose(clip.joints());
  for (std::size_t j = 0; j < pose.size(); ++j) pose[j] = axis_angle({0, 0.3f, 1}, j % 2 == 0 ? 1.2f : -1.1f);
  return pose;
}

/// A walk that stands in `pose` in the frames [begin, end).
Clip walk_with(FrameRange frames, const std::vector<Quat>& pose) {
  Clip clip = make_gait({}).clip;
  for (std::size_t f = frames.begin; f < frames.end; ++f) std::copy(pose.begin(), pose.end(), clip.pose(f).begin());
  return clip;
}

std::vector<Quat> rest_of(const Clip& clip) { return std::vector<Quat>(clip.joints()); }

TEST(TPoses, AWalkHasNone) {
  const Clip clip = make_gait({}).clip;
  EXPECT_FALSE(starts_with_t_pose(clip));
  EXPECT_EQ(frames_before_jump(clip), 0u);
  EXPECT_THAT(find_t_poses(clip), IsEmpty());
}

TEST(TPoses, FirstFramesAtRestAreRecognised) {
  const Clip walk = make_gait({}).clip;
  for (const std::size_t frames : {1u, 3u, 7u}) {
    EXPECT_TRUE(starts_with_t_pose(walk_with({0, frames}, rest_of(walk)))) << frames;
  }
}

TEST(TPoses, StretchesAtRestAreFoundWhereverTheyAre) {
  const Clip walk = make_gait({}).clip;
  const std::size_t frames = walk.frames();
  for (const FrameRange stretch :
       {FrameRange{0, 5}, FrameRange{40, 41}, FrameRange{40, 70}, FrameRange{frames - 4, frames}}) {
    EXPECT_THAT(find_t_poses(walk_with(stretch, rest_of(walk))), ElementsAre(stretch)) << stretch.begin;
  }
}

TEST(TPoses, AKnownPoseIsFoundThoughItIsNotAtRest) {
  const Clip walk = make_gait({}).clip;
  const std::vector<Quat> pose = made_pose(walk);
  const Clip clip = walk_with({40, 60}, pose);
  EXPECT_THAT(find_t_poses(clip), IsEmpty());
  EXPECT_THAT(find_t_poses(clip, pose), ElementsAre(FrameRange{40, 60}));
}

TEST(TPoses, AFirstPoseIsJumpedOut) {
  const Clip walk = make_gait({}).clip;
  for (const std::size_t frames : {1u, 4u}) {
    EXPECT_EQ(frames_before_jump(walk_with({0, frames}, made_pose(walk))), frames);
  }
}

TEST(TPoses, JointsThatMoveInOneMomentAloneMakeTheRestNoTPose) {
  const Clip clip = walk_with({50, 53}, made_pose(make_gait({}).clip));
  EXPECT_THAT(find_t_poses(clip), IsEmpty());
}

TEST(TPoses, ARestThatIsComeToAndLeftSlowlyIsMotion) {
  Clip clip = make_gait({}).clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float from_middle = std::abs(static_cast<float>(f) - 60.0f);
    const float share = std::clamp((from_middle - 8) / 25, 0.0f, 1.0f);
    for (Quat& q : clip.pose(f)) q = slerp(Quat{}, q, share);
  }
  EXPECT_THAT(find_t_poses(clip), IsEmpty());
}

TEST(TPoses, AreAFaultOfTheirOwnAndNotManyFlips) {
  const Clip walk = make_gait({}).clip;
  Clip clip = walk_with({40, 60}, rest_of(walk));
  for (std::size_t f = 40; f < 60; ++f) clip.roots[f] = {};  // where nothing was tracked the root is nowhere, too
  const std::vector<measure::Fault> faults = measure::find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, measure::FaultKind::kTPose);
  EXPECT_STREQ(to_string(faults[0].kind), "t-pose");
  EXPECT_THAT(faults[0].frames, ElementsAre(FrameRange{40, 60}));
  EXPECT_FALSE(faults[0].mendable);  // two thirds of a second would have to be invented
  EXPECT_THAT(faults[0].description, HasSubstr("from frame 40 to 59"));
}

TEST(TPoses, ShortOnesAreInterpolatedAndThoseAtTheEndsCutOff) {
  const Clip walk = make_gait({}).clip;
  const std::size_t frames = walk.frames();
  const Clip brief = walk_with({40, 42}, rest_of(walk));
  const Clip mended = measure::mend(brief, measure::find_faults(brief));
  EXPECT_EQ(mended.frames(), frames);
  EXPECT_THAT(measure::find_faults(mended), IsEmpty());
  for (std::size_t j = 0; j < walk.joints(); ++j) EXPECT_LT(angle_between(mended.pose(41)[j], walk.pose(41)[j]), 0.15f);
  const Clip late = walk_with({frames - 20, frames}, rest_of(walk));
  EXPECT_EQ(measure::mend(late, measure::find_faults(late)).frames(), frames - 20);
  const Clip early = walk_with({0, 20}, rest_of(walk));
  const std::vector<measure::Fault> faults = measure::find_faults(early);
  EXPECT_EQ(measure::mend(early, faults).frames(), frames - 20);
  EXPECT_EQ(measure::cut_off_by_mending(faults), 20u);
}

}  // namespace
}  // namespace loom::motion
