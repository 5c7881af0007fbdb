// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/connect/detail/way_graph.h>

namespace loom::graph {

/// How often nodes and ways are needed: by how many of the ends that one may start from.
struct Usage {
  std::vector<std::uint32_t> nodes, ways;

  Usage(std::size_t node_count, std::size_t way_count) : nodes(node_count), ways(way_count) {}
  void add(const Usage& other) {
    for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] += other.nodes[n];
    for (std::size_t w = 0; w < ways.size(); ++w) ways[w] += other.ways[w];
  }
};

/// The ways of a graph by where they end, cheapest first.
struct WaysInto {
  explicit WaysInto(const WayGraph& graph);

  std::vector<std::uint32_t> first;  ///< ways into node n: first[n] to first[n + 1] - 1
  std::vector<std::uint32_t> ways;   ///< their numbers
};

/// Shortest ways from many nodes, sixteen at once.
///
/// What `WaySearch` finds one source after the other is found here for sixteen of them together, a lane of the vector
/// unit each. Nodes wait in buckets as wide as the cheapest step, by the least of their lanes; a node that is looked at
/// passes all its lanes on, and is looked at again where one of them becomes less. Frames that follow each other get to
/// nearly all others by the same ways: counted from where the first of them began, their lanes say nearly the same, so
/// that few nodes are looked at twice. Which of several shortest ways belongs to a tree is settled afterwards, going
/// by costs alone: going on comes first, then the cheapest way, then the one with the smallest number.
class WayTrees {
 public:
  static constexpr std::size_t kAtOnce = 16;

  /// Trees are grown to the nodes that are `wanted` (a byte a node; empty: all). Keeps references to all.
  WayTrees(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted = {});

  /// Finds shortest ways from up to kAtOnce sources, ascending. O(nodes + ways) for all of them together where they
  /// follow each other, up to as much for each where they do not.
  void run(std::span<const std::uint32_t> sources);
  /// What the shortest way from a source of the last run costs; kNoWay where there is none.
  [[nodiscard]] std::uint32_t cost(std::size_t source, std::uint32_t node) const;
  /// Adds how many of the last run's trees have each node and each way on the way to a wanted node.
  void add_to(Usage& usage);

 private:
  void search(std::size_t waiting);
  void follow(std::uint32_t* way_usage);

  /// What it costs to get to a node from each of the sources.
  struct alignas(64) Costs {
    std::array<std::uint32_t, kAtOnce> from;
  };

  const WayGraph& graph_;
  const WaysInto& into_;
  std::span<const std::uint8_t> wanted_;
  std::uint32_t dearest_ = kFrameCost;  ///< step
  std::vector<std::uint32_t> sources_;
  std::array<std::uint32_t, kAtOnce> late_{};  ///< cost that each source begins with
  std::vector<Costs> costs_;                   ///< of each node
  std::vector<std::uint32_t> waits_;           ///< of each node: the bucket it waits in
  std::vector<std::vector<std::uint32_t>> buckets_;
  std::vector<std::uint16_t> needed_, added_;  ///< of each node: trees that need it, a bit each; those already followed
  std::vector<std::uint32_t> open_;            ///< nodes with trees to follow
};

}  // namespace loom::graph
