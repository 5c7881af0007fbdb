// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>

#include "tests/make_walk.h"

namespace loom::polish {
namespace {

/// The heel turned about the toe, in the upright plane of the foot, by `up` radians.
Vec3 tipped(const FootPlace& place, float up) {
  Vec3 back = place.heel - place.toe;
  back.y = 0;
  return place.toe + rotate(axis_angle(cross(normalized(back), {0, 1, 0}), up), place.heel - place.toe);
}

/// The ankle, which here is the heel, tipped by as few hundredths of a degree as it takes to be within reach.
float least_tip(const FootPlace& place, Vec3 hip, float reach, float most) {
  float up = 0;
  while (up < most && distance(tipped(place, up), hip) > reach) up += 0.01f * kDegree;
  return std::min(up, most);
}

TEST(RaiseHeel, TipsTheFootAsLittleAsBringsTheAnkleWithinReach) {
  Random random(5);
  Foot foot;
  foot.thigh = 0.42f, foot.shank = 0.41f;
  const float reach = 0.997f * 0.83f;
  const auto between = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  int raised = 0;
  for (int round = 0; round < 300; ++round) {
    const float heading = between(-3, 3);
    const Vec3 ahead{std::sin(heading), 0, std::cos(heading)};
    FootPlace place;
    place.toe = {between(-1, 1), 0.02f, between(-1, 1)};
    place.heel = place.toe - ahead * 0.15f + Vec3{0, between(0.03, 0.08), 0};
    const Vec3 hip = place.heel + ahead * between(0, 0.5) + Vec3{between(-0.1, 0.1), between(0.7, 0.85), 0};
    const FootPlace before = place;
    raise_heel(foot, hip, place.heel, 0, place);
    EXPECT_EQ(place.toe, before.toe);
    const Vec3 apart = before.heel - before.toe;
    const float steep = std::asin(apart.y / length(apart));
    const float up = least_tip(before, hip, reach, 60 * kDegree - steep);
    raised += up > 0 ? 1 : 0;
    EXPECT_LT(distance(place.heel, tipped(before, up)), 1e-4f) << round;
  }
  EXPECT_GT(raised, 100);
  EXPECT_LT(raised, 290);
}

TEST(KeepDirection, AFootThatStandsUprightIsTurnedByNoMoreThan50Degrees) {
  Random random(8);
  const auto between = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  const auto angle = [](Vec3 a, Vec3 b) {
    return std::acos(std::clamp(dot(normalized(a), normalized(b)), -1.0f, 1.0f));
  };
  int turned = 0;
  for (int round = 0; round < 300; ++round) {
    const Vec3 own{between(-0.05, 0.05), -0.14f, between(-0.05, 0.05)};
    const Vec3 heel{between(-1, 1), 0.15f, between(-1, 1)};
    FootPlace place{heel, heel + Vec3{between(-0.2, 0.2), between(-0.2, 0.02), between(-0.2, 0.2)}};
    const FootPlace before = place;
    const float share = between(0, 1);
    keep_direction(place, own, share);
    const Vec3 was = before.toe - before.heel, is = place.toe - place.heel;
    EXPECT_LT(angle(is, own), 50.1f * kDegree) << round;
    EXPECT_NEAR(length(is), length(was), 1e-4f) << round;
    // It goes the shortest way: what is taken back and what is left make up the whole angle.
    EXPECT_NEAR(angle(was, is) + angle(is, own), angle(was, own), 2e-3f) << round;
    EXPECT_LT(distance(place.heel, before.heel - (is - was) * share), 1e-5f) << round;
    if (angle(was, own) <= 49.9f * kDegree) {
      EXPECT_LT(distance(is, was), 1e-6f) << round;
    } else {
      ++turned;
    }
  }
  EXPECT_GT(turned, 50);
}

TEST(PlaceFoot, MotionAndPlantingTogetherTurnAFootNoFurtherThanFeetTurn) {
  const motion::Clip walk = testing::make_gait({}).clip;
  const auto feet = find_feet(*walk.skeleton);
  ASSERT_TRUE(feet.has_value());
  const Foot& foot = (*feet)[0];
  ASSERT_TRUE(foot.toes.has_value());
  const auto ankle = static_cast<std::size_t>(foot.leg.end);
  const auto turned_by = [&](float own, float planted) {
    std::vector<Quat> pose(walk.pose(10).begin(), walk.pose(10).end());
    pose[ankle] = axis_angle({0, 1, 0}, own) * pose[ankle];
    const Vec3 root = walk.roots[10];
    const FootPlace now = place_of(*walk.skeleton, foot, root, pose);
    FootPlace wanted = now;
    wanted.toe = now.heel + rotate(axis_angle({0, 1, 0}, planted), now.toe - now.heel);
    place_foot(*walk.skeleton, foot, root, pose, *foot.hinge, now, wanted);
    const auto world = [&](int joint) { return motion::joint_frame(*walk.skeleton, joint, root, pose); };
    const Vec3 shank = normalized(world(foot.leg.end).position - world(foot.leg.middle).position);
    const auto across = [&](Vec3 v) { return normalized(v - shank * dot(v, shank)); };
    const Vec3 natural = across(rotate(world(foot.leg.middle).rotation, *foot.toes));
    return std::acos(dot(natural, across(rotate(world(foot.leg.end).rotation, *foot.toes)))) / kDegree;
  };
  EXPECT_NEAR(turned_by(0, 0), 0, 5);
  EXPECT_NEAR(turned_by(0, 50 * kDegree), 50, 8) << "as wanted";
  EXPECT_NEAR(turned_by(45 * kDegree, 55 * kDegree), 75, 2) << "each alone is allowed";
  EXPECT_NEAR(turned_by(-45 * kDegree, -55 * kDegree), 75, 2);
  EXPECT_GT(turned_by(85 * kDegree, 0), 80) << "the motion itself is left as it is";
}

TEST(LimitTurn, TurnsNoFurtherThanToldAndMovesTheEndThatIsToGiveWay) {
  Random random(6);
  const auto between = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  for (int round = 0; round < 300; ++round) {
    const float was = between(-3, 3), turn = between(-2.5, 2.5), most = between(0.1, 1), share = between(0, 1);
    const auto along = [](float heading) { return Vec3{0.15f * std::sin(heading), 0, 0.15f * std::cos(heading)}; };
    const Vec3 middle{between(-1, 1), between(0, 0.1), between(-1, 1)};
    const Vec3 rise{0, between(-0.05, 0.05), 0};
    FootPlace place{middle, middle + along(was + turn) + rise};
    const FootPlace before = place;
    limit_turn(place, along(was), most, share);
    const Vec3 expected = along(was + std::clamp(turn, -most, most)) + rise;
    EXPECT_LT(distance(place.toe - place.heel, expected), 1e-5f) << round;
    // Both ends share what is taken back.
    const Vec3 back = expected - (before.toe - before.heel);
    EXPECT_LT(distance(place.heel, before.heel - back * share), 1e-5f) << round;
  }
}

TEST(LimitTurn, AShortFootThatLiftsItsHeelDoesNotSpinEither) {
  FootPlace place{{0, 0.06f, 0}, {0, 0, 0.055f}};  // 8 cm long, and 5.5 on the floor
  const Vec3 before = rotate(axis_angle({0, 1, 0}, 70 * kDegree), place.toe - place.heel);
  limit_turn(place, before, 30 * kDegree, 1.0f);
  const Vec3 after = place.toe - place.heel;
  EXPECT_NEAR(std::atan2(after.x, after.z) / kDegree, 40, 0.1);
}

TEST(LimitTurn, AFootThatStandsUprightIsLeftAlone) {
  FootPlace place{{0, 0.2f, 0}, {0.01f, 0.05f, 0}};
  limit_turn(place, {0, 0, 0.15f}, 0.1f, 0.5f);
  EXPECT_EQ(place.toe, (Vec3{0.01f, 0.05f, 0}));
}

TEST(LimitTilt, AFootThatStandsUprightTurnsNoFurtherInSpaceThanTold) {
  const Vec3 before{0.02f, -0.12f, 0.03f};
  for (const float share : {0.0f, 0.4f, 1.0f}) {
    FootPlace place{{0, 0.2f, 0}, {-0.05f, 0.1f, -0.06f}};
    const FootPlace was = place;
    const Vec3 apart = place.toe - place.heel;
    limit_tilt(place, before, 15 * kDegree, share);
    const Vec3 is = place.toe - place.heel;
    const auto angle = [](Vec3 a, Vec3 b) { return std::acos(dot(normalized(a), normalized(b))); };
    ASSERT_GT(angle(apart, before), 40 * kDegree);
    EXPECT_NEAR(angle(is, before), 15 * kDegree, 1e-3f);
    EXPECT_NEAR(angle(is, before) + angle(is, apart), angle(apart, before), 1e-3f) << "on the way there";
    EXPECT_NEAR(length(is), length(apart), 1e-5f);
    EXPECT_LT(distance(place.heel, was.heel - (is - apart) * share), 1e-5f) << "the heel moves its share";
    FootPlace again = place;
    limit_tilt(again, before, 16 * kDegree, share);
    EXPECT_EQ(again.toe, place.toe);
  }
}

TEST(RaiseHeel, ALegThatIsRecordedStraighterMayBeSo) {
  Foot foot;
  foot.thigh = 0.42f, foot.shank = 0.41f;
  FootPlace place{{0, 0.05f, -0.15f}, {0, 0.02f, 0}};
  const FootPlace before = place;
  const Vec3 hip = place.heel + Vec3{0, 0.829f, 0};
  raise_heel(foot, hip, place.heel, 0.8295f, place);
  EXPECT_EQ(place.heel, before.heel);
  raise_heel(foot, hip, place.heel, 0.8f, place);
  EXPECT_GT(place.heel.y, before.heel.y);
}

}  // namespace
}  // namespace loom::polish
