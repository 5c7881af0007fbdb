// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/take/track.h>

namespace loom::policy {

/// How a policy on a graph is trained.
struct GraphPolicyOptions {
  std::vector<std::string> behaviors;  ///< labels one can ask for; empty: all labels of the graph
  std::size_t headings = 36;           ///< wanted headings told apart, evenly round the circle; 4 to 360
  double heading_weight = 4;           ///< being off by a radian is worth 1 / (1 + this)
  double discount = 0.99;              ///< of the reward a frame later; 0.99 looks some three seconds ahead at 30 Hz
  double tolerance = 1e-4;             ///< when to stop, see SolveOptions
};

/// Which way to go on from every frame of a graph, for every wanted heading and behavior (Zhao 2009 §4.3): steering a
/// motion graph by look-up.
///
/// The control is seen from the body: how far the wanted heading is to its left. Going on and transitions are told
/// apart by number, so that a choice takes two bytes.
struct GraphPolicy {
  std::size_t headings = 36;
  std::vector<std::string> behaviors;  ///< what Control::behavior counts
  std::size_t nodes = 0;
  std::string graph_hash;  ///< `hash_of` the graph it was trained on
  /// [(b * headings + h) * nodes + n]: 0 goes on in the clip, k takes transition k - 1 of the node. b = 0 is no wish
  /// for a behavior, b = i + 1 is behavior i; h counts headings to the left.
  std::vector<std::uint16_t> choice;

  /// What to do at `node` when the wanted heading is `to_left` radians to the left. O(1).
  [[nodiscard]] std::uint16_t decide(graph::Node node, float to_left, int behavior) const;
};

/// Solves Zhao 2009 eq. 4.3 to 4.5 on `graph`, whose clips have these `tracks`: Q_transition is exp(-s / sigma), 1
/// minus the transition's cost, and 1 for going on; Q_control is 0 off the wanted behavior, else it falls with the
/// difference in heading. Fails on options out of range, on labels the graph has not, where memory does not suffice,
/// and when `progress` asks to stop.
Result<GraphPolicy> train_graph_policy(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                                       const GraphPolicyOptions& options, const Progress& progress = {});

/// What a policy remembers of the graph it was trained on: nodes and transitions. Labels do not count, which change
/// without the graph.
std::string hash_of(const graph::MotionGraph& graph);

std::vector<std::byte> to_bytes(const GraphPolicy& policy);
/// Reads `to_bytes` back for `graph`, believing nothing. Policies of former versions know their graph by
/// `StoredGraph::hash`, which goes with `stored_hash`.
Result<GraphPolicy> graph_policy_from_bytes(std::span<const std::byte> bytes, const graph::MotionGraph& graph,
                                            std::string_view stored_hash = {});

}  // namespace loom::policy
