// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/fit.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::motion {
namespace {

using ::testing::HasSubstr;
using SharedSkeleton = std::shared_ptr<const Skeleton>;

/// The skeleton with every joint and end site changed.
SharedSkeleton changed(
    const Skeleton& skeleton, const std::function<void(Joint&)>& joint_change,
    const std::function<void(EndSite&)>& site_change = [](EndSite&) {}) {
  std::vector<Joint> joints = skeleton.joints();
  std::vector<EndSite> sites = skeleton.end_sites();
  for (Joint& joint : joints) joint_change(joint);
  for (EndSite& site : sites) site_change(site);
  return std::make_shared<Skeleton>(Skeleton::create(std::move(joints), std::move(sites)).value());
}

/// The small person with longer thighs, shorter shins, broader hips and larger feet.
SharedSkeleton other_person() {
  const SharedSkeleton person = testing::small_person();
  const int feet[] = {*person->find("LeftFoot"), *person->find("RightFoot")};
  return changed(
      *person,
      [](Joint& joint) {
        if (joint.name.ends_with("UpLeg")) joint.offset.x *= 1.2f;
        if (joint.name.ends_with("Leg") && !joint.name.ends_with("UpLeg")) joint.offset *= 1.15f;
        if (joint.name.ends_with("Foot")) joint.offset *= 0.9f;
        if (joint.name == "Chest") joint.offset *= 1.1f;
      },
      [&](EndSite& site) {
        if (site.joint == feet[0] || site.joint == feet[1]) site.offset.z *= 1.2f;
      });
}

float turn_from_to(const Clip& a, const Clip& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.rotations.size(); ++i)
    most = std::max(most, angle_between(a.rotations[i], b.rotations[i]));
  return most;
}

TEST(SameBody, RoundingDoesNotCountProportionsDo) {
  const SharedSkeleton person = testing::small_person();
  EXPECT_TRUE(same_body(*person, *changed(*person, [](Joint& joint) { joint.offset.y += 3e-5f; })));
  EXPECT_FALSE(same_body(*person, *changed(*person, [](Joint& joint) { joint.offset.y *= 1.01f; })));
  EXPECT_FALSE(same_body(*person, *changed(
                                      *person, [](Joint&) {}, [](EndSite& site) { site.offset.z += 0.01f; })));
}

TEST(FitObstacle, NamesTheJointThatIsMissing) {
  const Skeleton a = testing::outline_skeleton("Hips{Spine{Head}}"), b = testing::outline_skeleton("Hips{Spine}");
  EXPECT_THAT(fit_obstacle(a, b), HasSubstr("'Head' is missing"));
}

TEST(FitObstacle, NamesTheJointThatHangsElsewhere) {
  const Skeleton a = testing::outline_skeleton("Hips{Spine{Head}}"), b = testing::outline_skeleton("Hips{Spine Head}");
  EXPECT_THAT(fit_obstacle(a, b), HasSubstr("'Head' hangs from"));
}

TEST(FitObstacle, IsATrunkThatPointsAnotherWayAtRest) {
  const SharedSkeleton person = testing::small_person();
  const SharedSkeleton lying = changed(*person, [](Joint& joint) {
    if (joint.name == "Chest") joint.offset = {0, 0, 0.25f};
  });
  EXPECT_THAT(fit_obstacle(*person, *lying), HasSubstr("'Chest' points 90 degrees"));
}

TEST(FitToBody, RefusesWhatCannotBeFittedAndSaysWhy) {
  const Clip clip = testing::random_clip(testing::small_person(), 3, 30, 1);
  const auto body = std::make_shared<const Skeleton>(testing::outline_skeleton("Hips{Spine}"));
  EXPECT_THAT(fit_to_body(clip, body).error().message, HasSubstr("is missing"));
}

TEST(FitToBody, TheSameBodyChangesNothing) {
  const Clip walk = testing::make_gait({}).clip;
  const FittedClip fitted = fit_to_body(walk, walk.skeleton).value();
  EXPECT_EQ(fitted.scale, 1);
  EXPECT_LT(fitted.furthest, 1e-4f);
  EXPECT_LT(turn_from_to(fitted.clip, walk), 2e-3f);
  for (std::size_t f = 0; f < walk.frames(); ++f) EXPECT_LT(distance(fitted.clip.roots[f], walk.roots[f]), 1e-4f);
}

TEST(FitToBody, AGiantWalksAsFarAsItsLegsAreLong) {
  const Clip walk = testing::make_gait({}).clip;
  const auto giant = std::make_shared<const Skeleton>(walk.skeleton->scaled(1.5f));
  const FittedClip fitted = fit_to_body(walk, giant).value();
  EXPECT_NEAR(fitted.scale, 1.5f, 1e-5f);
  const Vec3 way = walk.roots.back() - walk.roots.front(), now = fitted.clip.roots.back() - fitted.clip.roots.front();
  EXPECT_NEAR(now.z, 1.5f * way.z, 1e-3f);
  EXPECT_LT(turn_from_to(fitted.clip, walk), 6 * kDegree);
}

TEST(FitToBody, PlantedFeetStayPutAndOnTheFloor) {
  for (const float slope : {0.0f, 0.01f}) {
    testing::Gait gait;
    gait.slope = slope;
    gait.floor = 0.2f;
    const testing::GaitClip walk = testing::make_gait(gait);
    const FittedClip fitted = fit_to_body(walk.clip, other_person()).value();
    ASSERT_TRUE(fitted.replanted);
    ASSERT_TRUE(validate(fitted.clip));
    const Contacts contacts = find_contacts(walk.clip).value();
    const WorldPoses before = forward_kinematics(walk.clip), after = forward_kinematics(fitted.clip);
    const auto foot = static_cast<std::size_t>(*walk.clip.skeleton->find("LeftFoot"));
    const std::size_t toe = walk.clip.joints() + 3;  // the end site of the left foot
    float lowest = 1e9f;
    for (std::size_t f = 1; f < walk.clip.frames(); ++f) {
      lowest = std::min(lowest, after.position(f, toe).y - before.position(f, toe).y);
      if ((contacts.planted[f - 1] & kLeftToe) == 0 || (contacts.planted[f] & kLeftToe) == 0) continue;
      const Vec3 slid = after.position(f, toe) - after.position(f - 1, toe);
      const Vec3 slid_before = before.position(f, toe) - before.position(f - 1, toe);
      EXPECT_LT(std::hypot(slid.x, slid.z), std::hypot(slid_before.x, slid_before.z) + 5e-4f) << "frame " << f;
      EXPECT_NEAR(after.position(f, toe).y, before.position(f, toe).y, slope == 0 ? 5e-3f : 1.5e-2f) << "frame " << f;
      EXPECT_LT(angle_between(after.rotation(f, foot), before.rotation(f, foot)), 1e-2f) << "frame " << f;
    }
    EXPECT_GT(lowest, -0.03f);
  }
}

TEST(FitToBody, WithoutPlantingFeetWouldSlide) {
  // Shows that the test above tests something: rotations and scaled root alone slide by centimetres a frame.
  const Clip walk = testing::make_gait({}).clip;
  Clip bare = walk;
  bare.skeleton = other_person();
  const Contacts contacts = find_contacts(walk).value();
  EXPECT_GT(measure::measure(bare, contacts).foot_slide_mean_mps,
            5 * measure::measure(fit_to_body(walk, bare.skeleton)->clip, contacts).foot_slide_mean_mps);
}

TEST(FitToBody, MotionStaysSmooth) {
  const Clip walk = testing::make_gait({}).clip;
  const Clip fitted = fit_to_body(walk, other_person())->clip;
  EXPECT_LT(measure::measure(fitted).largest_jump_m, 1.6 * measure::measure(walk).largest_jump_m);
}

TEST(FitToBody, ArmsHeldOutAtRestPointTheSameWayAsArmsHeldDown) {
  const Clip walk = testing::make_gait({}).clip;
  const SharedSkeleton t_pose = changed(*walk.skeleton, [](Joint& joint) {
    const float side = joint.name.starts_with("Left") ? 1.0f : -1.0f;
    if (joint.name.ends_with("ForeArm")) joint.offset = {side * 0.29f, 0, 0};
    if (joint.name.ends_with("Hand")) joint.offset = {side * 0.26f, 0, 0};
  });
  const Clip fitted = fit_to_body(walk, t_pose)->clip;
  const WorldPoses before = forward_kinematics(walk), after = forward_kinematics(fitted);
  for (const char* name : {"LeftForeArm", "LeftHand", "RightForeArm", "RightHand"}) {
    const auto joint = static_cast<std::size_t>(*walk.skeleton->find(name));
    const auto parent = static_cast<std::size_t>(walk.skeleton->joint(joint).parent);
    for (std::size_t f = 0; f < walk.frames(); f += 7) {
      const Vec3 old_bone = before.position(f, joint) - before.position(f, parent);
      const Vec3 new_bone = after.position(f, joint) - after.position(f, parent);
      EXPECT_LT(length(normalized(old_bone) - normalized(new_bone)), 1e-3f) << name << " frame " << f;
    }
  }
}

TEST(FitToBody, JointsMayComeInAnotherOrder) {
  const Skeleton from = testing::outline_skeleton("Hips{A[0 1 0]{B[0 1 0]} C[1 0 0]}");
  const auto to = std::make_shared<const Skeleton>(testing::outline_skeleton("Hips{C[1 0 0] A[0 1 0]{B[0 1 0]}}"));
  const Clip clip = testing::random_clip(std::make_shared<Skeleton>(from), 5, 30, 3);
  const Clip fitted = fit_to_body(clip, to)->clip;
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(fitted.pose(f)[1], clip.pose(f)[3]);  // C
    EXPECT_EQ(fitted.pose(f)[2], clip.pose(f)[1]);  // A
    EXPECT_EQ(fitted.pose(f)[3], clip.pose(f)[2]);  // B
  }
}

TEST(FitToBody, ABodyWithoutLegsIsScaledAlone) {
  const Clip clip = testing::random_clip(testing::random_skeleton(6, 4), 5, 30, 4);
  const FittedClip fitted = fit_to_body(clip, std::make_shared<Skeleton>(clip.skeleton->scaled(2))).value();
  EXPECT_FALSE(fitted.replanted);
  EXPECT_NEAR(fitted.scale, 2, 1e-5f);
  EXPECT_EQ(fitted.clip.rotations, clip.rotations);
  EXPECT_LT(distance(fitted.clip.roots[4], 2.0f * clip.roots[4]), 1e-4f);
}

TEST(FitToBody, KeepsNameRateAndLabels) {
  Clip clip = testing::random_clip(testing::small_person(), 5, 25, 4);
  clip.labels = {{"x", 1, 3}};
  const Clip fitted = fit_to_body(clip, other_person())->clip;
  EXPECT_EQ(fitted.name, clip.name);
  EXPECT_EQ(fitted.rate, 25);
  EXPECT_EQ(fitted.labels, clip.labels);
}

/// Performers with the shortest and longest legs, and the longest shins, on the body of another.
TEST(FitToBodyRealCapture, FeetSlideAndSinkNoMoreThanRecorded) {
  LOOM_REQUIRE_MOCAP();
  const auto read = [](const char* name) {
    return io::read_motion((testing::mocap_folder() / "cmu30" / name).string()).value().front().clip;
  };
  const SharedSkeleton body = read("02_01.bvh").skeleton;
  for (const char* name : {"144_17.bvh", "86_01.bvh", "38_01.bvh", "16_11.bvh", "118_02.bvh", "83_15.bvh"}) {
    const Clip clip = read(name);
    const FittedClip fitted = fit_to_body(clip, body).value();
    const Contacts contacts = find_contacts(clip).value();
    Contacts same_contacts = find_contacts(fitted.clip).value();
    same_contacts.planted = contacts.planted;
    const measure::Measures before = measure::measure(clip, contacts),
                            after = measure::measure(fitted.clip, same_contacts);
    EXPECT_LT(after.foot_slide_mean_mps, 1.03 * before.foot_slide_mean_mps + 0.001) << name;
    EXPECT_LT(after.penetration_max_m, before.penetration_max_m + 0.005) << name;
    EXPECT_LT(after.largest_jump_m, 1.5 * before.largest_jump_m) << name;
    EXPECT_LT(after.jerk_rms, 1.3 * fitted.scale * before.jerk_rms) << name;
  }
}

}  // namespace
}  // namespace loom::motion
