// SPDX-License-Identifier: MIT
// Motion made wrong on purpose is told, and good motion is not.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/measure/body_measures.h>
#include <loom/motion/body.h>
#include <loom/motion/body_volume.h>
#include <loom/motion/hinges.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/soles.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::measure {
namespace {

using testing::Gait;
using testing::make_gait;
using testing::small_person;

Quat& joint_of(motion::Clip& clip, std::size_t frame, const char* name) {
  return clip.pose(frame)[static_cast<std::size_t>(clip.skeleton->find(name).value())];
}

motion::Clip standing(std::size_t frames) {
  const auto person = small_person();
  return {"stand", person, 30, std::vector<Vec3>(frames, Vec3{0, 0.97f, 0}), std::vector<Quat>(frames * person->size()),
          {}};
}

TEST(BodyMeasures, AWalkHasNoneOfTheFaults) {
  const BodyMeasures m = measure_body(make_gait({}).clip);
  EXPECT_TRUE(m.has_feet);
  EXPECT_LT(m.knee_backward_deg, 0.1);
  EXPECT_LT(m.elbow_backward_deg, 0.1);
  EXPECT_EQ(m.foot_reversed_frames, 0u);
  EXPECT_NEAR(m.sole_height_m, 0, 0.005);
  EXPECT_EQ(m.drags_per_minute, 0);
  EXPECT_LT(m.glide_share, 0.05);
  EXPECT_LT(m.self_inside_m, 0.03);
}

TEST(BodyMeasures, AHeadThatIsJerkedIsTold) {
  const motion::Clip still = standing(60);
  EXPECT_NEAR(measure_body(still).head_acceleration_mps2, 0, 1e-3);
  motion::Clip thrown = still;
  for (std::size_t f = 30; f < 60; ++f) thrown.roots[f].x += 0.05f;  // 5 cm within a frame, and it stays there
  const BodyMeasures m = measure_body(thrown);
  EXPECT_TRUE(m.has_head);
  EXPECT_NEAR(m.head_acceleration_mps2, 0.05 * 30 * 30, 0.5);
  EXPECT_TRUE(m.head_acceleration_frame == 29u || m.head_acceleration_frame == 30u) << m.head_acceleration_frame;
  // The same fall at another rate is the same acceleration.
  for (const double rate : {30.0, 60.0, 120.0}) {
    motion::Clip falling = standing(static_cast<std::size_t>(rate));
    falling.rate = rate;
    for (std::size_t f = 0; f < falling.frames(); ++f) {
      const double t = static_cast<double>(f) / rate;
      falling.roots[f].y = static_cast<float>(6 - 0.5 * 9.81 * t * t);
    }
    EXPECT_NEAR(measure_body(falling).head_acceleration_mps2, 9.81, 0.05) << rate;
  }
}

TEST(BodyMeasures, AJointThatIsJerkedIsToldAndAsMuchAtAnyRate) {
  EXPECT_NEAR(measure_body(standing(60)).joint_acceleration_mps2, 0, 1e-3);
  // A body that goes at 3 m/s from one moment on.
  for (const double rate : {30.0, 60.0, 120.0}) {
    const auto frames = static_cast<std::size_t>(2 * rate);
    motion::Clip clip = standing(frames);
    clip.rate = rate;
    for (std::size_t f = 0; f < frames; ++f) {
      clip.roots[f].x += 3 * static_cast<float>(std::max(0.0, static_cast<double>(f) / rate - 1));
    }
    const BodyMeasures m = measure_body(clip);
    EXPECT_NEAR(m.joint_acceleration_mps2, 3 * 30, 0.5) << rate;
    EXPECT_EQ(m.joint_acceleration_frame, frames / 2) << rate;
  }
  motion::Clip kick = standing(60);
  const auto knee = static_cast<std::size_t>(motion::find_body(*kick.skeleton).left_leg.middle);
  for (std::size_t f = 40; f < 60; ++f) kick.pose(f)[knee] = axis_angle({1, 0, 0}, 0.5f) * kick.pose(f)[knee];
  EXPECT_GT(measure_body(kick).joint_acceleration_point, knee) << "what hangs from the knee goes furthest";
}

TEST(BodyMeasures, LocalFramesThatDrawNoPoseAreNoFault) {
  const motion::Clip walk = make_gait({}).clip;
  std::vector<Quat> frames(walk.joints(), axis_angle({0, 0, 1}, 90 * kDegree));  // bones along the local X
  frames[0] = {};
  const motion::Clip turned = testing::with_frames(walk, frames);
  ASSERT_FALSE(motion::stands_at_rest(*turned.skeleton, motion::find_body(*turned.skeleton)));
  const BodyMeasures m = measure_body(turned);
  EXPECT_TRUE(m.has_feet);
  EXPECT_LT(m.knee_backward_deg, 1);
  EXPECT_LT(m.elbow_backward_deg, 1);
  EXPECT_EQ(m.foot_reversed_frames, 0u);
  EXPECT_EQ(m.drags_per_minute, 0);
  EXPECT_EQ(m.self_inside_m, 0) << "nobody knows where its flesh is";
}

TEST(BodyMeasures, AKneeThatBendsForwardIsTold) {
  motion::Clip clip = make_gait({}).clip;
  for (std::size_t f = 50; f < 60; ++f) joint_of(clip, f, "LeftLeg") = axis_angle({1, 0, 0}, -20 * kDegree);
  const BodyMeasures m = measure_body(clip);
  EXPECT_NEAR(m.knee_backward_deg, 20, 0.5);
  EXPECT_EQ(m.knee_backward_frames, 10u);
  EXPECT_GE(m.knee_backward_frame, 50u);
  EXPECT_LT(m.knee_backward_frame, 60u);
  EXPECT_LT(m.elbow_backward_deg, 0.1);
}

TEST(BodyMeasures, AnElbowThatBendsBackwardsIsTold) {
  motion::Clip clip = make_gait({}).clip;
  for (std::size_t f = 20; f < 25; ++f) joint_of(clip, f, "RightForeArm") = axis_angle({1, 0, 0}, 15 * kDegree);
  EXPECT_NEAR(measure_body(clip).elbow_backward_deg, 15, 0.5);
  EXPECT_EQ(measure_body(clip).elbow_backward_frames, 5u);
  EXPECT_EQ(measure_body(clip).elbow_backward_frame, 20u);
}

TEST(BodyMeasures, APlantedFootTurnedRoundIsTold) {
  motion::Clip clip = standing(40);
  for (std::size_t f = 10; f < 16; ++f) joint_of(clip, f, "LeftFoot") = axis_angle({0, 1, 0}, kPi);
  const BodyMeasures m = measure_body(clip);
  EXPECT_EQ(m.foot_reversed_frame, 10u);
  EXPECT_GE(m.foot_reversed_frames, 6u);
  EXPECT_LE(m.foot_reversed_frames, 7u);  // and the frame in which it turns back
}

TEST(BodyMeasures, AFootInTheAirMayPointAnywhere) {
  motion::Clip clip = standing(40);
  for (std::size_t f = 10; f < 30; ++f) {
    joint_of(clip, f, "LeftUpLeg") = axis_angle({1, 0, 0}, -1.2f);
    joint_of(clip, f, "LeftLeg") = axis_angle({1, 0, 0}, 1.2f);
    joint_of(clip, f, "LeftFoot") = axis_angle({0, 1, 0}, f < 20 ? kPi : 0);
  }
  EXPECT_EQ(measure_body(clip).foot_reversed_frames, 0u);
}

TEST(BodyMeasures, SolesAreMeasuredNotJoints) {
  // The toe ends of the small person are at the height 0, and its soles 2 cm below.
  const motion::Clip clip = make_gait({}).clip;
  EXPECT_NEAR(measure_body(clip, {.floor = 0.0f}).sole_height_m, -0.02, 0.004);
  EXPECT_NEAR(measure_body(clip, {.floor = 0.0f}).sole_lowest_m, -0.02, 0.004);
  EXPECT_NEAR(measure_body(clip, {.floor = -0.02f}).sole_height_m, 0, 0.004);
  EXPECT_NEAR(measure_body(clip, {.floor = -0.07f}).sole_height_m, 0.05, 0.004);
}

TEST(BodyMeasures, FeetThatAreNotLiftedDrag) {
  Gait gait;
  gait.lift = 0.001f;
  const BodyMeasures m = measure_body(make_gait(gait).clip);
  // Two steps a cycle, less what the ends of the clip cut off; each goes as far as the body in a cycle.
  EXPECT_GT(m.drags_per_minute, 80);
  EXPECT_LT(m.drags_per_minute, 2 * 60 / gait.cycle + 1);
  EXPECT_NEAR(m.drag_max_m, gait.speed * gait.cycle, 0.15);
}

TEST(BodyMeasures, AStatueThatIsCarriedAlongGlides) {
  motion::Clip clip = standing(60);
  for (std::size_t f = 0; f < clip.frames(); ++f) clip.roots[f].z = static_cast<float>(f) / 30;
  EXPECT_GT(measure_body(clip).glide_share, 0.95);
  EXPECT_EQ(measure_body(standing(60)).glide_share, 0);
  // Who flies does not glide.
  EXPECT_EQ(measure_body(clip, {.floor = -1.0f}).glide_share, 0);
}

TEST(BodyMeasures, FeetCarriedAlongALittleAboveTheFloorGlide) {
  motion::Clip clip = standing(90);
  for (std::size_t f = 30; f < clip.frames(); ++f) {
    clip.roots[f].z = static_cast<float>(f - 30) / 30;
    clip.roots[f].y += 0.035f;
  }
  EXPECT_NEAR(measure_body(clip, {.floor = 0.0f}).glide_share, 60.0 / 90, 0.05);
  // Who jumps falls, and does not glide but near the floor; who is held a little above it the whole way does.
  motion::Clip jump = standing(60);
  for (std::size_t f = 0; f < jump.frames(); ++f) {
    const float t = (static_cast<float>(f) - 30) / 30;
    jump.roots[f].z = 2 * std::clamp(t, -0.2f, 0.2f);
    jump.roots[f].y += std::max(0.0f, 4.9f * (0.04f - t * t));
  }
  const double jumping = measure_body(jump, {.floor = 0.0f}).glide_share;
  for (Vec3& root : jump.roots) root.y = std::min(root.y, clip.roots[0].y + 0.035f);
  EXPECT_LT(jumping, 0.05);
  EXPECT_GT(measure_body(jump, {.floor = 0.0f}).glide_share, 0.15);
}

TEST(BodyMeasures, AnArmThroughTheTrunkIsTold) {
  motion::Clip clip = standing(30);
  EXPECT_LT(measure_body(clip).self_inside_m, 0.03);
  for (std::size_t f = 5; f < 10; ++f) {
    joint_of(clip, f, "LeftForeArm") = axis_angle({0, 0, 1}, -1.4f);  // across, through the belly
  }
  const BodyMeasures m = measure_body(clip);
  EXPECT_GT(m.self_inside_m, 0.08);
  EXPECT_EQ(m.self_inside_frame, 5u);
  EXPECT_NEAR(m.self_inside_share, 5.0 / 30, 0.01);
}

TEST(BodyMeasures, BodiesThatStandInEachOtherAreTold) {
  const motion::Clip one = standing(10);
  motion::Clip other = one;
  EXPECT_GT(measure_collision(one, other)->inside_m, 0.1);
  EXPECT_EQ(measure_collision(one, other)->share, 1);
  for (Vec3& root : other.roots) root.x += 2;
  EXPECT_EQ(measure_collision(one, other)->inside_m, 0);
  for (std::size_t f = 0; f < other.frames(); ++f) other.roots[f].x = f < 5 ? 2.0f : 0.3f;
  EXPECT_EQ(measure_collision(one, other)->share, 0.5);
  EXPECT_EQ(measure_collision(one, other)->frame, 5u);
}

TEST(BodyMeasures, AnythingThatIsNoPersonGivesNothing) {
  const BodyMeasures m = measure_body(testing::random_clip(testing::random_skeleton(6, 3), 20, 30, 1));
  EXPECT_FALSE(m.has_feet);
  EXPECT_EQ(m.self_inside_m, 0);
  for (std::size_t frames = 0; frames < 4; ++frames) {
    EXPECT_TRUE(std::isfinite(measure_body(testing::random_clip(small_person(), frames, 30, 1)).sole_height_m));
  }
}

/// The bend by the plainest reckoning: the angle between the bones, negative where the knee lies behind the leg.
TEST(Hinges, BendIsTheAngleBetweenTheBonesWithItsSign) {
  const auto person = small_person();
  Random random(7);
  motion::Clip clip = standing(60);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    joint_of(clip, f, "LeftUpLeg") = testing::random_rotation(random);
    joint_of(clip, f, "LeftLeg") = axis_angle({1, 0, 0}, static_cast<float>(random.uniform(-0.3, 2.5)));
  }
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const motion::Hinges hinges = motion::find_hinges(*person, poses);
  ASSERT_TRUE(hinges[0].has_value());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const Quat knee = joint_of(clip, f, "LeftLeg");
    const float made = 2 * std::atan2(knee.x, knee.w);
    EXPECT_NEAR(motion::signed_bend(poses, f, *hinges[0]), made, 1e-3f) << f;
  }
}

}  // namespace
}  // namespace loom::measure
