// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/measure/measure.h>
#include <loom/plan/placement.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>

#include "tests/plan/sample_reaches.h"
#include "tests/plan/sample_steps.h"

namespace loom::plan {
namespace {

using ::testing::HasSubstr;
using testing::reaches;

world::World room_with(const std::string& things) {
  return world::parse_world("world room\nground -4 -4 4 4\n" + things, "room.world").value();
}

blend::JointTarget thing_at(float x, float y, float z) {
  blend::JointTarget target;
  target.joint = reaches().family.family->joint;
  target.point = {x, y, z};
  return target;
}

std::vector<Candidate> places(const world::World& world, const blend::JointTarget& target,
                              std::vector<Observer> observers, const PlacementOptions& options = {}) {
  auto collision = world::Collision::create(world).value();
  return place_around(*reaches().space, world, collision, {&target, 1}, observers, options).value();
}

TEST(Placement, AnglesAreThoseOfTheWork) {
  // Huang 2012, appendix 11.1, worked out by hand.
  EXPECT_NEAR(placement_angles(0).beta, -6.062, 1e-9);
  EXPECT_NEAR(placement_angles(0).theta, 11.29, 1e-9);
  EXPECT_NEAR(placement_angles(0).phi, 2.073, 1e-9);
  EXPECT_NEAR(placement_angles(100).beta, 2.392 + 3.056 + 11.45 - 6.062, 1e-9);
  EXPECT_NEAR(placement_angles(100).theta, 6.228 + 32.67 + 11.29, 1e-9);
  EXPECT_NEAR(placement_angles(-100).phi, 6.673 - 67.36 + 2.073, 1e-9);
}

TEST(Placement, InAnEmptyRoomAllThatReachIsFreeAndSeen) {
  const auto candidates = places(room_with(""), thing_at(0, 1.1f, 0), {{{0, 2}}});
  ASSERT_EQ(candidates.size(), 72u);
  EXPECT_EQ(candidates.front().why, Rejected::kNot);
  for (const Candidate& candidate : candidates) {
    EXPECT_EQ(candidate.why, Rejected::kNot);
    EXPECT_DOUBLE_EQ(candidate.clearance, 1);
    EXPECT_NEAR(std::hypot(candidate.stand.x, candidate.stand.z), candidate.distance, 1e-4);
  }
}

TEST(Placement, NobodyStandsInATableNorBehindAWall) {
  const auto candidates =
      places(room_with("box table at 0 0.4 size 1.6 0.6 to 0.9\nbox wall at 0 2 size 8 0.1 to 2.5\n"),
             thing_at(0, 1.1f, 0), {{{0, 1}}});
  std::size_t touching = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.why != Rejected::kTouches) continue;
    ++touching;
    EXPECT_LT(candidate.obstacle, 2u);
  }
  EXPECT_GT(touching, 5u);
  const auto hidden = places(room_with("box wall at 0 1 size 8 0.1 to 2.5\n"), thing_at(0, 1.1f, 0), {{{0, 2}}});
  for (const Candidate& candidate : hidden) EXPECT_NE(candidate.why, Rejected::kNot);
}

TEST(Placement, WhatHasAFrontIsUsedFromThere) {
  PlacementOptions options;
  options.front = 0;  // by somebody who faces +Z
  for (const Candidate& candidate : places(room_with(""), thing_at(0, 1.1f, 0), {{{0, 2}}}, options)) {
    if (candidate.why != Rejected::kNot) continue;
    EXPECT_LT(candidate.stand.z, 0.01f);
  }
}

TEST(ShowPlan, MeetsTheTargetAndLooksAtTheObserver) {
  const world::World world = room_with("box table at 0 0 size 1.4 0.7 from 0.7 to 0.75\n");
  auto collision = world::Collision::create(world).value();
  const auto target = thing_at(0.2f, 0.95f, -0.15f);
  const std::vector<Observer> observers = {{{0, 2}}};
  const auto plan = plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers);
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_LT(plan->action.hand_error_m, 0.005);
  EXPECT_TRUE(find_collisions(plan->action.blended.clip, world).value().empty());
  EXPECT_LT(plan->sight_off_deg, 15);
  EXPECT_EQ(plan->looks.front().at, Look::At::kTarget);
  EXPECT_TRUE(std::any_of(plan->looks.begin(), plan->looks.end(),
                          [](const Look& look) { return look.at == Look::At::kObserver; }));
  EXPECT_GT(plan->action.blended.clip.duration(), 2.5) << "the hand is held";
}

TEST(ShowPlan, WalksUpAndLooksAtFloorTargetAndObserver) {
  const world::World world =
      room_with("box table at 0 0 size 1.4 0.7 from 0.7 to 0.75\ncylinder plant at 1.5 -1.5 radius 0.3 to 1.2\n");
  auto collision = world::Collision::create(world).value();
  const auto target = thing_at(0.2f, 0.95f, -0.15f);
  const std::vector<Observer> observers = {{{0, 2}}};
  auto approacher = Approacher::create(testing::sample_steps(), world).value();
  const motion::GroundFrame start{-2.5f, -2.5f, 2};
  const auto plan =
      plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers, {}, &approacher, start);
  ASSERT_TRUE(plan) << plan.error().to_string();
  const motion::Clip& clip = plan->action.blended.clip;
  EXPECT_LT(plan->action.hand_error_m, 0.005);
  EXPECT_TRUE(find_collisions(clip, world).value().empty());
  ASSERT_TRUE(plan->approach);
  EXPECT_LT(plan->approach->stop_error_m, 0.01);
  EXPECT_LT(std::hypot(clip.roots[0].x - start.x, clip.roots[0].z - start.z), 0.1f);
  EXPECT_GE(plan->transition.seconds, 0.33);
  EXPECT_LE(plan->transition.seconds, 1.4);
  std::vector<Look::At> order;
  for (const Look& look : plan->looks) order.push_back(look.at);
  ASSERT_GE(order.size(), 3u);
  EXPECT_EQ(order[0], Look::At::kFloor);
  EXPECT_EQ(order[1], Look::At::kTarget);
  EXPECT_EQ(order[2], Look::At::kObserver);
  const measure::Measures measures = measure::measure(clip, plan->action.blended.contacts);
  EXPECT_LT(measures.foot_slide_max_mps, 0.25);
  EXPECT_LT(measures.largest_jump_m, 0.09) << measures.largest_jump_frame;
}

TEST(ShowPlan, SeveralObserversAreLookedAtInTurnAndAllOfThemSee) {
  const world::World world = room_with("box screen at 0.9 1 size 0.1 1.2 to 2.2\n");
  const auto target = thing_at(0, 1.1f, 0);
  const std::vector<Observer> both = {{{-1, 2}}, {{2.5, 1}}};
  const double best = places(world, target, {both[0]}).front().clearance;
  for (const Candidate& candidate : places(world, target, both)) {
    if (candidate.why != Rejected::kNot) continue;
    EXPECT_LE(candidate.clearance, best) << "the worst-placed counts";
  }
  const world::World empty = room_with("");
  auto nothing = world::Collision::create(empty).value();
  const std::vector<Observer> two = {{{-1, 2}}, {{1, 2}}};
  const auto plan = plan_show(*reaches().space, *reaches().maker, empty, nothing, {&target, 1}, two);
  ASSERT_TRUE(plan) << plan.error().to_string();
  for (const std::size_t observer : {0u, 1u}) {
    EXPECT_TRUE(std::any_of(plan->looks.begin(), plan->looks.end(), [&](const Look& look) {
      return look.at == Look::At::kObserver && look.observer == observer;
    })) << observer;
  }
}

TEST(ShowPlan, StopsWhenAsked) {
  const world::World world = room_with("");
  auto collision = world::Collision::create(world).value();
  const auto target = thing_at(0, 1.1f, 0);
  const std::vector<Observer> observers = {{{0, 2}}};
  const auto plan = plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers, {},
                              nullptr, {}, Progress([](double, std::string_view) { return false; }));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::kStopped);
}

TEST(ShowPlan, SaysWhatIsInTheWayAndTheNearestPossible) {
  const world::World world = room_with("box wall at 0 1 size 8 0.4 to 2.5\n");
  auto collision = world::Collision::create(world).value();
  const auto shown = [&](const blend::JointTarget& target, const std::vector<Observer>& observers) {
    return plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers);
  };
  const auto unseen = shown(thing_at(0, 1.1f, 0), {{{0, 2}}});
  ASSERT_FALSE(unseen);
  EXPECT_THAT(unseen.error().message, HasSubstr("unseen ('wall')"));
  EXPECT_THAT(unseen.error().message, HasSubstr("would see the target"));
  const auto onlooker = nearest_onlooker(world, collision, {0, 1.1f, 0}, {{0, 2}});
  ASSERT_TRUE(onlooker);
  EXPECT_LT(onlooker->at.z, 0.65) << "before the wall, not in it";
  const auto inside = shown(thing_at(0, 1.1f, 1), {{{0, -2}}});
  ASSERT_FALSE(inside);
  EXPECT_THAT(inside.error().message, HasSubstr("is inside 'wall'; the nearest place outside is"));
  const auto high = shown(thing_at(0, 2.6f, -1), {{{0, -3}}});
  ASSERT_FALSE(high);
  EXPECT_THAT(high.error().message, HasSubstr("the nearest that a hand gets is"));
  const auto nobody = shown(thing_at(0, 1.1f, 0), {});
  ASSERT_FALSE(nobody);
  EXPECT_THAT(nobody.error().message, HasSubstr("nobody looks on"));
}

TEST(ShowPlan, AClosedWorldIsSaidToBe) {
  const world::World world = room_with("box wall at 0 -2 size 8 0.2 to 2.5\n");
  auto collision = world::Collision::create(world).value();
  auto approacher = Approacher::create(testing::sample_steps(), world).value();
  const auto target = thing_at(0, 1.1f, 0);
  const std::vector<Observer> observers = {{{0, 2}}};
  const auto plan = plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers, {},
                              &approacher, {0, -3, 0});
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("'wall' closes it"));
  const auto stand = approacher.nearest_stand({0, 0}, world::Point{0, -3});
  ASSERT_TRUE(stand);
  EXPECT_LT(stand->z, -2.1) << "on this side of the wall";
  EXPECT_GT(stand->z, -2.6) << "and close to it";
  EXPECT_THAT(plan.error().message, HasSubstr(fmt::format("on foot is {:.2f},{:.2f}", stand->x, stand->z)));
  const auto free = approacher.nearest_stand({0, 0});
  ASSERT_TRUE(free);
  EXPECT_NEAR(std::hypot(free->x, free->z), 0, 0.1) << "without a walk the wall is nothing";
}

TEST(ShowPlan, AStartWhereNobodyStandsIsNamed) {
  const world::World world = room_with("box wall at 0 -2 size 8 0.4 to 2.5\n");
  auto collision = world::Collision::create(world).value();
  auto approacher = Approacher::create(testing::sample_steps(), world).value();
  const auto target = thing_at(0, 1.1f, 0);
  const std::vector<Observer> observers = {{{0, 2}}};
  const auto from = [&](float x, float z) {
    return plan_show(*reaches().space, *reaches().maker, world, collision, {&target, 1}, observers, {}, &approacher,
                     {x, z, 0})
        .error()
        .message;
  };
  EXPECT_THAT(from(0, -2), HasSubstr("the start (0.00, -2.00) is in 'wall'; the nearest place to stand is"));
  EXPECT_THAT(from(9, 9), HasSubstr("there is no floor at the start (9.00, 9.00); the nearest place to stand is 3."));
}

TEST(ShowPlan, AnObserverOutOfViewIsTurnedToBeforeTheStroke) {
  const std::vector<double> ahead = {10}, behind = {150};
  EXPECT_GT(looks_around(0, 1, 4, ahead)[1].seconds, 1);
  EXPECT_LT(looks_around(0, 1, 4, behind)[1].seconds, 1);
  EXPECT_EQ(looks_around(2, 3, 6, ahead)[0].at, Look::At::kFloor);
}

}  // namespace
}  // namespace loom::plan
