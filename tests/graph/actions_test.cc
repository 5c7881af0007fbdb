// SPDX-License-Identifier: MIT
// Actions are performed from beginning to end, states shown for a while; which is which, and by what path.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/graph/actions.h>
#include <loom/graph/keys.h>
#include <loom/take/take_set.h>

#include "tests/graph/random_graph.h"
#include "tests/make_walk.h"

namespace loom::graph {
namespace {

using ::testing::HasSubstr;
using testing::random_graph;

/// A graph of clips that are all nodes, with their motion.
struct SmallLibrary {
  MotionGraph graph;
  take::TakeSet motion;

  void add(motion::Clip clip, std::vector<motion::Label> labels) {
    motion.skeleton = clip.skeleton;
    GraphClip entry;
    entry.name = "clip" + std::to_string(graph.clips.size());
    entry.frames = static_cast<std::uint32_t>(clip.frames());
    entry.labels = std::move(labels);
    graph.add_run(static_cast<std::uint32_t>(graph.clips.size()), 0, entry.frames);
    graph.clips.push_back(entry);
    graph.first.assign(graph.nodes() + 1, 0);
    motion.clips.push_back(std::move(clip));
  }
};

motion::Clip gait(double seconds, double speed = 1.2) {
  testing::Gait made;
  made.seconds = seconds;
  made.speed = speed;
  return testing::make_gait(made).clip;
}

/// The first pose of a gait held; with `rise`, the body goes up and comes down once in the middle half of the clip.
motion::Clip stand(double seconds, float rise = 0) {
  motion::Clip clip = gait(seconds);
  const motion::Clip first = clip;
  const auto frames = static_cast<float>(clip.frames());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    std::copy(first.pose(0).begin(), first.pose(0).end(), clip.pose(f).begin());
    const float t = std::clamp((static_cast<float>(f) / frames - 0.25f) * 2, 0.0f, 1.0f);
    clip.roots[f] = first.roots[0] + Vec3{0, rise * std::sin(kPi * t), 0};
  }
  return clip;
}

TEST(Manner, WalkingAndStandingGoOnJumpingDoesNot) {
  SmallLibrary library;
  library.add(gait(3), {{"walk", 0, 91}});
  library.add(stand(2), {{"idle", 0, 61}});
  library.add(stand(3, 0.5f), {{"jump", 0, 91}});
  const auto manner = [&](const char* label) { return manner_of(library.graph, library.motion, label); };
  EXPECT_EQ(manner("walk"), Manner::kState);
  EXPECT_EQ(manner("idle"), Manner::kState);
  EXPECT_EQ(manner("jump"), Manner::kAction);
}

TEST(Manner, AWalkThatTurnsOnceOrStopsIsNoSteadyWalk) {
  motion::Clip turning = gait(4), stopping = gait(4);
  ASSERT_TRUE(is_steady(turning, 0, turning.frames()));
  // A quarter turn within a second.
  const Vec3 corner = turning.roots[60];
  for (std::size_t f = 45; f < turning.frames(); ++f) {
    const float angle = kPi / 2 * std::min(1.0f, static_cast<float>(f - 45) / 30);
    const Quat turn = axis_angle({0, 1, 0}, angle);
    turning.roots[f] = corner + rotate(turn, turning.roots[f] - corner);
    turning.pose(f)[0] = turn * turning.pose(f)[0];
  }
  EXPECT_FALSE(is_steady(turning, 0, turning.frames()));
  for (std::size_t f = 60; f < stopping.frames(); ++f) stopping.roots[f] = stopping.roots[60];
  EXPECT_FALSE(is_steady(stopping, 0, stopping.frames()));
}

TEST(Manner, WhatSomebodyMarkedInsideAClipIsAnAction) {
  SmallLibrary library;
  library.add(gait(4), {{"walk", 0, 121}, {"salute", 20, 80}});
  EXPECT_EQ(manner_of(library.graph, library.motion, "salute"), Manner::kAction);
  EXPECT_EQ(manner_of(library.graph, library.motion, "walk"), Manner::kState);
}

TEST(Manner, ATakeOfTwoNamesTellsAboutTheRarerOne) {
  // Three takes in which somebody also jumps do not make an action of walking.
  SmallLibrary library;
  library.add(gait(3), {{"walk", 0, 91}});
  for (int i = 0; i < 3; ++i) library.add(stand(3, 0.5f), {{"walk", 0, 91}, {"jump", 0, 91}});
  EXPECT_EQ(manner_of(library.graph, library.motion, "walk"), Manner::kState);
  EXPECT_EQ(manner_of(library.graph, library.motion, "jump"), Manner::kAction);
}

TEST(Manner, WhatGoesOnForLongIsAState) {
  SmallLibrary library;
  library.add(testing::random_clip(testing::small_person(), 600, 30, 4), {{"dance", 0, 600}});
  library.add(testing::random_clip(testing::small_person(), 90, 30, 5), {{"throw", 0, 90}});
  EXPECT_EQ(manner_of(library.graph, library.motion, "dance"), Manner::kState);
  EXPECT_EQ(manner_of(library.graph, library.motion, "throw"), Manner::kAction);
  EXPECT_EQ(manner_of(library.graph, library.motion, "unknown"), Manner::kState);
}

TEST(LivelyNodes, AreThoseThatDoNotRest) {
  // Six seconds of which the first three and the last one and a half rest.
  SmallLibrary library;
  motion::Clip clip = stand(12);
  for (std::size_t f = 180; f < 270; ++f) clip.roots[f].y += 0.3f * std::sin(static_cast<float>(f));
  library.add(std::move(clip), {{"box", 0, 361}});
  const std::vector<Node> nodes = lively_nodes(library.graph, library.motion, "box");
  ASSERT_FALSE(nodes.empty());
  EXPECT_GE(nodes.front(), 160u);
  EXPECT_LE(nodes.back(), 290u);
  EXPECT_GE(nodes.size(), 90u);
}

TEST(LivelyNodes, AreNotThoseThatStandJustBeforeAndAfter) {
  // Somebody stands for two seconds, walks for two and stands again: a take that is called walking as a whole.
  SmallLibrary library;
  motion::Clip clip = gait(6);
  const motion::Clip walking = clip;
  const auto frames = clip.frames();
  ASSERT_EQ(frames, 181u);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t from = std::clamp<std::size_t>(f, 60, 120);
    std::copy(walking.pose(from).begin(), walking.pose(from).end(), clip.pose(f).begin());
    clip.roots[f] = walking.roots[from];
  }
  library.add(std::move(clip), {{"walk", 0, 181}});
  const std::vector<Node> nodes = lively_nodes(library.graph, library.motion, "walk");
  ASSERT_FALSE(nodes.empty());
  EXPECT_GE(nodes.front(), 58u);
  EXPECT_LE(nodes.back(), 122u);
  EXPECT_GE(nodes.size(), 57u);
}

TEST(LivelyNodes, AreNotStillPiecesBetweenRecordings) {
  // Motion between recordings that stands, of takes that are called walking and begin with standing.
  SmallLibrary library;
  library.add(gait(3), {{"walk", 0, 91}});
  library.add(stand(1), {{"walk", 0, 31}});
  library.graph.clips[1].mix = take::Mix{};
  const std::vector<Node> nodes = lively_nodes(library.graph, library.motion, "walk");
  EXPECT_EQ(nodes.size(), 91u);
  EXPECT_EQ(nodes.back(), 90u);
}

TEST(Performances, ReachFromOneEndOfTheRangeToTheOther) {
  SmallLibrary library;
  library.add(stand(3, 0.5f), {{"jump", 20, 70}});
  const Performances found = performances_of(library.graph, library.motion, "jump");
  ASSERT_EQ(found.list.size(), 1u);
  EXPECT_TRUE(found.whole);
  const Performance& p = found.list[0];
  EXPECT_EQ(p.enter_first, 20u);
  EXPECT_EQ(p.enter_last, 25u) << "a tenth of 50 frames";
  EXPECT_EQ(p.leave_first, 64u);
  EXPECT_EQ(p.leave_last, 69u);
  EXPECT_EQ(p.missed(library.graph, 22, 66), 2u + 3u);
}

TEST(Performances, OfAPrunedTakeAreTheBestThatIsLeft) {
  SmallLibrary library;
  for (int i = 0; i < 2; ++i) library.add(stand(4, 0.5f), {{"jump", 0, 121}});
  // Of the first only standing is lost, of the second half of the jump.
  MotionGraph& graph = library.graph;
  graph.runs.clear();
  graph.run_of.clear();
  graph.add_run(0, 20, 100);
  graph.add_run(1, 60, 121);
  graph.first.assign(graph.nodes() + 1, 0);
  Performances found = performances_of(graph, library.motion, "jump");
  ASSERT_EQ(found.list.size(), 1u);
  EXPECT_TRUE(found.whole);
  EXPECT_EQ(found.list[0].range.clip, 0u);
  EXPECT_EQ(found.list[0].enter_first, 0u);
  EXPECT_EQ(found.list[0].enter_last, 0u) << "pruning took more than may be missing already";
  EXPECT_EQ(parse_key(graph, library.motion, "jump")->note, "");

  graph.clips[0].labels.clear();
  found = performances_of(graph, library.motion, "jump");
  ASSERT_EQ(found.list.size(), 1u);
  EXPECT_FALSE(found.whole);
  EXPECT_NEAR(found.list[0].lost_share, 0.5, 0.05);
  EXPECT_THAT(parse_key(graph, library.motion, "jump")->note, HasSubstr("pruning took 50 %"));
}

TEST(ParseKey, TakesALabelAsItIsMeantOrAsItIsSaid) {
  SmallLibrary library;
  library.add(gait(3), {{"walk", 0, 91}});
  library.add(stand(3, 0.5f), {{"jump", 10, 80}});
  const auto key = [&](const char* text) { return parse_key(library.graph, library.motion, text).value(); };
  EXPECT_EQ(key("jump").actions.size(), 1u);
  EXPECT_EQ(key("jump!").actions.size(), 1u);
  EXPECT_TRUE(key("jump@1").actions.empty());
  EXPECT_EQ(key("jump@1").stay_seconds, 1);
  EXPECT_EQ(key("jump@0").stay_seconds, 0);
  EXPECT_TRUE(key("walk").actions.empty());
  EXPECT_EQ(key("walk").stay_seconds, kStateSeconds);
  EXPECT_TRUE(key("walk").or_less);
  EXPECT_EQ(key("walk!").actions.size(), 1u);
  EXPECT_FALSE(key("walk@2").or_less);
  EXPECT_FALSE(parse_key(library.graph, library.motion, "run!"));
}

double step_cost(const MotionGraph& graph, Node from, Node to, const PathCost& cost) {
  double least = graph.goes_on(from) && to == from + 1 ? cost.frame : std::numeric_limits<double>::infinity();
  for (const Transition& t : graph.transitions_of(from)) {
    if (t.to != to) continue;
    least = std::min(least, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
  }
  return least;
}

/// Cheapest costs from every node to every other over one step at least, by Floyd and Warshall.
std::vector<std::vector<double>> all_costs(const MotionGraph& graph, const PathCost& cost) {
  const std::size_t n = graph.nodes();
  std::vector<std::vector<double>> d(n, std::vector<double>(n));
  for (Node i = 0; i < n; ++i) {
    for (Node j = 0; j < n; ++j) d[i][j] = step_cost(graph, i, j, cost);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

/// What a key costs, by all pairs of where it is begun and where it is ended.
std::vector<std::tuple<Node, Node, double>> ways_to_do(const MotionGraph& graph, const Key& key, const PathCost& cost) {
  std::vector<std::tuple<Node, Node, double>> ways;
  for (const Node n : key.nodes) {
    if (key.actions.empty()) ways.emplace_back(n, n, 0);
  }
  for (const Performance& p : key.actions) {
    for (Node enter = p.enter_first; enter <= p.enter_last; ++enter) {
      for (Node leave = std::max(enter, p.leave_first); leave <= p.leave_last; ++leave) {
        double missing = 0;  // frame by frame
        for (std::uint32_t f = p.range.begin; f < p.range.end; ++f) {
          if (f < graph.frame_of(enter) || f > graph.frame_of(leave)) missing += cost.missed;
        }
        ways.emplace_back(enter, leave, missing + cost.frame * (leave - enter));
      }
    }
  }
  return ways;
}

double cheapest_by_all_pairs(const MotionGraph& graph, const std::vector<Key>& keys, const PathCost& cost) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const auto between = all_costs(graph, cost);
  std::vector<double> now(graph.nodes(), kFar);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool step = k > 0 && !keys[k].actions.empty() && !keys[k - 1].actions.empty();
    std::vector<double> later(graph.nodes(), kFar);
    for (const auto& [enter, leave, doing] : ways_to_do(graph, keys[k], cost)) {
      double come = k == 0 ? 0 : kFar;
      for (Node from = 0; k > 0 && from < graph.nodes(); ++from) {
        come = std::min(come, now[from] + (from == enter && !step ? 0 : between[from][enter]));
      }
      later[leave] = std::min(later[leave], come + doing);
    }
    now = later;
  }
  return *std::min_element(now.begin(), now.end());
}

double cost_of(const MotionGraph& graph, const std::vector<Key>& keys, const KeyedPath& path, const PathCost& cost) {
  double total = 0;
  for (std::size_t i = 1; i < path.nodes.size(); ++i) {
    total += step_cost(graph, path.nodes[i - 1], path.nodes[i], cost);
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k].actions.empty()) continue;
    const Node enter = path.nodes[path.visits[k].begin], leave = path.nodes[path.visits[k].end - 1];
    double missed = std::numeric_limits<double>::infinity();
    for (const Performance& p : keys[k].actions) {
      if (enter < p.enter_first || enter > p.enter_last || leave < p.leave_first || leave > p.leave_last) continue;
      missed = std::min(missed, cost.missed * p.missed(graph, enter, leave));
    }
    total += missed;
  }
  return total;
}

/// Ranges of random clips, some pruned, as actions with some room at their ends.
std::vector<Performance> random_actions(const MotionGraph& graph, Random& random) {
  std::vector<Performance> actions;
  for (int i = 0; i < 3; ++i) {
    const auto c = static_cast<std::uint32_t>(random.index(graph.clips.size()));
    const Run& run = graph.runs_of(c).front();
    const std::uint32_t count = run.frames();
    if (count == 0) continue;
    const auto begin = static_cast<std::uint32_t>(random.index(count));
    const auto length = 1 + static_cast<std::uint32_t>(random.index(count - begin));
    const auto room = static_cast<std::uint32_t>(random.index(length));
    const Node first = run.first_node + begin, last = first + length - 1;
    const std::uint32_t lost =
        static_cast<std::uint32_t>(random.index(2)) * std::min<std::uint32_t>(2, run.begin + begin);
    actions.push_back(
        {{c, run.begin + begin - lost, run.begin + begin + length}, first, first + room, last - room, last, 0});
  }
  return actions;
}

TEST(FindPath, PerformsActionsByTheCheapestPathOfAll) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MotionGraph graph = random_graph(5, 15, 40, seed);
    if (graph.nodes() < 6) continue;
    Random random(seed + 500);
    std::vector<Key> keys;
    for (int k = 0; k < 4; ++k) {
      Key key{"key", {}, 0, false, {}, {}};
      if (random.index(3) > 0) key.actions = random_actions(graph, random);
      if (key.actions.empty()) key.nodes = {static_cast<Node>(random.index(graph.nodes()))};
      keys.push_back(key);
    }
    if (random.index(2) == 0) keys[2] = keys[1];  // the same again
    PathCost cost;
    cost.missed = random.uniform(0, 5);
    const auto path = find_path(graph, keys, cost).value();
    const double expected = cheapest_by_all_pairs(graph, keys, cost);
    EXPECT_NEAR(cost_of(graph, keys, path, cost), expected, 1e-6) << seed;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const KeyVisit visit = path.visits[k];
      ASSERT_LT(visit.begin, visit.end);
      ASSERT_LE(visit.end, path.nodes.size());
      EXPECT_TRUE(k == 0 || visit.begin + 1 >= path.visits[k - 1].end) << "one after the other";
      for (std::size_t i = visit.begin + 1; i < visit.end; ++i) {
        EXPECT_EQ(path.nodes[i], path.nodes[i - 1] + 1) << "an action is played without a change of clip";
      }
    }
    ++checked;
  }
  EXPECT_GT(checked, 40);
}

TEST(FindPath, ThreeTimesTheSameActionIsThreePerformances) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MotionGraph graph = random_graph(5, 15, 40, seed);
    if (graph.nodes() < 6) continue;
    const Node n = static_cast<Node>(graph.nodes() / 2);
    Key pose{"stroke", {}, 0, false, {}, {}};  // of a single frame
    const std::uint32_t frame = graph.frame_of(n);
    pose.actions = {{{graph.clip_of(n), frame, frame + 1}, n, n, n, n, 0}};
    const Key keys[] = {pose, pose, pose};
    const auto path = find_path(graph, keys).value();
    EXPECT_EQ(std::count(path.nodes.begin(), path.nodes.end(), n), 3) << seed;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

TEST(FindPath, StaysLessLongWhereItMayAndMust) {
  int shorter = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const MotionGraph graph = random_graph(6, 20, 20, seed);
    const auto a = graph.nodes_labelled("a");
    if (a.empty()) continue;
    Key key{"a", a, 3, false, {}, {}};
    const Key strict[] = {key};
    key.or_less = true;
    const Key lenient[] = {key};
    const auto long_enough = find_path(graph, strict);
    const auto path = find_path(graph, lenient);
    ASSERT_TRUE(path) << path.error().message;
    if (long_enough) {
      EXPECT_EQ(path->nodes, long_enough->nodes);
      continue;
    }
    const auto seconds = static_cast<double>(path->nodes.size() - 1) / graph.rate;
    EXPECT_THAT(long_enough.error().message, HasSubstr(fmt::format("for {:.2f} s, not", seconds)));
    ++shorter;
  }
  EXPECT_GT(shorter, 0);
}

}  // namespace
}  // namespace loom::graph
