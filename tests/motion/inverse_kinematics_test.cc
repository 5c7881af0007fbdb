// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"

namespace loom::motion {
namespace {

using testing::outline_skeleton;
using testing::random_rotation;
using testing::random_skeleton;
using testing::small_person;

Vec3 random_direction(Random& random) { return rotate(random_rotation(random), Vec3{1, 0, 0}); }

std::vector<Quat> random_pose(std::size_t joints, Random& random) {
  std::vector<Quat> pose(joints);
  for (Quat& q : pose) q = random_rotation(random);
  return pose;
}

/// Upper, middle and end with a rigid joint between each two, as with twist bones, below a moving parent.
Skeleton limb_with_twist_bones() {
  return outline_skeleton(
      "root{upper[0.1 0.2 0]{twist[0 -0.2 0.02]{middle[0.03 -0.2 0]{roll[0 -0.15 0]{end[0.01 -0.2 0]{"
      "tip[0 0 0.1]}}}}}}");
}
constexpr Limb kTwistLimb{1, 3, 5, 6};

struct LimbCase {
  std::shared_ptr<const Skeleton> skeleton;
  Limb limb;
};

std::vector<LimbCase> limb_cases() {
  const auto person = small_person();
  const Body body = find_body(*person);
  return {{person, body.left_leg},
          {person, body.right_arm},
          {std::make_shared<Skeleton>(limb_with_twist_bones()), kTwistLimb}};
}

struct Lengths {
  float first, second;
};

Lengths bone_lengths(const LimbCase& c, std::span<const Quat> pose) {
  const Vec3 a = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position;
  const Vec3 b = joint_frame(*c.skeleton, c.limb.middle, {}, pose).position;
  const Vec3 e = joint_frame(*c.skeleton, c.limb.end, {}, pose).position;
  return {distance(a, b), distance(b, e)};
}

TEST(SolveTwoBone, ReachesEveryTargetWithinReach) {
  Random random(1);
  for (const LimbCase& c : limb_cases()) {
    for (int round = 0; round < 300; ++round) {
      std::vector<Quat> pose = random_pose(c.skeleton->size(), random);
      const Vec3 root = random_direction(random) * 3;
      const Lengths bones = bone_lengths(c, pose);
      const double least = std::abs(bones.first - bones.second), most = bones.first + bones.second;
      const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, root, pose).position;
      const Vec3 target = start + random_direction(random) * static_cast<float>(random.uniform(least, most));
      const float left = solve_two_bone(*c.skeleton, c.limb, root, pose, target);
      EXPECT_LT(left, 1e-5f);
      EXPECT_LT(distance(joint_frame(*c.skeleton, c.limb.end, root, pose).position, target), 1e-5f);
    }
  }
}

TEST(SolveTwoBone, TurnsOnlyTheThreeJointsAndKeepsTheEndsOrientation) {
  Random random(2);
  for (const LimbCase& c : limb_cases()) {
    const std::vector<Quat> before = random_pose(c.skeleton->size(), random);
    std::vector<Quat> after = before;
    solve_two_bone(*c.skeleton, c.limb, {}, after, {0.2f, -0.3f, 0.1f});
    for (std::size_t j = 0; j < before.size(); ++j) {
      const int joint = static_cast<int>(j);
      if (joint == c.limb.upper || joint == c.limb.middle || joint == c.limb.end) continue;
      EXPECT_EQ(before[j], after[j]) << j;
    }
    const Quat end_before = joint_frame(*c.skeleton, c.limb.end, {}, before).rotation;
    const Quat end_after = joint_frame(*c.skeleton, c.limb.end, {}, after).rotation;
    EXPECT_LT(angle_between(end_before, end_after), 1e-3f);
  }
}

/// The axis of the bend as the middle joint sees it.
Vec3 hinge(const LimbCase& c, std::span<const Quat> pose) {
  const JointFrame a = joint_frame(*c.skeleton, c.limb.upper, {}, pose);
  const JointFrame b = joint_frame(*c.skeleton, c.limb.middle, {}, pose);
  const JointFrame e = joint_frame(*c.skeleton, c.limb.end, {}, pose);
  return rotate(conjugate(b.rotation), normalized(cross(b.position - a.position, e.position - b.position)));
}

TEST(SolveTwoBone, BendsInThePlaneItIsBentIn) {
  Random random(3);
  for (const LimbCase& c : limb_cases()) {
    for (int round = 0; round < 100; ++round) {
      std::vector<Quat> pose = random_pose(c.skeleton->size(), random);
      const Lengths bones = bone_lengths(c, pose);
      const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position;
      const Vec3 before = hinge(c, pose);
      solve_two_bone(*c.skeleton, c.limb, {}, pose,
                     start + random_direction(random) * (0.7f * (bones.first + bones.second)));
      // A pose drawn nearly straight (under 6 degrees) has no plane to keep; there are few.
      EXPECT_GT(dot(before, hinge(c, pose)), 0.99f) << round;
    }
  }
}

/// Brute force: turns the middle joint about its hinge in small steps and keeps the best distance to the target that a
/// swing of the upper joint could then reach.
float least_distance_by_search(const LimbCase& c, const std::vector<Quat>& pose, Vec3 target) {
  const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position;
  const Vec3 axis = hinge(c, pose);
  float least = 1e9f;
  for (int step = 0; step < 2000; ++step) {
    std::vector<Quat> turned = pose;
    Quat& middle = turned[static_cast<std::size_t>(c.limb.middle)];
    middle = middle * axis_angle(axis, 2 * kPi * static_cast<float>(step) / 2000);
    const Vec3 end = joint_frame(*c.skeleton, c.limb.end, {}, turned).position;
    least = std::min(least, std::abs(distance(start, end) - distance(start, target)));
  }
  return least;
}

TEST(SolveTwoBone, ComesAsNearAsSearchingAllAnglesDoes) {
  Random random(4);
  for (const LimbCase& c : limb_cases()) {
    for (int round = 0; round < 10; ++round) {
      std::vector<Quat> pose = random_pose(c.skeleton->size(), random);
      const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position;
      const Vec3 target = start + random_direction(random) * static_cast<float>(random.uniform(0, 1.5));
      const float searched = least_distance_by_search(c, pose, target);
      const float left = solve_two_bone(*c.skeleton, c.limb, {}, pose, target);
      EXPECT_NEAR(left, distance(joint_frame(*c.skeleton, c.limb.end, {}, pose).position, target), 1e-5f);
      EXPECT_LT(left, searched + 1e-5f);
      EXPECT_GT(left, searched - 2e-3f);  // the step of the search
    }
  }
}

TEST(SolveTwoBone, PoleSaysWhereTheKneePoints) {
  Random random(5);
  const auto person = small_person();
  const Limb leg = find_body(*person).left_leg;
  for (int round = 0; round < 100; ++round) {
    std::vector<Quat> pose = random_pose(person->size(), random);
    const Vec3 start = joint_frame(*person, leg.upper, {}, pose).position;
    const Vec3 target = start + random_direction(random) * 0.6f;
    const Vec3 pole = random_direction(random);
    EXPECT_LT(solve_two_bone(*person, leg, {}, pose, target, {pole, 1.0f}), 1e-5f);
    const Vec3 line = normalized(target - start);
    const Vec3 knee = joint_frame(*person, leg.middle, {}, pose).position - start;
    const Vec3 out = normalized(knee - line * dot(knee, line)), wished = normalized(pole - line * dot(pole, line));
    EXPECT_GT(dot(out, wished), 0.999f);
  }
}

TEST(SolveTwoBone, AKneeJustPastStraightIsBentForwardAndTheLegNotTurnedOver) {
  const auto person = small_person();
  const Limb leg = find_body(*person).left_leg;
  const auto at = [](int joint) { return static_cast<std::size_t>(joint); };
  for (const float backward : {1.0f, 3.0f, 6.0f, 20.0f}) {
    std::vector<Quat> pose(person->size());
    pose[at(leg.middle)] = axis_angle({1, 0, 0}, -backward * kDegree);
    const Quat thigh = pose[at(leg.upper)];
    const Vec3 hip = joint_frame(*person, leg.upper, {}, pose).position;
    TwoBoneOptions options;
    options.hinge = Vec3{1, 0, 0};
    options.pole = Vec3{0, 0, 1};
    EXPECT_LT(solve_two_bone(*person, leg, {}, pose, hip + Vec3{0, -0.8f, 0.05f}, options), 1e-4f) << backward;
    EXPECT_LT(angle_between(thigh, pose[at(leg.upper)]), 0.5f) << backward;
    const Quat knee = pose[at(leg.middle)];
    EXPECT_GT(2 * std::atan2(knee.x, knee.w), 0.1f) << backward;
  }
}

TEST(SolveTwoBone, AStraightKneeBendsForwardAndAStraightElbowBackward) {
  const auto person = small_person();
  const Body body = find_body(*person);
  std::vector<Quat> pose(person->size());
  const Vec3 ankle = joint_frame(*person, body.left_leg.end, {}, pose).position;
  const Vec3 wrist = joint_frame(*person, body.left_arm.end, {}, pose).position;
  EXPECT_LT(solve_two_bone(*person, body.left_leg, {}, pose, ankle + Vec3{0, 0.2f, 0}), 1e-5f);
  EXPECT_LT(solve_two_bone(*person, body.left_arm, {}, pose, wrist + Vec3{0, 0.2f, 0}), 1e-5f);
  EXPECT_GT(joint_frame(*person, body.left_leg.middle, {}, pose).position.z, 0.1f);
  EXPECT_LT(joint_frame(*person, body.left_arm.middle, {}, pose).position.z, -0.1f);
}

TEST(SolveTwoBone, MovesSmoothlyThroughStraightAndFolded) {
  const auto person = small_person();
  const Limb leg = find_body(*person).left_leg;
  std::vector<Quat> pose(person->size());
  const Vec3 hip = joint_frame(*person, leg.upper, {}, pose).position;
  // Out to beyond full reach and back to the hip itself, a millimetre a step.
  Vec3 knee_before = joint_frame(*person, leg.middle, {}, pose).position;
  for (int step = 0; step < 1700; ++step) {
    const float d = 0.001f * static_cast<float>(step < 850 ? step : 1700 - step) + 0.005f;
    const Vec3 target = hip + normalized(Vec3{0.1f, -1, 0.2f}) * d;
    ASSERT_TRUE(is_finite(joint_frame(*person, leg.end, {}, pose).position));
    solve_two_bone(*person, leg, {}, pose, target);
    const Vec3 knee = joint_frame(*person, leg.middle, {}, pose).position;
    if (step > 0) {
      EXPECT_LT(distance(knee, knee_before), 0.06f) << d;
    }
    knee_before = knee;
  }
}

TEST(SolveTwoBone, SofteningNeverStretchesTheKneeStraight) {
  const auto person = small_person();
  const Limb leg = find_body(*person).left_leg;
  float before = 0;
  for (const float d : {0.5f, 0.7f, 0.75f, 0.8f, 0.84f, 0.9f, 1.0f, 1.05f}) {
    std::vector<Quat> pose(person->size());
    const Vec3 hip = joint_frame(*person, leg.upper, {}, pose).position;
    const float left = solve_two_bone(*person, leg, {}, pose, hip + Vec3{0, -d, 0}, {{}, 0.9f});
    const float reach = distance(hip, joint_frame(*person, leg.end, {}, pose).position);
    EXPECT_GT(reach, before);  // farther targets still stretch it a little more
    EXPECT_LT(reach, 0.84f);   // but never to its full length
    EXPECT_NEAR(left, d - reach, 1e-4f);
    if (d <= 0.9f * 0.84f) {
      EXPECT_LT(left, 1e-5f);
    }
    before = reach;
  }
}

TEST(SolveTwoBone, ComesAsStraightAsItIsLetWhereverItIsSoftened) {
  Random random(7);
  for (const LimbCase& c : limb_cases()) {
    for (int round = 0; round < 200; ++round) {
      const std::vector<Quat> pose = random_pose(c.skeleton->size(), random);
      const Lengths bones = bone_lengths(c, pose);
      const float full = bones.first + bones.second;
      const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position, way = random_direction(random);
      const auto reach = [&](float share, const TwoBoneOptions& options) {
        std::vector<Quat> solved = pose;
        solve_two_bone(*c.skeleton, c.limb, {}, solved, start + way * (share * full), options);
        return distance(start, joint_frame(*c.skeleton, c.limb.end, {}, solved).position) / full;
      };
      const auto wanted = static_cast<float>(random.uniform(0.93, 1.05));
      const auto straight_to = static_cast<float>(random.uniform(0.9, 1.0));
      const float softened = reach(wanted, {.pole = {}, .soften_from = 0.95f});
      const float is = reach(wanted, {.pole = {}, .soften_from = 0.95f, .straight_to = straight_to});
      EXPECT_NEAR(is, std::max(softened, std::min(wanted, straight_to)), 1e-4f);
    }
  }
}

TEST(SolveTwoBone, FoldsNoFurtherThanTold) {
  Random random(8);
  for (const LimbCase& c : limb_cases()) {
    for (int round = 0; round < 200; ++round) {
      std::vector<Quat> pose = random_pose(c.skeleton->size(), random);
      const Lengths bones = bone_lengths(c, pose);
      const auto most = static_cast<float>(random.uniform(2.0, 2.9));
      const float least = length(Vec3{bones.first + bones.second * std::cos(most), bones.second * std::sin(most), 0});
      const Vec3 start = joint_frame(*c.skeleton, c.limb.upper, {}, pose).position;
      const auto apart = static_cast<float>(random.uniform(0.02, 2.0)) * least;
      const Vec3 target = start + random_direction(random) * std::min(apart, bones.first + bones.second);
      const float left = solve_two_bone(*c.skeleton, c.limb, {}, pose, target, {.pole = {}, .most_bent = most});
      EXPECT_NEAR(left, std::max(0.0f, least - apart), 1e-4f);
      EXPECT_NEAR(distance(start, joint_frame(*c.skeleton, c.limb.end, {}, pose).position),
                  std::max(least, distance(start, target)), 1e-4f);
    }
  }
}

TEST(JointFrame, IsWhatForwardKinematicsGives) {
  Random random(6);
  const auto skeleton = random_skeleton(40, 6);
  const std::vector<Quat> pose = random_pose(skeleton->size(), random);
  std::vector<Vec3> positions(skeleton->point_count());
  std::vector<Quat> world(skeleton->size());
  const Vec3 root{1, 2, 3};
  forward_kinematics(*skeleton, root, pose, positions, world);
  for (std::size_t j = 0; j < skeleton->size(); ++j) {
    const JointFrame frame = joint_frame(*skeleton, static_cast<int>(j), root, pose);
    EXPECT_LT(distance(frame.position, positions[j]), 1e-5f);
    EXPECT_LT(angle_between(frame.rotation, world[j]), 2e-3f);
  }
}

}  // namespace
}  // namespace loom::motion
