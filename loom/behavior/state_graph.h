// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/behavior/state_routes.h>
#include <loom/graph/motion_graph.h>

namespace loom::behavior {

/// A node in the sense of Chiu 2007: a stretch of recorded motion of one state, played from its beginning to its end.
/// In a state of whole actions it is one action; elsewhere it lies between two moments at which one can come or go.
struct StateNode {
  graph::Node begin = 0, end = 0;  ///< frames of the graph, [begin, end), of one run
  std::uint32_t state = 0;
};

/// A state-annotated motion graph (Chiu 2007 §3): a motion graph in which every frame belongs to a state of a machine
/// and every transition is one the machine allows, with the quickest ways of fully connected transitions.
///
/// Every frame reaches every other, and within a self-transitioning state without leaving it. Immutable once built.
struct StateGraph {
  StateMachine machine;
  graph::MotionGraph graph;             ///< a recording has a run for each unbroken sequence of frames that were kept
  std::vector<std::uint32_t> state_of;  ///< state of each frame of the graph
  std::vector<StateNode> nodes;         ///< ascending, covering all frames
  std::vector<std::uint32_t> node_of;   ///< node of each frame
  std::vector<bool> entered;            ///< frames at which a node can be come into, see `entries_of`
  StateRoutes routes;

  /// The nodes of a state, ascending.
  [[nodiscard]] std::vector<std::uint32_t> nodes_of_state(std::uint32_t state) const;
  /// Frames at which a node can be come into: from outside it, recorded or over a transition. Ascending.
  [[nodiscard]] std::vector<graph::Node> entries_of(std::uint32_t node) const;
  /// Bytes it takes in memory, without the motion itself.
  [[nodiscard]] std::size_t memory() const;
};

/// Fills in the nodes and routes of a graph whose machine, frames and states are set. Nodes of whole states begin at
/// the frames in `action_begins` (frames of the graph, ascending) and wherever a run begins; those of other states are
/// cut before every frame a transition leads to and after every frame one leaves from. Fails when the routes would
/// take more than `kMostRouteBytes`.
Result<void> finish_state_graph(StateGraph& states, std::span<const graph::Node> action_begins);

/// The graph as bytes, for the library. Same graph, same bytes.
std::vector<std::byte> to_bytes(const StateGraph& states);

/// Reads `to_bytes` back, believing nothing: states, nodes and every step of every route are checked.
Result<StateGraph> state_graph_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::behavior
