// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/policy/graph_policy.h>
#include <loom/policy/graph_policy_score.h>

#include "bench_support.h"

namespace loom::bench {

/// A policy on a graph and how it did: Zhao 2009 table 4.6 and §5.6.1.
struct JudgedPolicy {
  policy::GraphPolicy policy;
  policy::GraphPolicyScore score;
  double training_seconds = 0;

  [[nodiscard]] double megabytes() const {
    return static_cast<double>(policy.choice.size() * sizeof(policy.choice[0])) / 1e6;
  }
};

/// Trains a policy for those of `behaviors` that the graph has, and scores it on ten simulated players of a minute who
/// ask for all of them, from ten places of the graph.
inline JudgedPolicy judge_policy(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                                 const std::vector<std::string>& behaviors, policy::GraphPolicyOptions options = {}) {
  constexpr std::size_t kPlayers = 10;
  constexpr double kSeconds = 60;
  const std::vector<std::string> known = graph.labels();
  for (const std::string& behavior : behaviors) {
    if (std::find(known.begin(), known.end(), behavior) != known.end()) options.behaviors.push_back(behavior);
  }
  JudgedPolicy judged;
  const Stopwatch watch;
  judged.policy = need(policy::train_graph_policy(graph, tracks, options));
  judged.training_seconds = watch.wall();
  std::vector<policy::GraphPolicyScore> scores;
  for (std::size_t player = 0; player < kPlayers; ++player) {
    const auto wishes = policy::simulate_wishes(behaviors, kSeconds, player + 1);
    const auto start = static_cast<graph::Node>(player * graph.nodes() / kPlayers);
    scores.push_back(policy::score_graph_policy(graph, tracks, judged.policy, wishes, kSeconds, start));
  }
  judged.score = policy::mean_of(scores);
  return judged;
}

}  // namespace loom::bench
