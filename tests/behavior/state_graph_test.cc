// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/behavior/state_graph.h>
#include <loom/behavior/state_table.h>

#include "tests/graph/random_graph.h"

namespace loom::behavior {
namespace {

StateMachine two_states() {
  return *parse_machine(
      "machine two\nstate a: a\nstate b: b\ntransition a -> a self\ntransition a -> b full\ntransition b -> a full\n"
      "transition b -> b self\n",
      "two");
}

/// A random graph whose first clips are of state a and the others of state b; everything is allowed.
StateGraph random_state_graph(std::uint64_t seed) {
  StateGraph states;
  states.machine = two_states();
  states.graph = testing::random_graph(6, 10, 50, seed);
  for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
    states.state_of.push_back(states.graph.clips[states.graph.clip_of(n)].labels[0].name == "a" ? 0 : 1);
  }
  EXPECT_TRUE(finish_state_graph(states, {}));
  return states;
}

TEST(StateRoutes, EveryStoredPathIsAShortestOne) {
  std::size_t paths = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const StateGraph states = random_state_graph(seed);
    const auto distance = testing::all_distances(states.graph);
    for (const std::uint32_t target : states.routes.targets) {
      const graph::Node begin = states.nodes[target].begin;
      ASSERT_EQ(states.entries_of(target), std::vector<graph::Node>{begin}) << "nodes are cut where one can come in";
      for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
        ASSERT_EQ(states.routes.to(target, n).frames, distance[n][begin]);
        graph::Node at = n;
        for (std::uint32_t left = distance[n][begin]; left > 0; --left) {
          const Step step = states.routes.to(target, at);
          ASSERT_EQ(step.frames, left);
          const graph::Node next = follow(states.graph, at, step);
          ASSERT_LE(distance[at][next], 1u);
          at = next;
          if (n % 7 != 0) break;  // the whole way for some, the first step for all
        }
        ++paths;
      }
    }
  }
  EXPECT_GT(paths, 5000u);
}

TEST(StateRoutes, TheNearestFrameOfAStateIsTheNearest) {
  const StateGraph states = random_state_graph(3);
  const auto distance = testing::all_distances(states.graph);
  for (std::uint32_t s = 0; s < 2; ++s) {
    for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
      std::uint32_t best = 1000000;
      for (graph::Node m = 0; m < states.graph.nodes(); ++m) {
        if (states.state_of[m] == s) best = std::min(best, distance[n][m]);
      }
      ASSERT_EQ(states.routes.towards(s, n).frames, best);
    }
  }
}

TEST(StateTable, AgreesWithSummingUpAllPairs) {
  const StateGraph states = random_state_graph(5);
  const auto distance = testing::all_distances(states.graph);
  const StateTable table = measure_states(states);
  for (const StatePairTime& time : table.times) {
    double sum = 0, count = 0;
    for (const StateNode& source : states.nodes) {
      for (const StateNode& target : states.nodes) {
        if (source.state != time.from || target.state != time.to) continue;
        sum += distance[source.end - 1][target.begin] - 1;
        count += 1;
      }
    }
    EXPECT_NEAR(time.mean_to_each_s, sum / count / states.graph.rate, 1e-9);
  }
  EXPECT_EQ(table.states[0].nodes + table.states[1].nodes, states.nodes.size());
}

TEST(StateGraph, ComesBackFromBytesTheSame) {
  const StateGraph states = random_state_graph(7);
  const auto bytes = to_bytes(states);
  const auto again = state_graph_from_bytes(bytes);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(to_bytes(*again), bytes);
  EXPECT_EQ(again->routes.to_node, states.routes.to_node);
  EXPECT_EQ(again->entered, states.entered);
}

TEST(StateGraph, DamagedBytesAreRefusedOrHarmless) {
  const StateGraph states = random_state_graph(8);
  const auto bytes = to_bytes(states);
  Random random(9);
  for (int trial = 0; trial < 2000; ++trial) {
    auto damaged = bytes;
    damaged[random.index(damaged.size())] ^= static_cast<std::byte>(1 + random.index(255));
    if (trial % 4 == 0) damaged.resize(random.index(damaged.size()));
    const auto read = state_graph_from_bytes(damaged);
    if (!read) continue;
    // What was let through can be played: every route of every frame leads somewhere.
    EXPECT_TRUE(find_route_fault(*read).empty());
  }
  auto wrong = states;
  wrong.routes.to_node[5].frames += 1;
  EXPECT_FALSE(state_graph_from_bytes(to_bytes(wrong)));
  wrong = states;
  wrong.machine = *parse_machine("machine two\nstate a: a\nstate b: b\ntransition a -> b\ntransition b -> a\n", "m");
  EXPECT_FALSE(state_graph_from_bytes(to_bytes(wrong))) << "transitions within a state are not allowed any more";
}

}  // namespace
}  // namespace loom::behavior
