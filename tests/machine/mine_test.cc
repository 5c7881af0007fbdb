// SPDX-License-Identifier: MIT
// Machines mined from motion graphs (Srinivasan 2009 ch. 3), against the equations written out slowly.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/machine/mine.h>
#include <loom/machine/q_values.h>

#include "tests/graph/random_graph.h"

namespace loom::machine {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

std::vector<std::uint32_t> random_states(const graph::MotionGraph& graph, std::size_t states, Random& random) {
  std::vector<std::uint32_t> of_clip(graph.clips.size());
  for (std::uint32_t& state : of_clip) state = static_cast<std::uint32_t>(random.index(states));
  std::vector<std::uint32_t> state_of(graph.nodes());
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    state_of[n] = random.uniform() < 0.05 ? kNoState : of_clip[graph.clip_of(n)];
  }
  return state_of;
}

/// A step of the graph with its Q.
struct Step {
  graph::Node from, to;
  double q;
  bool transition;
};

std::vector<Step> all_steps(const graph::MotionGraph& graph, double discount) {
  std::vector<Step> steps;
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (graph.goes_on(n)) steps.push_back({n, n + 1, 0, false});
    for (const auto& t : graph.transitions_of(n)) steps.push_back({n, t.to, t.distance, true});
  }
  std::vector<double> cost;
  for (const Step& step : steps) cost.push_back(step.q);
  for (int sweep = 0; sweep < 4000; ++sweep) {
    std::vector<double> least(graph.nodes(), 1e300);
    for (const Step& step : steps) least[step.from] = std::min(least[step.from], step.q);
    for (std::size_t s = 0; s < steps.size(); ++s) steps[s].q = cost[s] + discount * least[steps[s].to];
  }
  return steps;
}

/// Eq. 3.4 and 3.5 for one row at a time, from the list of all steps.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> slow_probabilities(const graph::MotionGraph& graph,
                                                                             const std::vector<std::uint32_t>& state_of,
                                                                             const MineOptions& options) {
  const std::vector<Step> steps = all_steps(graph, options.discount);
  const double window = std::floor(options.window_seconds * graph.rate);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> kappa;
  std::map<std::uint32_t, double> frames, sums, left;
  for (const std::uint32_t state : state_of) frames[state] += 1;
  for (const Step& step : steps) {
    double least = 1e300, most = -1e300;
    for (const Step& other : steps) {
      const double later = static_cast<double>(other.from) - static_cast<double>(step.from);
      const bool near = graph.run_of[other.from] == graph.run_of[step.from] && std::abs(later) <= window;
      if (!(later == 0 || (near && other.transition))) continue;
      const double q = std::pow(options.discount, later) * other.q;
      least = std::min(least, q);
      most = std::max(most, q);
    }
    const auto from = state_of[step.from], to = state_of[step.to];
    if (from == to || from == kNoState || to == kNoState) continue;
    if (step.q > least + options.delta * (most - least) + 1e-9) continue;
    kappa[{from, to}] += 1;
  }
  for (auto& [key, value] : kappa) value /= frames[key.first] * frames[key.second];
  for (const auto& [key, value] : kappa) sums[key.first] += value;
  for (auto& [key, value] : kappa) {
    if (value < options.least_probability * sums[key.first]) value = 0;
    left[key.first] += value;
  }
  for (auto& [key, value] : kappa) value /= left[key.first];
  return kappa;
}

TEST(Mine, ProbabilitiesAreThoseOfTheEquations) {
  std::size_t edges = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const auto graph = testing::random_graph(6, 14, 70, seed);
    if (graph.nodes() == 0) continue;
    Random random(seed);
    const auto state_of = random_states(graph, 4, random);
    for (const double window : {0.0, 0.1, 0.35}) {
      MineOptions options;
      options.discount = 0.95;
      options.window_seconds = window;
      options.least_probability = 0.05;
      const auto mined = mine(graph, state_of, 4, options);
      ASSERT_TRUE(mined) << mined.error().to_string();
      auto slow = slow_probabilities(graph, state_of, options);
      for (std::uint32_t from = 0; from < 4; ++from) {
        double sum = 0;
        for (std::uint32_t to = 0; to < 4; ++to) {
          const double probability = mined->pair(from, to).probability;
          const double wanted = slow.contains({from, to}) ? slow[{from, to}] : 0.0;
          EXPECT_THAT(probability, DoubleNear(wanted, 1e-9)) << "seed " << seed << ": " << from << " -> " << to;
          sum += probability;
          edges += probability > 0 ? 1 : 0;
        }
        EXPECT_TRUE(sum == 0 || std::abs(sum - 1) < 1e-12) << sum;
        EXPECT_EQ(mined->pair(from, from).probability, 0);
      }
    }
  }
  EXPECT_GT(edges, 100u);
}

TEST(Mine, AStateIsCyclicWhenItsFramesComeRoundInTime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto graph = testing::random_graph(5, 14, 60, seed);
    if (graph.nodes() == 0) continue;
    Random random(seed);
    const auto state_of = random_states(graph, 3, random);
    MineOptions options;
    options.longest_cycle_s = 0.5;  // 15 frames
    const auto mined = mine(graph, state_of, 3, options);
    ASSERT_TRUE(mined);
    for (std::uint32_t s = 0; s < 3; ++s) {
      // Frames of the state that a walk of 1 to 15 steps within it brings back to themselves.
      std::size_t frames = 0, round = 0;
      for (graph::Node start = 0; start < graph.nodes(); ++start) {
        if (state_of[start] != s) continue;
        ++frames;
        std::set<graph::Node> here{start};
        bool back = false;
        for (int step = 0; step < 15 && !back; ++step) {
          std::set<graph::Node> next;
          for (const graph::Node n : here) {
            if (graph.goes_on(n)) next.insert(n + 1);
            for (const auto& t : graph.transitions_of(n)) next.insert(t.to);
          }
          back = next.contains(start);
          here.clear();
          for (const graph::Node n : next) {
            if (state_of[n] == s) here.insert(n);
          }
        }
        round += back ? 1 : 0;
      }
      const double share = frames == 0 ? 0 : static_cast<double>(round) / static_cast<double>(frames);
      EXPECT_NEAR(mined->cyclic_share[s], share, 1e-12) << "seed " << seed << ", state " << s;
    }
  }
}

/// Two clips, "a" and "b", each coming round to its beginning, a way from a to b and, where asked for, one back.
graph::MotionGraph two_loops(bool back, std::vector<graph::SimilarPair>* pairs = nullptr) {
  std::vector<graph::GraphClip> clips(2);
  for (std::size_t c = 0; c < 2; ++c) {
    clips[c].name = c == 0 ? "a" : "b";
    clips[c].frames = 10;
    clips[c].labels = {{clips[c].name, 0, 10}, {"all", 0, 10}};
  }
  graph::MotionGraph graph;
  graph.clips = clips;
  graph.add_run(0, 0, 10);
  graph.add_run(1, 0, 10);
  graph.first.assign(21, 0);
  const auto add = [&](graph::Node from, graph::Node to, float distance) {
    graph.transitions.push_back({to, distance, 0, {}});
    for (graph::Node n = from; n < 20; ++n) graph.first[n + 1] = static_cast<std::uint32_t>(graph.transitions.size());
  };
  add(5, 12, 0.01f);
  add(9, 0, 0.05f);
  if (back) add(15, 2, 0.01f);
  add(19, 10, 0.05f);
  if (pairs != nullptr) *pairs = {{3, 16, 0.3f}, {4, 17, 0.2f}};
  return graph;
}

TEST(Mine, FramesBelongToTheLabelThatSaysMost) {
  const auto graph = two_loops(true);
  const std::vector<std::string> labels = graph.labels();
  ASSERT_EQ(labels, (std::vector<std::string>{"a", "all", "b"}));
  const auto states = states_by_label(graph, labels);
  EXPECT_EQ(states[0], 0u);
  EXPECT_EQ(states[19], 2u);
}

TEST(Mine, WhatIsMissingIsToldWithTheNearestFrames) {
  std::vector<graph::SimilarPair> pairs;
  const auto graph = two_loops(false, &pairs);
  std::vector<std::uint32_t> state_of(20, 0);
  std::fill(state_of.begin() + 10, state_of.end(), 1);
  const auto mined = mine(graph, state_of, 3);
  ASSERT_TRUE(mined) << mined.error().to_string();
  EXPECT_TRUE(mined->has_edge(0, 1));
  EXPECT_TRUE(mined->cyclic(0));
  const auto missing = find_missing(*mined, graph, state_of, pairs);
  ASSERT_EQ(missing.size(), 5u);
  const MissingEdge& back = missing[1];
  EXPECT_EQ(back.from, 1u);
  EXPECT_EQ(back.to, 0u);
  EXPECT_EQ(back.why, MissingEdge::Why::kNoStep);
  EXPECT_TRUE(back.no_way);
  ASSERT_TRUE(back.nearest);
  EXPECT_EQ(back.nearest->a, 17u);
  EXPECT_EQ(back.nearest->b, 4u);
  EXPECT_EQ(missing[0].why, MissingEdge::Why::kNoMotion) << "the third state has no frames";
  EXPECT_FALSE(missing[0].nearest);

  const auto hand = behavior::parse_machine(
      "machine m\nstate x: a\nstate y: b\nstate z: c\ntransition x -> y\ntransition y -> x\ntransition x -> z\n"
      "transition z -> x\n",
      "m");
  ASSERT_TRUE(hand) << hand.error().to_string();
  EXPECT_EQ(find_missing(*mined, graph, state_of, pairs, &*hand).size(), 3u);
  const auto likeness = compare_with(*mined, *hand);
  ASSERT_TRUE(likeness);
  EXPECT_DOUBLE_EQ(likeness->chi, 1.0 / 4);
  EXPECT_DOUBLE_EQ(likeness->rho, 1.0 / 4);
}

TEST(Mine, TheMachineReadsBackAndComesBackToWhatGoesOn) {
  const auto graph = two_loops(true);
  std::vector<std::uint32_t> state_of(20, 0);
  std::fill(state_of.begin() + 10, state_of.end(), 1);
  const auto mined = mine(graph, state_of, 2);
  ASSERT_TRUE(mined);
  std::vector<behavior::MachineState> states(2);
  for (std::size_t s = 0; s < 2; ++s) {
    states[s].name = s == 0 ? "a" : "b";
    states[s].takes = {{{states[s].name, behavior::Holding::kLabel, false, {}}}};
  }
  const auto machine = to_machine(*mined, "mined", states);
  EXPECT_EQ(behavior::format_machine(machine),
            "machine mined\nstate a: a\nstate b: b\ndefault a\ntransition a -> a self\ntransition a -> b\n"
            "transition b -> b self\ntransition b -> a\n");
}

TEST(Mine, MachinesAreComparedByTheNamesOfTheirStates) {
  const auto machine = [](const std::string& text) {
    return behavior::parse_machine("machine m\n" + text, "m", {}, behavior::Connection::kAny).value();
  };
  const auto found = machine(
      "state run: run\nstate walk: walk\nstate jump: jump\ntransition walk -> run\ntransition run -> walk\n"
      "transition run -> jump\ntransition walk -> walk self\n");
  const auto hand = machine(
      "state walk: walk\nstate run: run\nstate sit: sit\ntransition walk -> run\ntransition run -> walk\n"
      "transition walk -> sit\ntransition sit -> walk\ntransition run -> run self\n");
  const auto told = compare_machines(found, hand).value();
  EXPECT_EQ(told.mined_edges, 3u);
  EXPECT_EQ(told.hand_edges, 4u);
  EXPECT_EQ(told.common_edges, 2u);
  EXPECT_EQ(told.chi, 0.75);
  EXPECT_EQ(told.rho, 0.5);
  EXPECT_EQ(compare_machines(hand, hand)->rho, 1);
  EXPECT_FALSE(compare_machines(found, machine("state walk: walk\ntransition walk -> walk self\n")));
}

TEST(Mine, BadOptionsAreRefused) {
  const auto graph = two_loops(true);
  const std::vector<std::uint32_t> state_of(20, 0);
  const auto setting = [&](auto change) {
    MineOptions options;
    change(options);
    const auto mined = mine(graph, state_of, 1, options);
    return mined ? std::string("none") : mined.error().settings.at(0);
  };
  EXPECT_EQ(setting([](MineOptions& o) { o.delta = 1.5; }), "delta");
  EXPECT_EQ(setting([](MineOptions& o) { o.window_seconds = -1; }), "window");
  EXPECT_EQ(setting([](MineOptions& o) { o.least_probability = 1; }), "least");
  EXPECT_EQ(setting([](MineOptions& o) { o.longest_cycle_s = 0; }), "cycle");
  EXPECT_FALSE(mine(graph, std::vector<std::uint32_t>(20, 7), 1));
  EXPECT_FALSE(mine(graph, std::vector<std::uint32_t>(3, 0), 1));
  Mined mined;
  mined.states = 1;
  const auto hand = behavior::parse_machine("machine m\nstate x: a\ntransition x -> x self\n", "m");
  EXPECT_THAT(compare_with(mined, *hand).error().message, HasSubstr("no transition between two different states"));
}

}  // namespace
}  // namespace loom::machine
