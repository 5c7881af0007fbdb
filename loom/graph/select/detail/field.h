// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/motion_graph.h>

namespace loom::graph::detail {

/// Lengths of ways, in frames or in units of eq. 5.2: two bytes, since many are kept.
using Length = std::uint16_t;
inline constexpr Length kFar = 0xFFFF;  ///< there is no way, or none so short

/// Steps of a graph in compressed rows: those of node n are [first[n], first[n + 1]).
struct Steps {
  std::vector<std::uint32_t> first, to;
  std::vector<float> cost;  ///< t of a transition; 0 for going on
};

/// A part of a graph laid out for searching: its nodes counted from 0.
struct Field {
  std::vector<Node> nodes;  ///< of the graph, ascending
  Steps forward, backward;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
  /// Where a node of the graph is; it must be in the field. O(log nodes).
  [[nodiscard]] std::uint32_t at(Node node) const;
};

/// The field of some nodes, ascending, and the steps between them.
Field make_field(const MotionGraph& graph, std::vector<Node> nodes);
/// The field of all nodes.
Field whole_field(const MotionGraph& graph);

/// Searches a field for shortest lengths. Keeps its memory from one search to the next; one a thread.
class LengthSearch {
 public:
  /// The length of the shortest way from any of `starts` to every node, along `steps`: `lengths[n]`, kFar beyond
  /// `most`. Steps are `length_of[e]` long, or 1 where that is empty.
  void run(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts, Length most,
           std::span<Length> lengths);
  /// The same, with the node before each on its way in `before`. Starts and nodes not reached are before themselves.
  void run(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts, Length most,
           std::span<Length> lengths, std::span<std::uint32_t> before);

 private:
  template <typename Before>
  void spread(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts, Length most,
              std::span<Length> lengths, const Before& before);

  std::vector<std::vector<std::uint32_t>> by_length_;
};

}  // namespace loom::graph::detail
