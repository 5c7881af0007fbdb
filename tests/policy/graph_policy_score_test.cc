// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/policy/graph_policy_score.h>

#include "tests/graph/random_graph.h"

namespace loom::policy {
namespace {

/// A graph of random clips, tracks that turn at random, and a policy that does what chance decided.
struct RandomWalk {
  explicit RandomWalk(std::uint64_t seed) : graph(testing::random_graph(6, 12, 60, seed)) {
    Random random(seed + 100);
    for (const graph::GraphClip& clip : graph.clips) {
      take::Track track(clip.frames);
      for (motion::GroundFrame& frame : track) frame.heading = static_cast<float>(random.uniform(-3, 3));
      tracks.push_back(std::move(track));
    }
    policy.headings = 8;
    policy.behaviors = {"a", "b"};
    policy.nodes = graph.nodes();
    for (std::size_t i = 0; i < 3 * policy.headings * graph.nodes(); ++i) {
      const auto node = static_cast<graph::Node>(i % graph.nodes());
      const std::size_t ways = graph.transitions_of(node).size();
      const std::size_t skip = graph.goes_on(node) ? 0 : 1;
      policy.choice.push_back(static_cast<std::uint16_t>(skip + random.index(ways + 1 - skip)));
    }
  }

  graph::MotionGraph graph;
  std::vector<take::Track> tracks;
  GraphPolicy policy;
};

/// The same, by angles alone: where a walk faces is where its clip faces and the sum of all turns at transitions.
GraphPolicyScore plain_score(const RandomWalk& walk, const std::vector<GraphWish>& wishes, std::size_t steps) {
  GraphPolicyScore score;
  graph::Node node = 3;
  const auto facing = [&](graph::Node n) {
    return static_cast<double>(walk.tracks[walk.graph.clip_of(n)][walk.graph.frame_of(n)].heading);
  };
  double turned = -facing(node);
  for (std::size_t i = 0; i < steps; ++i) {
    std::size_t w = wishes.size() - 1;
    while (wishes[w].seconds > static_cast<double>(i) / walk.graph.rate) --w;
    const auto away = [&] {
      return std::remainder(static_cast<double>(wishes[w].heading) - turned - facing(node), 2 * M_PI);
    };
    const int behavior = wishes[w].behavior == "a" ? 0 : wishes[w].behavior == "b" ? 1 : -1;
    const std::uint16_t way = walk.policy.decide(node, static_cast<float>(away()), behavior);
    double quality = 1;
    if (way == 0) {
      node += 1;
    } else {
      const graph::Transition t = walk.graph.transitions_of(node)[way - 1U];
      turned += static_cast<double>(t.alignment.heading);
      quality = 1 - static_cast<double>(t.cost);
      node = t.to;
      score.jumps += 1.0 / static_cast<double>(steps);
    }
    const auto& labels = walk.graph.clips[walk.graph.clip_of(node)].labels;
    const bool wanted = !labels.empty() && labels[0].name == wishes[w].behavior;
    const double control = wanted ? 1 / (1 + 4 * away() * away()) : 0;
    score.control += control / static_cast<double>(steps);
    score.transition += quality / static_cast<double>(steps);
    score.total += quality * control / static_cast<double>(steps);
  }
  return score;
}

TEST(GraphPolicyScore, EqualsASumOfAngles) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const RandomWalk walk(seed);
    ASSERT_GT(walk.graph.nodes(), 4U);
    const auto wishes = simulate_wishes({"a", "b", "swim"}, 20, seed);
    const GraphPolicyScore score = score_graph_policy(walk.graph, walk.tracks, walk.policy, wishes, 10, 3);
    const GraphPolicyScore plain = plain_score(walk, wishes, 300);
    EXPECT_EQ(score.frames, 300U);
    EXPECT_GT(score.control, 0);
    EXPECT_NEAR(score.control, plain.control, 1e-3) << seed;
    EXPECT_NEAR(score.transition, plain.transition, 1e-6) << seed;
    EXPECT_NEAR(score.total, plain.total, 1e-3) << seed;
    EXPECT_NEAR(score.jumps, plain.jumps, 1e-9) << seed;
  }
}

TEST(GraphPolicyScore, ALostBehaviorIsWorthNothing) {
  const RandomWalk walk(2);
  const std::vector<GraphWish> wishes = {{0, 0, "swim"}};
  const GraphPolicyScore score = score_graph_policy(walk.graph, walk.tracks, walk.policy, wishes, 5, 0);
  EXPECT_EQ(score.control, 0);
  EXPECT_EQ(score.total, 0);
  EXPECT_GT(score.transition, 0);
}

TEST(GraphPolicyScore, SimulatedWishesComeBackToTheFirstBehavior) {
  const auto wishes = simulate_wishes({"walk", "jump", "stop"}, 600, 5);
  EXPECT_EQ(wishes.front().behavior, "walk");
  EXPECT_EQ(wishes.front().seconds, 0);
  std::size_t changes = 0, turns = 0;
  for (std::size_t i = 1; i < wishes.size(); ++i) {
    EXPECT_GT(wishes[i].seconds, wishes[i - 1].seconds);
    EXPECT_LT(wishes[i].seconds, 600);
    if (wishes[i].behavior == wishes[i - 1].behavior) {
      ++turns;
      continue;
    }
    ++changes;
    EXPECT_TRUE(wishes[i].behavior == "walk" || wishes[i - 1].behavior == "walk");
  }
  EXPECT_NEAR(static_cast<double>(changes), 150, 40);
  EXPECT_NEAR(static_cast<double>(turns), 300, 60);
}

TEST(GraphPolicyScore, MeansAreWeighedByFrames) {
  const GraphPolicyScore scores[] = {{1, 1, 1, 0, 100}, {0, 0.5, 0, 1, 300}};
  const GraphPolicyScore mean = mean_of(scores);
  EXPECT_EQ(mean.frames, 400U);
  EXPECT_DOUBLE_EQ(mean.control, 0.25);
  EXPECT_DOUBLE_EQ(mean.transition, 0.625);
  EXPECT_DOUBLE_EQ(mean.jumps, 0.75);
}

}  // namespace
}  // namespace loom::policy
