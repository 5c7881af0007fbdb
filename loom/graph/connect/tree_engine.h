// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <loom/base/result.h>

namespace loom::graph {

struct WayGraph;
struct WaysInto;
struct Usage;

/// Who else can grow shortest-path trees: a graphics card (graph/cuda/card_trees.h). What it finds is what WayTrees
/// does.
class TreeEngine {
 public:
  virtual ~TreeEngine() = default;

  /// Adds by how many of the trees from `sources` to the `wanted` nodes (a byte a node) each node and way is needed.
  /// False, and nothing added, where it is left to the processor.
  virtual Result<bool> add_usage(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted,
                                 std::span<const std::uint32_t> sources, Usage& usage) = 0;
};

}  // namespace loom::graph
