// SPDX-License-Identifier: MIT
// Searches that could run away: long stays, wide beams, measures of large graphs.
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/graph/follow.h>
#include <loom/graph/measures.h>
#include <loom/graph/stay.h>

#include "tests/graph/gliders.h"
#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using ::testing::HasSubstr;
using testing::random_graph;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What each node costs after so many frames within `nodes`, spelled out.
std::vector<double> slow_stay(const MotionGraph& graph, std::span<const Node> nodes, std::vector<double> cost,
                              std::size_t frames, const PathCost& weights) {
  std::map<Node, std::size_t> place;
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<double> later(nodes.size(), kNever);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto go = [&](Node to, double step) {
        if (place.contains(to)) later[place[to]] = std::min(later[place[to]], cost[i] + step);
      };
      if (graph.goes_on(nodes[i])) go(nodes[i] + 1, weights.frame);
      for (const Transition& t : graph.transitions_of(nodes[i])) {
        go(t.to, weights.frame + weights.change + weights.roughness * static_cast<double>(t.cost));
      }
    }
    cost = later;
  }
  return cost;
}

double cost_of(const MotionGraph& graph, std::span<const Node> way, const PathCost& weights) {
  double sum = 0;
  for (std::size_t i = 1; i < way.size(); ++i) {
    double step = graph.goes_on(way[i - 1]) && way[i] == way[i - 1] + 1 ? weights.frame : kNever;
    for (const Transition& t : graph.transitions_of(way[i - 1])) {
      if (t.to != way[i]) continue;
      step = std::min(step, weights.frame + weights.change + weights.roughness * static_cast<double>(t.cost));
    }
    sum += step;
  }
  return sum;
}

TEST(Stay, IsTheCheapestOfItsLengthAndNeverLeaves) {
  const PathCost weights;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MotionGraph graph = random_graph(6, 20, 90, seed);
    const std::vector<Node> nodes = graph.nodes_labelled("a");
    if (nodes.size() < 3) continue;
    for (const std::size_t frames : {1u, 2u, 7u, 50u, 333u}) {
      std::vector<double> cost(nodes.size(), kNever), expected;
      cost[1] = 0.5;
      cost[2] = 0;
      expected = slow_stay(graph, nodes, cost, frames, weights);
      const double cheapest = *std::min_element(expected.begin(), expected.end());
      Stay stay(graph, nodes, weights);
      const std::vector<double> begin = cost;
      const std::size_t gone = stay.run(cost, frames, {});
      ASSERT_EQ(gone == frames, cheapest < kNever) << seed;
      if (gone < frames) continue;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (expected[i] < kNever) {
          EXPECT_NEAR(cost[i], expected[i], 1e-9 * expected[i]);
        } else {
          EXPECT_EQ(cost[i], kNever);
        }
      }
      const auto end = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
      const std::vector<Node> way = stay.way_to(end);
      ASSERT_EQ(way.size(), frames + 1);
      EXPECT_EQ(way.back(), nodes[end]);
      for (const Node n : way) EXPECT_TRUE(std::binary_search(nodes.begin(), nodes.end(), n));
      EXPECT_NEAR(cost_of(graph, way, weights) + (way.front() == nodes[1] ? 0.5 : 0), cheapest, 1e-9 * cheapest);
    }
  }
}

TEST(Stay, AnHourTakesLittleMoreMemoryThanWhatIsMadeOfIt) {
  const MotionGraph graph = random_graph(40, 600, 3000, 3);
  const std::vector<Node> nodes = graph.nodes_labelled("a");
  ASSERT_GT(nodes.size(), 2000u);
  const Stay stay(graph, nodes, {});
  const std::size_t hour = 3600 * 30;
  EXPECT_LT(stay.bytes(hour) / static_cast<double>(hour), 508) << "bytes a frame; a frame of motion has 508";
  EXPECT_LT(stay.bytes(4 * hour), 2.1 * stay.bytes(hour)) << "it grows with the root of the time";
}

TEST(Stay, AnHourIsFoundWithinTheMemoryItIsSaidToTake) {
  const MotionGraph graph = random_graph(6, 20, 90, 2);
  const auto key = parse_key(graph, {}, "a@3600");
  ASSERT_TRUE(key) << key.error().message;
  const Key keys[] = {*key};
  const auto path = find_path(graph, keys);
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(path->nodes.size(), 108001u);
  const MemoryLimit limit(1);
  const auto refused = find_path(graph, keys);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("stay less long"));
}

TEST(Stay, CanBeStopped) {
  const MotionGraph graph = random_graph(6, 20, 90, 2);
  const Key keys[] = {*parse_key(graph, {}, "a@3600")};
  int told = 0;
  EXPECT_FALSE(find_path(graph, keys, {}, Progress([&](double, std::string_view) { return ++told < 5; })));
  EXPECT_EQ(told, 5);
}

FloorPath wave() {
  FloorPath path;
  for (int i = 0; i <= 60; ++i) {
    const auto t = static_cast<float>(i) / 60;
    path.points.push_back({3 * std::sin(9 * t), 0, 14 * t});
  }
  return path;
}

TEST(Follow, WidensByItselfAndSaysSo) {
  const testing::Gliders gliders = testing::make_gliders();
  FollowOptions once;
  once.beam = 1;
  once.seconds = 0;
  FollowOptions patient = once;
  patient.seconds = 10;
  const auto narrow = follow(*gliders.graph, *gliders.motion, wave(), once);
  const auto wide = follow(*gliders.graph, *gliders.motion, wave(), patient);
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_GT(wide->searches, 1u);
  EXPECT_GT(wide->beam, 1u);
  if (narrow) {
    EXPECT_EQ(narrow->searches, 1u);
    EXPECT_LT(wide->mean_error_m, narrow->mean_error_m);
    EXPECT_GT(wide->states, narrow->states);
  }
  const auto again = follow(*gliders.graph, *gliders.motion, wave(), patient);
  EXPECT_EQ(again->states, wide->states);
  EXPECT_EQ(again->mean_error_m, wide->mean_error_m);
}

TEST(Follow, WhatIsGoodAtOnceIsNotLookedForAgain) {
  const testing::Gliders gliders = testing::make_gliders();
  const FloorPath line{{{0, 0, 0}, {0, 0, 10}}, {}};
  const auto followed = follow(*gliders.graph, *gliders.motion, line);
  ASSERT_TRUE(followed) << followed.error().message;
  EXPECT_EQ(followed->searches, 1u);
  EXPECT_EQ(followed->beam, FollowOptions{}.beam);
}

TEST(Follow, ProgressOfWiderAndWiderSearchesNeverGoesBack) {
  const testing::Gliders gliders = testing::make_gliders();
  FollowOptions options;
  options.beam = 1;
  double before = 0;
  bool forwards = true;
  static_cast<void>(
      follow(*gliders.graph, *gliders.motion, wave(), options, Progress([&](double share, std::string_view) {
        forwards = forwards && share >= before && share <= 1;
        before = share;
        return true;
      })));
  EXPECT_TRUE(forwards);
  EXPECT_GT(before, 0.4);
}

TEST(Follow, SaysHowFarItLookedWhereNothingArrives) {
  // Nobody moves.
  testing::Gliders gliders = testing::make_gliders();
  GraphMotion still = *gliders.motion;
  for (motion::Clip& clip : still.clips) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      clip.roots[f] = clip.roots[0];
      clip.pose(f)[0] = clip.pose(0)[0];
    }
  }
  MotionGraph graph = *gliders.graph;
  for (Transition& t : graph.transitions) t.alignment = {};
  FollowOptions options;
  options.beam = 2;
  options.seconds = 0;
  const auto followed = follow(graph, still, wave(), options);
  ASSERT_FALSE(followed);
  EXPECT_THAT(followed.error().message, HasSubstr("up to 2 kept a stretch"));
  EXPECT_THAT(followed.error().message, HasSubstr("more time"));
}

TEST(Measures, AreTheSameWithOneThreadAndTwo) {
  const MotionGraph graph = random_graph(12, 60, 300, 4);
  const GraphMeasures all = measure(graph);
  const ThreadLimit limit(1);
  const GraphMeasures one = measure(graph);
  EXPECT_EQ(all.mean_transition_s, one.mean_transition_s);
  EXPECT_EQ(all.histogram, one.histogram);
  EXPECT_EQ(all.between_s, one.between_s);
}

TEST(Measures, TellHowFarTheyAreAndStop) {
  const MotionGraph graph = random_graph(12, 60, 300, 4);
  std::vector<double> shares;
  const GraphMeasures whole = measure(graph, {}, Progress([&](double share, std::string_view) {
                                        shares.push_back(share);
                                        return true;
                                      }));
  EXPECT_EQ(shares.size(), whole.sources);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
  const GraphMeasures part = measure(graph, {}, Progress([](double share, std::string_view) { return share < 0.3; }));
  EXPECT_GT(part.sources, 0u);
  EXPECT_LT(part.sources, whole.sources);
}

TEST(ClosurePicture, IsWhatSearchingFromEveryFrameGives) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    MotionGraph graph;
    graph.threshold = 0.5;
    graph.clips = testing::random_clips(6, 20, random);
    const FrameNumbers numbers(graph.clips);
    const auto pairs = testing::random_pairs(numbers, 25, random);
    const FrameGraph edges = frame_graph(numbers, pairs, graph.threshold);
    const auto pixels = closure_picture(graph, pairs, 1000);
    ASSERT_EQ(pixels.size(), std::size_t{numbers.total()} * numbers.total());
    for (std::uint32_t row = 0; row < numbers.total(); ++row) {
      const std::vector<bool> reached = reachable(edges.view(), {row});
      for (std::uint32_t column = 0; column < numbers.total(); ++column) {
        ASSERT_EQ(pixels[row * numbers.total() + column] == 255, reached[column]) << seed;
      }
    }
  }
}

TEST(ComponentShares, AreThoseOfEachThreshold) {
  Random random(8);
  const auto clips = testing::random_clips(6, 20, random);
  const FrameNumbers numbers(clips);
  const auto pairs = testing::random_pairs(numbers, 60, random);
  const double thresholds[] = {0.1, 0.4, 0.7, 1};
  const auto shares = component_shares(numbers, pairs, thresholds);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(shares[i], component_share(numbers, pairs, thresholds[i]));
}

}  // namespace
}  // namespace loom::graph
