// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom::graph {

/// Strongly connected components of a directed graph: within one, every node can reach every other.
struct Components {
  std::vector<std::uint32_t> of;    ///< component of each node
  std::vector<std::uint32_t> size;  ///< nodes of each component
  std::uint32_t largest = 0;        ///< the component with most nodes; of equals the one whose first node comes first
};

/// Edges in compressed rows: those of node n are targets[first[n]] to targets[first[n + 1] - 1].
struct EdgesView {
  std::span<const std::uint32_t> first;  ///< nodes + 1 entries
  std::span<const std::uint32_t> targets;
};

/// Tarjan's algorithm (Tarjan 1972) with its own stack, so that a path of a million nodes does not exhaust the
/// program's. O(nodes + edges).
Components find_components(EdgesView edges);

}  // namespace loom::graph
