// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <queue>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/memory.h>
#include <loom/plan/walk_plan.h>
#include <loom/plan/walk_search.h>
#include <loom/world/world.h>

#include "tests/graph/gliders.h"

namespace loom::plan {
namespace {

using graph::Node;
using motion::GroundFrame;
using ::testing::HasSubstr;

world::World read(const std::string& text) {
  auto world = world::parse_world(text, "w");
  EXPECT_TRUE(world) << world.error().to_string();
  return *world;
}

const UnrolledGraph& gliders() {
  static const UnrolledGraph made = [] {
    const auto g = testing::make_gliders();
    auto unrolled = unroll(g.graph, g.motion);
    EXPECT_TRUE(unrolled) << unrolled.error().to_string();
    return *unrolled;
  }();
  return made;
}

/// Everything a search needs of a world.
struct Setting {
  world::World world;
  world::FloorField field;
  world::GoalDistance distance;
  WalkSearch search;

  Setting(const std::string& text, const WalkEnd& start, const WalkEnd& goal)
      : world(read(text)),
        field(*world::FloorField::create(world)),
        distance(field, goal.at, 0.1, start.at, 10),
        search(gliders(), field, distance) {}
};

struct Step {
  Node node = 0;
  GroundFrame world;
  int since = 0;  ///< frames since the last transition
};

/// The least frames from a start to a goal, one frame at a time and nothing left out: Dijkstra's algorithm, plain
/// because every step costs one. Gives the way, too.
std::vector<Step> slow_way(const Setting& setting, const SearchOptions& options, Node start_node, const WalkEnd& start,
                           const WalkEnd& goal) {
  const UnrolledGraph& u = gliders();
  const graph::MotionGraph& graph = *u.graph;
  const int forced = 8;  // a quarter of a second
  std::vector<Step> steps;
  std::vector<std::size_t> parents;
  std::set<std::tuple<Node, int, long, long, long>> seen;
  const auto add = [&](const Step& step, std::size_t parent) {
    if (!setting.search.clear(step.node, step.world, options)) return;
    const GroundFrame at = step.world * u.frame[step.node];
    const auto key = std::tuple{step.node, std::min(step.since, forced), std::lround(at.x * 1e4f),
                                std::lround(at.z * 1e4f), std::lround(at.heading * 1e4f)};
    if (!seen.insert(key).second) return;
    steps.push_back(step);
    parents.push_back(parent);
  };
  const GroundFrame place{static_cast<float>(start.at.x), static_cast<float>(start.at.z),
                          static_cast<float>(*start.heading)};
  add({start_node, place * inverse(u.frame[start_node]), forced}, 0);
  for (std::size_t i = 0; i < steps.size() && steps.size() < 3000000; ++i) {
    const Step here = steps[i];
    const GroundFrame at = here.world * u.frame[here.node];
    const bool there =
        std::hypot(static_cast<double>(at.x) - goal.at.x, static_cast<double>(at.z) - goal.at.z) <=
            options.goal_radius &&
        (!goal.heading || std::fabs(static_cast<double>(wrap_angle(static_cast<float>(*goal.heading) - at.heading))) <=
                              options.goal_turn);
    if (there) {
      std::vector<Step> way{here};
      for (std::size_t k = i; k != 0; k = parents[k]) way.push_back(steps[parents[k]]);
      std::reverse(way.begin(), way.end());
      return way;
    }
    if (graph.goes_on(here.node)) add({here.node + 1, here.world, here.since + 1}, i);
    if (here.since < forced && graph.goes_on(here.node)) continue;
    for (const graph::Transition& t : graph.transitions_of(here.node)) add({t.to, here.world * t.alignment, 0}, i);
  }
  return {};
}

SearchOptions exact() {
  SearchOptions options;
  options.cell = options.turn_cell = 0;
  options.scout = false;
  options.bound = 1;
  options.seconds = 60;
  options.start_node = 5;
  return options;
}

constexpr const char* kWall = "ground -3 -3 6 6\nbox wall at 0.45 0.9 size 0.3 0.3 to 2\n";

TEST(WalkSearch, FindsWhatDijkstraFinds) {
  const std::vector<std::pair<std::string, WalkEnd>> problems = {
      {"ground -3 -3 6 6\n", {{0, 1.63}, {}}},
      {"ground -3 -3 6 6\n", {{0.6, 1.3}, {}}},
      {"ground -3 -3 6 6\n", {{0.3, 1.4}, 0.5}},
      {kWall, {{-0.1, 1.5}, {}}},
  };
  const WalkEnd start{{0, 0}, 0.0};
  for (const auto& [text, goal] : problems) {
    Setting setting(text, start, goal);
    const SearchOptions options = exact();
    const auto way = slow_way(setting, options, *options.start_node, start, goal);
    ASSERT_FALSE(way.empty());
    const auto found = setting.search.find(start, goal, options);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->walk);
    EXPECT_NEAR(found->cost * 30, static_cast<double>(way.size() - 1), 1e-3);
    EXPECT_EQ(found->walk->nodes.size(), way.size());
    EXPECT_NEAR(found->bound, 1, 1e-6);
    // Of every state on the best way the heuristic says no more than is left of it.
    for (std::size_t i = 0; i < way.size(); ++i) {
      EXPECT_LE(30 * setting.search.seconds_left(way[i].node, way[i].world, goal, options),
                static_cast<double>(way.size() - 1 - i) + 1e-3);
    }
    // What is told on the way to it is true at every moment.
    SearchOptions early = options;
    early.bound = 1;
    early.scout = true;
    const auto told = setting.search.find(start, goal, early);
    for (const SearchStep& step : told->steps)
      EXPECT_LE(step.cost, step.bound * static_cast<double>(way.size() - 1) / 30 + 1e-6);
    for (const double bound : {3.0, 1.5, 1.1}) {
      SearchOptions loose = options;
      loose.bound = bound;
      const auto answer = setting.search.find(start, goal, loose);
      EXPECT_LE(answer->cost * 30, answer->bound * static_cast<double>(way.size() - 1) + 1e-3);
      EXPECT_LE(answer->bound, bound + 1e-3);
      EXPECT_LE(answer->least * 30, static_cast<double>(way.size() - 1) + 1e-3);
    }
  }
}

TEST(WalkSearch, EndsWhereItsFirstAnswerIsRefusedAndKeepsWhatWasAccepted) {
  const WalkEnd start{{0, 0}, 0.0}, goal{{0.6, 1.3}, {}};
  Setting setting("ground -3 -3 6 6\n", start, goal);
  SearchOptions options = exact();
  options.scout = true;
  const auto refused = setting.search.find(start, goal, options, {}, [](const FoundWalk&) { return false; });
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->walk);
  ASSERT_TRUE(refused->refused);
  int tried = 0;
  const auto first = setting.search.find(start, goal, options, {}, [&](const FoundWalk&) { return ++tried == 1; });
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->walk);
  EXPECT_GE(tried, 1);
  EXPECT_NEAR(first->cost * 30, static_cast<double>(first->walk->nodes.size() - 1), 1e-3)
      << "the cost told is that of the walk that was accepted";
  EXPECT_LE(first->cost, first->bound * first->least + 1e-6);
}

TEST(WalkSearch, StopsByTheClockItIsGiven) {
  const WalkEnd start{{0, 0}, 0.0}, goal{{0, 5.5}, 3.0};
  Setting setting("ground -3 -3 6 6\n", start, goal);
  SearchOptions options = exact();
  options.seconds = 2;
  double now = 100;
  options.clock = [&] { return now += 0.5; };
  const auto found = setting.search.find(start, goal, options);
  ASSERT_TRUE(found);
  EXPECT_LE(found->expanded, 64u * 8);
}

TEST(WalkSearch, KeepsNoMoreStatesThanThereIsMemoryFor) {
  const WalkEnd start{{0, 0}, 0.0}, goal{{2.5, 2.5}, {}};
  Setting setting("ground -3 -3 6 6\n", start, goal);
  SearchOptions options = exact();
  options.seconds = 1;
  const auto free = setting.search.find(start, goal, options);
  const MemoryLimit limit(1);
  const auto tight = setting.search.find(start, goal, options);
  ASSERT_TRUE(free && tight);
  EXPECT_GT(free->expanded, 1000u);
  EXPECT_LE(tight->expanded, 64u);
}

TEST(WalkSearch, StaysWithinItsCorridor) {
  const WalkEnd start{{0, 0}, 0.0}, goal{{0, 4}, {}};
  Setting setting("ground -3 -3 6 6\nbox wall at 0 2 size 2 0.2 to 2\n", start, goal);
  const world::GoalDistance from_start(setting.field, start.at, 0.1, goal.at, 10);
  setting.search.set_from_start(from_start);
  SearchOptions options = exact();
  options.cell = 0.1;
  options.turn_cell = 0.2;
  options.bound = 5;
  options.corridor = 2.5;
  const auto found = setting.search.find(start, goal, options);
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->walk);
  const float shortest = setting.distance.at_least(0, 0);
  GroundFrame world = found->walk->world;
  for (std::size_t i = 0; i < found->walk->nodes.size(); ++i) {
    const Node n = found->walk->nodes[i];
    if (i > 0 && !(n == found->walk->nodes[i - 1] + 1 && gliders().graph->goes_on(n - 1))) {
      for (const graph::Transition& t : gliders().graph->transitions_of(found->walk->nodes[i - 1]))
        if (t.to == n) world = world * t.alignment;
    }
    const GroundFrame at = world * gliders().frame[n];
    const double x = static_cast<double>(at.x), z = static_cast<double>(at.z);
    // Between two states that are looked at nobody gets farther than in eight frames.
    EXPECT_LE(from_start.at_least(x, z) + setting.distance.at_least(x, z), shortest + 2.5f + 0.6f);
  }
}

TEST(WalkSearch, TellsWhoLooksOnAndEndsWhenThatIsEnough) {
  const WalkEnd start{{0, 0}, 0.0}, goal{{0.6, 1.3}, {}};
  Setting setting("ground -3 -3 6 6\n", start, goal);
  SearchOptions options = exact();
  const auto alone = setting.search.find(start, goal, options).value();
  std::size_t looked = 0, better = 0;
  bool enough = false;
  SearchWatch watch;
  watch.looked = [&](world::Point from, world::Point to) {
    ++looked;
    EXPECT_LT(std::hypot(to.x - from.x, to.z - from.z), 3) << "a step of the search, not a leap";
  };
  watch.better = [&](const SearchStep& step) {
    EXPECT_GE(step.bound, 1 - 1e-6);
    ++better;
  };
  watch.enough = [&] { return enough; };
  options.watch = &watch;
  const auto watched = setting.search.find(start, goal, options).value();
  EXPECT_EQ(looked, watched.expanded);
  EXPECT_EQ(better, watched.steps.size());
  EXPECT_EQ(watched.walk->nodes, alone.walk->nodes) << "looking on changes nothing";
  enough = true;
  const auto ended = setting.search.find(start, goal, options).value();
  EXPECT_LE(ended.expanded, 64U) << "and not one more round";
  EXPECT_FALSE(ended.exhausted);
}

constexpr const char* kRoom = R"(ground -2 -2 10 10
box wall at 4 4 size 6 0.3 to 2.5
cylinder pole at 7 7 radius 0.3 to 2.5
)";

TEST(PlanWalk, EndsAtTheGoalAndTouchesNothing) {
  const world::World world = read(kRoom);
  WalkPlanOptions options;
  options.search.seconds = 4;
  for (const WalkEnd& goal : {WalkEnd{{4, 7}, 1.2}, WalkEnd{{8.5, 3}, {}}, WalkEnd{{0, 8}, -2.0}}) {
    const auto plan = plan_walk(gliders(), world, {{4, 1}, 0.0}, goal, options);
    ASSERT_TRUE(plan) << plan.error().to_string();
    EXPECT_LT(plan->end_error_m, 0.05);
    EXPECT_LT(plan->end_error_rad, 5 * 3.1416 / 180);
    EXPECT_EQ(plan->collisions, 0u);
    EXPECT_GE(plan->length_m, plan->floor_m - 0.3);
    EXPECT_TRUE(find_collisions(plan->recording->clip, world)->empty());
    auto stream = plan->stream();
    const auto again = motion::record(*stream, 1000);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->clip.frames(), plan->recording->clip.frames());
  }
}

TEST(PlanWalk, WhatMovesIsInTheWayOnlyWhereItIs) {
  // A wall across the whole floor, away before anybody comes to it; and the same that stays.
  const std::string wall = "ground 0 0 8 8\nbox wall at 4 4 size 7.9 0.3 to 2\n";
  WalkPlanOptions options;
  options.search.seconds = 4;
  const world::World away = read(wall + "path wall: 0 4 4, 0.2 4 4, 0.4 40 4\n");
  const auto plan = plan_walk(gliders(), away, {{4, 1}, 0.0}, {{4, 7}, {}}, options);
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_TRUE(find_collisions(plan->recording->clip, away)->empty());
  EXPECT_FALSE(plan_walk(gliders(), read(wall), {{4, 1}, 0.0}, {{4, 7}, {}}, options));
  const world::World stays = read(wall + "path wall: 0 4 4, 100 4 4\n");
  const auto none = plan_walk(gliders(), stays, {{4, 1}, 0.0}, {{4, 7}, {}}, options);
  EXPECT_FALSE(none) << "it moves by its file, and stands";
  EXPECT_LT(plan->search.seconds, 4.5);
}

TEST(PlanWalk, TheCheckSeesBodiesInWalls) {
  const auto g = testing::make_gliders();
  motion::Clip clip = g.motion->clips[0];  // begins at (2, -1) and goes a way along z
  const auto world = read("ground -9 -9 9 9\nbox wall at 2.3 0 size 1 0.2 to 2\n");
  const auto touched = find_collisions(clip, world);
  ASSERT_TRUE(touched);
  EXPECT_FALSE(touched->empty());
  EXPECT_TRUE(find_collisions(clip, read("ground -9 -9 9 9\nbox wall at 7 0 size 1 0.2 to 2\n"))->empty());
}

std::string refusal(const std::string& text, const WalkEnd& start, const WalkEnd& goal) {
  WalkPlanOptions options;
  options.search.seconds = 1;
  const auto plan = plan_walk(gliders(), read(text), start, goal, options);
  return plan ? "" : plan.error().message;
}

TEST(PlanWalk, SaysWhatIsWrong) {
  const double nan = std::nan("");
  EXPECT_THAT(refusal(kRoom, {{4, 4}, {}}, {{0, 0}, {}}), HasSubstr("the start (4.00, 4.00) is in 'wall'"));
  EXPECT_THAT(refusal(kRoom, {{0, 0}, {}}, {{7, 7}, {}}), HasSubstr("is in 'pole', which reaches from 0.00 to 2.50"));
  EXPECT_THAT(refusal(kRoom, {{0, 0}, {}}, {{20, 7}, {}}), HasSubstr("no floor at the goal"));
  EXPECT_THAT(refusal(kRoom, {{nan, 0}, {}}, {{0, 7}, {}}), HasSubstr("no finite place"));
  EXPECT_THAT(refusal("ground 0 0 8 8\nbox shut at 4 4 size 8 0.3 to 2\n", {{4, 1}, {}}, {{4, 7}, {}}),
              HasSubstr("'shut' closes it"));
  EXPECT_THAT(
      refusal("ground 0 0 8 8\nbox bar at 4 4 size 8 0.1 from 1.2 to 1.4 asks duck\n", {{4, 1}, {}}, {{4, 7}, {}}),
      HasSubstr("asks to duck at 'bar'"));
  EXPECT_THAT(refusal("ground 0 0 8 8\nbox log at 4 4 size 8 0.1 to 0.5 asks step\n", {{4, 1}, {}}, {{4, 7}, {}}),
              HasSubstr("it is 0.50 m high, and nobody lifts a foot higher"));
  const std::string slit = "ground 0 0 8 8\nbox a at 1.925 4 size 3.85 1 to 2\nbox b at 6.075 4 size 3.85 1 to 2\n";
  EXPECT_THAT(refusal(slit, {{4, 1}, {}}, {{4, 7}, {}}), HasSubstr("m wide at (4.0, "));
  EXPECT_THAT(refusal("ground 0 0 3 8\nground 4 0 8 8\n", {{1, 1}, {}}, {{6, 7}, {}}), HasSubstr("the ground ends"));
}

}  // namespace
}  // namespace loom::plan
