// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/compare/frame_set.h>
#include <loom/compare/frame_stances.h>
#include <loom/compare/joint_weights.h>
#include <loom/motion/kinematics.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::random_clip;
using testing::small_person;

TEST(FrameSet, LaysClipsOutOneAfterTheOther) {
  const auto skeleton = small_person();
  const motion::Clip clips[] = {random_clip(skeleton, 4, 30, 1), random_clip(skeleton, 7, 30, 2)};
  const FrameSet set = make_frame_set(clips).value();
  ASSERT_EQ(set.frames(), 11u);
  EXPECT_EQ(set.clips(), 2u);
  for (std::size_t f = 0; f < 11; ++f) {
    const FrameAddress at = set.address(f);
    EXPECT_EQ(at.clip, f < 4 ? 0u : 1u);
    EXPECT_EQ(set.frame_at(at), f);
    const auto poses = motion::forward_kinematics(clips[at.clip]);
    for (std::size_t j = 0; j < set.joints(); ++j) {
      EXPECT_EQ(set.position(f, j), poses.position(at.frame, j));
      EXPECT_EQ(set.rotation(f, j), clips[at.clip].pose(at.frame)[j]);
    }
  }
}

TEST(FrameSet, NamesWhatDoesNotFit) {
  EXPECT_FALSE(make_frame_set({}));
  const motion::Clip good = random_clip(small_person(), 5, 30, 3);
  motion::Clip bad = good;
  bad.name = "odd";
  bad.rate = 60;
  const motion::Clip rates[] = {good, bad};
  EXPECT_NE(make_frame_set(rates).error().message.find("'odd' has 60 Hz"), std::string::npos);
  bad = random_clip(testing::random_skeleton(5, 1), 5, 30, 4);
  const motion::Clip bodies[] = {good, bad};
  EXPECT_NE(make_frame_set(bodies).error().message.find("different bodies"), std::string::npos);
  bad = good;
  bad.roots[2].x = std::nanf("");
  const motion::Clip broken[] = {good, bad};
  EXPECT_FALSE(make_frame_set(broken));
}

TEST(FrameStances, FollowTheClipsOneAfterTheOther) {
  const auto skeleton = small_person();
  motion::Clip standing = random_clip(skeleton, 40, 30, 5);
  for (Vec3& root : standing.roots) root = {0, 0.97f, 0};
  std::fill(standing.rotations.begin(), standing.rotations.end(), Quat{});
  const motion::Clip clips[] = {standing, random_clip(skeleton, 30, 30, 6), standing};
  const auto stances = frame_stances(clips).value();
  ASSERT_EQ(stances.size(), 110u);
  EXPECT_EQ(stances[20], motion::Stance::kDouble);
  EXPECT_EQ(stances[90], motion::Stance::kDouble);
  const motion::Clip footless[] = {random_clip(testing::random_skeleton(5, 1), 30, 30, 7)};
  EXPECT_FALSE(frame_stances(footless));
}

TEST(JointWeights, HipsAndShouldersCountMostAndBothSidesAlike) {
  const auto skeleton = small_person();
  const JointWeights weights = wang_bodenheimer_weights(*skeleton);
  const auto of = [&](const char* name) { return weights[static_cast<std::size_t>(skeleton->find(name).value())]; };
  EXPECT_EQ(of("LeftUpLeg"), 1.0f);
  EXPECT_EQ(of("RightUpLeg"), 1.0f);
  EXPECT_EQ(of("LeftLeg"), 0.0901f);
  EXPECT_EQ(of("RightArm"), 0.7884f);
  EXPECT_EQ(of("LeftForeArm"), of("RightForeArm"));
  EXPECT_EQ(of("Head"), 0.0f);
}

TEST(JointWeights, MarkersStandWhereTheTurnedBoneEnds) {
  const auto skeleton = small_person();
  const JointWeights weights = marker_weights(*skeleton);
  const auto of = [&](const char* name) { return weights[static_cast<std::size_t>(skeleton->find(name).value())]; };
  EXPECT_EQ(of("LeftLeg"), 1.0f);
  EXPECT_EQ(of("RightFoot"), 0.0901f);
  EXPECT_EQ(of("RightForeArm"), 0.7884f);
  EXPECT_EQ(of("LeftUpLeg"), 0.0f);
}

TEST(JointWeights, UniformOnABodyThatIsNotRecognised) {
  const auto skeleton = testing::random_skeleton(6, 2);
  EXPECT_EQ(wang_bodenheimer_weights(*skeleton), uniform_weights(*skeleton));
  EXPECT_EQ(marker_weights(*skeleton), uniform_weights(*skeleton));
}

}  // namespace
}  // namespace loom::compare
