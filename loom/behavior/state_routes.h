// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>

namespace loom::behavior {

struct StateGraph;

/// The next step of a quickest way, and how long the way is from here.
struct Step {
  std::uint16_t frames = 0;  ///< until the first frame of the goal is shown; 0: this is one
  std::uint16_t hop = 0;     ///< which of the frame's transitions to take; kGoOn: the recording's next frame

  friend bool operator==(const Step&, const Step&) = default;
};
inline constexpr std::uint16_t kGoOn = 0xffff;

/// Routes larger than this are refused: such a machine asks for more fully connected transitions than is sensible.
inline constexpr std::size_t kMostRouteBytes = std::size_t{1} << 30;

/// The quickest ways of a state graph, ready without search (Chiu 2007 §4, "fully connected transitions"): four bytes
/// for each frame and goal say where to go next and how long it will take, instead of a path each.
struct StateRoutes {
  std::size_t frames = 0;                ///< of the graph
  std::vector<std::uint32_t> targets;    ///< nodes that have routes: those of all targets of full transitions
  std::vector<std::uint32_t> target_of;  ///< for each node of the graph its place in `targets`, or kNoTarget
  std::vector<Step> to_node;             ///< targets × frames
  std::vector<Step> to_state;            ///< states × frames: to the nearest frame of a state

  static constexpr std::uint32_t kNoTarget = ~std::uint32_t{0};

  /// The step from `frame` on the way to node `node`, which must be a target.
  [[nodiscard]] Step to(std::uint32_t node, graph::Node frame) const {
    return to_node[target_of[node] * frames + frame];
  }
  [[nodiscard]] Step towards(std::uint32_t state, graph::Node frame) const { return to_state[state * frames + frame]; }
};

/// The frame a step leads to.
inline graph::Node follow(const graph::MotionGraph& graph, graph::Node frame, Step step) {
  return step.hop == kGoOn ? frame + 1 : graph.transitions_of(frame)[step.hop].to;
}

/// Finds all routes of a graph whose states and nodes are set: one breadth-first search for each target, each frame
/// taking one step. O(targets × edges), on all cores. Of equally quick ways the one that goes on is taken, then the one
/// over the cheaper transition. Fails past `kMostRouteBytes`.
Result<StateRoutes> find_routes(const StateGraph& states);

/// What is wrong with the routes of a graph out of a file; empty when every step leads one frame nearer to its goal.
std::string find_route_fault(const StateGraph& states);

}  // namespace loom::behavior
