// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/connect/detail/way_graph.h>
#include <loom/graph/connect/detail/way_trees.h>

namespace loom::graph {

/// What makes some nodes dearer: those that are not kept cost `factor` sixteenths to enter (Zhao 2009 §4.1.4).
struct Penalty {
  std::span<const std::uint8_t> kept{};  ///< a byte a node; empty: all cost what they cost
  std::uint32_t factor = 16;
};

/// The stops of a graph alone, with a way for every shortest crossing of what lies between them.
struct Overlay {
  WayGraph graph;  ///< its nodes are the stops, in order
  /// Of each way: the way of the whole that it is, kWentOn, or kNoWay for a crossing.
  std::vector<std::uint32_t> stands_for;
  std::vector<std::uint32_t> group;  ///< of each way that is a crossing: what it crosses
};

/// Shortest ways between stops (recorded frames, and the mixed ones from which one may go over to another lattice) by
/// way of what lies between them.
///
/// Mixed motion hangs together in small groups, a lattice each, which stops alone join: a way goes from stop to stop
/// over groups. So what it costs to cross a group is found within it, once, and what is searched from every recorded
/// frame is the graph of the stops alone: a hundredth of the whole.
class Crossings {
 public:
  /// `stops` ascending. Keeps references to both.
  Crossings(const WayGraph& graph, std::span<const std::uint32_t> stops);

  /// All crossings that no going on makes needless. On all cores. Groups in which the penalty is what it was the last
  /// time are not searched again.
  [[nodiscard]] Overlay overlay(const Penalty& penalty = {});
  /// Adds what overlay ways that are needed so often need of the whole. `overlay` was made with the same penalty. On
  /// all cores.
  void add_usage(const Overlay& overlay, const Usage& needed, const Penalty& penalty, Usage& usage) const;

 private:
  /// A way from a stop into a group; `by` may be kWentOn.
  struct Entry {
    std::uint32_t group = 0, from = 0, to = 0, by = 0;
  };
  /// From stop to stop over a group.
  struct Crossing {
    std::uint32_t from = 0, to = 0, cost = 0;
  };
  class Search;

  /// Searches the groups that are dearer or cheaper than they were.
  void cross_changed(const Penalty& penalty);
  [[nodiscard]] std::vector<Crossing> cross(std::size_t group, Search& search, const Penalty& penalty) const;
  /// Whether one stop goes on to the next, and it costs more than a frame.
  [[nodiscard]] bool goes_on_dearer(std::uint32_t stop, const Penalty& penalty) const;
  void find_groups();
  void find_entries();
  [[nodiscard]] std::span<const Entry> entries_of(std::size_t group) const {
    return std::span(entries_).subspan(first_entry_[group], first_entry_[group + 1] - first_entry_[group]);
  }

  const WayGraph& graph_;
  std::span<const std::uint32_t> stops_;
  std::vector<std::uint32_t> number_;  ///< of each stop among them; kNoWay for other nodes
  std::vector<std::uint32_t> group_;   ///< of each node that is no stop
  std::size_t groups_ = 0;
  std::vector<Entry> entries_;  ///< by group, then by where they begin
  std::vector<std::size_t> first_entry_;
  std::vector<std::vector<Crossing>> crossings_;  ///< of each group, as they were the last time
  std::vector<std::uint8_t> last_kept_;           ///< of the penalty they were found with
  std::uint32_t last_factor_ = 0;                 ///< 0: they were not found yet
};

}  // namespace loom::graph
