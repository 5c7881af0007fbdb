// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/graph/motion_graph.h>
#include <loom/policy/graph_policy.h>
#include <loom/take/track.h>

namespace loom::policy {

/// What a player asks of a character on a graph from a moment on: the wish holds until the next.
struct GraphWish {
  double seconds = 0;    ///< since the beginning; ascending
  float heading = 0;     ///< where to, in the world: radians to the left of +z
  std::string behavior;  ///< a label
};

/// A player who turns the wanted heading every two seconds and asks for another of the `behaviors` every four, both on
/// average (Zhao 2009 §4.3.2 recorded people; these are simulated). Every second wish of a behavior is the first of
/// `behaviors`: one walks, and now and then does something else. The same for the same seed on every machine.
std::vector<GraphWish> simulate_wishes(const std::vector<std::string>& behaviors, double seconds, std::uint64_t seed);

/// How well a policy did what was wished for: Zhao 2009 table 4.6, all in [0, 1], means over frames.
struct GraphPolicyScore {
  double control = 0;     ///< Q_control: nothing off the wanted behavior, else by the difference in heading
  double transition = 0;  ///< Q_transition; going on in a clip counts 1
  double total = 0;       ///< their product, frame by frame (eq. 4.4)
  double jumps = 0;       ///< share of frames that were transitions
  std::size_t frames = 0;
};

/// Walks `graph` by `policy` for `seconds` from node `start`, the wish of each moment given. A wish for a behavior the
/// policy does not know (the graph lost it) steers by heading alone and is worth nothing. Tracks as for training; there
/// must be a wish at 0. O(frames).
GraphPolicyScore score_graph_policy(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                                    const GraphPolicy& policy, std::span<const GraphWish> wishes, double seconds,
                                    graph::Node start, double heading_weight = GraphPolicyOptions{}.heading_weight);

/// The mean of scores, each weighed by its frames.
GraphPolicyScore mean_of(std::span<const GraphPolicyScore> scores);

}  // namespace loom::policy
