// SPDX-License-Identifier: MIT
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/memory.h>
#include <loom/graph/detail/stay.h>
#include <loom/graph/keys.h>

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

double cost_of_way(const MotionGraph& graph, std::span<const Node> way, const PathCost& weights) {
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
      EXPECT_NEAR(cost_of_way(graph, way, weights) + (way.front() == nodes[1] ? 0.5 : 0), cheapest, 1e-9 * cheapest);
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

}  // namespace
}  // namespace loom::graph
