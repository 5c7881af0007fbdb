// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/motion_graph.h>

namespace loom::graph {

inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

/// For every node, in how many frames it reaches the nearest of `targets`. O(nodes + edges); builds the reversed
/// edges, so ask for many targets through `FramesTo`.
std::vector<std::uint32_t> frames_to(const MotionGraph& graph, std::span<const Node> targets);

/// For every node, in how many frames it can be reached from the nearest of some sources; each step along the graph,
/// recorded or transition, takes one frame. For many sets of sources over one graph: the edges laid out closely, a
/// sixth of the memory to go through. O(nodes + edges) each.
class FramesFrom {
 public:
  explicit FramesFrom(const MotionGraph& graph);
  [[nodiscard]] std::vector<std::uint32_t> find(std::span<const Node> sources) const;

 private:
  std::vector<std::uint32_t> first_, targets_;  ///< edges that leave each node, in compressed rows
};

/// `frames_to` for many sets of targets over one graph.
class FramesTo {
 public:
  explicit FramesTo(const MotionGraph& graph);
  [[nodiscard]] std::vector<std::uint32_t> find(std::span<const Node> targets) const;

 private:
  std::vector<std::uint32_t> first_, sources_;  ///< edges that lead to each node, in compressed rows
};

}  // namespace loom::graph
