// SPDX-License-Identifier: MIT
// What steps of a motion graph are worth, against eq. 3.3 of Srinivasan 2009 repeated until nothing changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/machine/q_values.h>

#include "tests/graph/random_graph.h"

namespace loom::machine {
namespace {

using ::testing::HasSubstr;

/// The work's own way: Q of every edge is D at first, and all are updated, sweep after sweep.
struct SlowQ {
  explicit SlowQ(const graph::MotionGraph& graph) {
    for (graph::Node n = 0; n < graph.nodes(); ++n) {
      edges.emplace_back();
      if (graph.goes_on(n)) edges[n].push_back({n + 1, 0, 0});
      for (const auto& t : graph.transitions_of(n)) edges[n].push_back({t.to, t.distance, t.distance});
    }
  }
  [[nodiscard]] double least(graph::Node n) const {
    double best = 1e300;
    for (const Edge& edge : edges[n]) best = std::min(best, edge.q);
    return best;
  }
  void learn(double discount) {
    for (double change = 1; change > 1e-14;) {
      change = 0;
      for (auto& list : edges) {
        for (Edge& edge : list) {
          const double q = edge.d + discount * least(edge.to);
          change = std::max(change, std::abs(q - edge.q));
          edge.q = q;
        }
      }
    }
  }
  struct Edge {
    graph::Node to;
    double d, q;
  };
  std::vector<std::vector<Edge>> edges;
};

TEST(QValues, EqualRepeatedUpdatesOnRandomGraphs) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto graph = testing::random_graph(2 + seed % 5, 12, 10 + 3 * seed, seed);
    if (graph.nodes() == 0) continue;
    for (const double discount : {0.0, 0.5, 0.9, 0.99}) {
      const auto values = solve_q_values(graph, discount);
      ASSERT_TRUE(values) << values.error().to_string();
      SlowQ slow(graph);
      slow.learn(discount);
      for (graph::Node n = 0; n < graph.nodes(); ++n) {
        EXPECT_NEAR(values->least[n], slow.least(n), 1e-10) << "seed " << seed << ", node " << n;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST(QValues, ACircleCostsWhatGoingRoundCosts) {
  // One clip of four frames, and a way back from the last to the first at distance 0.5.
  graph::MotionGraph graph;
  graph.clips.resize(1);
  graph.clips[0].frames = 4;
  graph.add_run(0, 0, 4);
  graph.first = {0, 0, 0, 0, 1};
  graph.transitions = {{0, 0.5f, 0, {}}};
  const auto values = solve_q_values(graph, 0.9);
  ASSERT_TRUE(values);
  const double round = std::pow(0.9, 4);
  EXPECT_NEAR(values->least[3], 0.5 / (1 - round), 1e-12);
  EXPECT_NEAR(values->least[0], std::pow(0.9, 3) * 0.5 / (1 - round), 1e-12);
  EXPECT_NEAR(values->of_going_on(0), values->least[0], 1e-12);
}

TEST(QValues, BadInputIsRefused) {
  const auto graph = testing::random_graph(4, 12, 60, 1);
  for (const double discount : {-0.1, 1.0, std::nan("")}) {
    const auto values = solve_q_values(graph, discount);
    ASSERT_FALSE(values);
    EXPECT_THAT(values.error().settings, ::testing::ElementsAre("discount"));
  }
  EXPECT_FALSE(solve_q_values({}, 0.9));
  graph::MotionGraph dead;
  dead.clips.resize(1);
  dead.clips[0].name = "walk";
  dead.clips[0].frames = 2;
  dead.add_run(0, 0, 2);
  dead.first = {0, 0, 0};
  const auto values = solve_q_values(dead, 0.9);
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().message, HasSubstr("nothing comes after frame 1 of 'walk'"));
}

}  // namespace
}  // namespace loom::machine
