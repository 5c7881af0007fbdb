// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/graph/distances.h>
#include <loom/graph/keys.h>

#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using testing::all_distances;
using testing::random_graph;

TEST(Distances, EqualFloydAndWarshall) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MotionGraph graph = random_graph(5, 15, 40, seed);
    const auto expected = all_distances(graph);
    for (Node n = 0; n < graph.nodes(); ++n) {
      const Node one[] = {n};
      const auto from = FramesFrom(graph).find(one), to = frames_to(graph, one);
      for (Node m = 0; m < graph.nodes(); ++m) {
        EXPECT_EQ(from[m], expected[n][m]);
        EXPECT_EQ(to[m], expected[m][n]);
      }
    }
  }
}

double cost_of(const MotionGraph& graph, const std::vector<Node>& path, const PathCost& cost) {
  double total = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    double step = std::numeric_limits<double>::infinity();
    if (path[i] == path[i - 1] + 1 && graph.goes_on(path[i - 1])) step = cost.frame;
    for (const Transition& t : graph.transitions_of(path[i - 1])) {
      if (t.to == path[i]) {
        step = std::min(step, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
      }
    }
    total += step;
  }
  return total;
}

/// The least cost of coming by all keys in order, by relaxing every edge of every layer until nothing changes.
double brute_force(const MotionGraph& graph, const std::vector<Key>& keys, const PathCost& cost) {
  constexpr double kFar = 1e18;
  std::vector<double> now(graph.nodes(), kFar);
  for (const Node n : keys[0].nodes) now[n] = 0;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    for (std::size_t round = 0; round < graph.nodes(); ++round) {
      for (Node n = 0; n < graph.nodes(); ++n) {
        if (graph.goes_on(n)) now[n + 1] = std::min(now[n + 1], now[n] + cost.frame);
        for (const Transition& t : graph.transitions_of(n)) {
          now[t.to] =
              std::min(now[t.to], now[n] + cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
        }
      }
    }
    std::vector<double> at(graph.nodes(), kFar);
    for (const Node n : keys[k].nodes) at[n] = now[n];
    now = at;
  }
  return *std::min_element(now.begin(), now.end());
}

TEST(FindPath, IsTheCheapestThroughAllKeys) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const MotionGraph graph = random_graph(5, 15, 40, seed);
    if (graph.nodes() < 6) continue;
    Random random(seed + 100);
    std::vector<Key> keys;
    for (int k = 0; k < 4; ++k) {
      Key key{"key", {}, 0, false, {}, {}};
      for (int i = 0; i < 3; ++i) key.nodes.push_back(static_cast<Node>(random.index(graph.nodes())));
      std::sort(key.nodes.begin(), key.nodes.end());
      keys.push_back(key);
    }
    const PathCost cost;
    const auto path = find_path(graph, keys, cost).value().nodes;
    EXPECT_NEAR(cost_of(graph, path, cost), brute_force(graph, keys, cost), 1e-9) << seed;
    std::size_t key = 0;
    for (const Node n : path) {
      while (key < keys.size() && std::binary_search(keys[key].nodes.begin(), keys[key].nodes.end(), n)) ++key;
    }
    EXPECT_EQ(key, keys.size()) << "the path must come by every key in order";
  }
}

TEST(FindPath, StaysWithinAKeyAsLongAsAsked) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const MotionGraph graph = random_graph(6, 20, 70, seed);
    const auto a = graph.nodes_labelled("a");
    if (a.empty() || graph.nodes_labelled("b").empty()) continue;
    const auto stay = parse_key(graph, {}, "a@0.5"), last = parse_key(graph, {}, "b@0");
    ASSERT_TRUE(stay && last);
    const Key keys[] = {*stay, *last};
    const auto path = find_path(graph, keys);
    if (!path) {
      EXPECT_NE(path.error().message.find("can stay within"), std::string::npos);
      continue;
    }
    ASSERT_GE(path->nodes.size(), 16u);
    EXPECT_EQ(path->visits[0].end, 16u);
    for (std::size_t i = 0; i <= 15; ++i) EXPECT_TRUE(std::binary_search(a.begin(), a.end(), path->nodes[i]));
    EXPECT_TRUE(std::isfinite(cost_of(graph, path->nodes, {})));
  }
}

/// The least cost of coming by all keys in order and staying with each as long as it asks, by relaxing every edge until
/// nothing changes on the way, and trying every step of every frame of a stay. A million million where there is no way.
double slow_cost(const MotionGraph& graph, const std::vector<Key>& keys, const PathCost& cost) {
  constexpr double kFar = 1e12;
  const auto each_step = [&](Node n, const auto& use) {
    if (graph.goes_on(n)) use(n + 1, cost.frame);
    for (const Transition& t : graph.transitions_of(n)) {
      use(t.to, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
    }
  };
  std::vector<double> now(graph.nodes(), 0);
  for (const Key& key : keys) {
    if (&key != keys.data()) {
      for (bool changed = true; changed;) {
        changed = false;
        for (Node n = 0; n < graph.nodes(); ++n) {
          each_step(n, [&](Node to, double step) {
            if (now[n] + step >= now[to] - 1e-12) return;
            now[to] = now[n] + step;
            changed = true;
          });
        }
      }
    }
    const auto outside = [&](Node n) { return !std::binary_search(key.nodes.begin(), key.nodes.end(), n); };
    for (Node n = 0; n < graph.nodes(); ++n) now[n] = outside(n) ? kFar : now[n];
    for (long frame = std::lround(key.stay_seconds * graph.rate); frame > 0; --frame) {
      std::vector<double> later(graph.nodes(), kFar);
      for (Node n = 0; n < graph.nodes(); ++n) {
        each_step(n, [&](Node to, double step) {
          if (!outside(to)) later[to] = std::min(later[to], now[n] + step);
        });
      }
      now = later;
    }
  }
  return *std::min_element(now.begin(), now.end());
}

TEST(FindPath, WithStaysIsTheCheapestThereIs) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MotionGraph graph = random_graph(4, 14, 40, seed);
    if (graph.nodes() < 6) continue;
    Random random(seed + 500);
    std::vector<Key> keys;
    for (int k = 0; k < 3; ++k) {
      // A half of all nodes, so that now and then one can stay among them; every other key is only touched.
      Key key{"key", {}, random.index(2) == 0 ? 0 : random.uniform(0, 0.5), false, {}, {}};
      for (Node n = 0; n < graph.nodes(); ++n) {
        if (random.index(2) == 0) key.nodes.push_back(n);
      }
      if (key.nodes.empty()) key.nodes.push_back(0);
      keys.push_back(key);
    }
    const PathCost cost;
    const auto path = find_path(graph, keys, cost);
    const double expected = slow_cost(graph, keys, cost);
    ASSERT_EQ(path.has_value(), expected < 1e11) << seed;
    if (!path) continue;
    ++found;
    EXPECT_NEAR(cost_of(graph, path->nodes, cost), expected, 1e-9 * (1 + expected)) << seed;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto frames = static_cast<std::size_t>(std::lround(keys[k].stay_seconds * graph.rate));
      ASSERT_EQ(path->visits[k].end - path->visits[k].begin, frames + 1);
      for (std::size_t i = path->visits[k].begin; i < path->visits[k].end; ++i) {
        EXPECT_TRUE(std::binary_search(keys[k].nodes.begin(), keys[k].nodes.end(), path->nodes[i])) << seed;
      }
    }
  }
  EXPECT_GT(found, 20);
}

TEST(ParseKey, TellsWhatThereIs) {
  const MotionGraph graph = random_graph(6, 20, 70, 5);
  const auto unknown = parse_key(graph, {}, "dance");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("a, b"), std::string::npos);
  EXPECT_FALSE(parse_key(graph, {}, "a@soon"));
  EXPECT_FALSE(parse_key(graph, {}, graph.clips[0].name + ":99999"));
  const auto pose = parse_key(graph, {}, graph.clips[1].name + ":" + std::to_string(graph.runs[1].begin));
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->nodes, std::vector<Node>{graph.runs[1].first_node});
}

}  // namespace
}  // namespace loom::graph
