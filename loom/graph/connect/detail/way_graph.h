// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loom::graph {

/// A way from one node to another that is not just going on.
struct Way {
  std::uint32_t from = 0, to = 0;
  float distance = 0;              ///< of the similar frames it was made for
  float shift_x = 0, shift_z = 0;  ///< metres on the floor that keep what stands where it is
  /// Whether it begins (1) or ends (2) in the second recording of a mix, or kAligned.
  std::uint8_t second = 0;
  float turn = 0;  ///< radians; only where it is kAligned

  /// In `second`: what is entered is carried by shift and turn as they are.
  static constexpr std::uint8_t kAligned = 4;
};

/// Nodes and ways with what they cost, for finding shortest ones from many nodes: laid out closely, costs as whole
/// numbers of 1/kFrameCost of a frame.
struct WayGraph {
  std::uint32_t nodes = 0;
  std::vector<std::uint8_t> goes_on;            ///< of each node, whether node + 1 can be gone on to
  std::vector<std::uint32_t> first;             ///< ways of node n: first[n] to first[n + 1] - 1
  std::vector<std::uint32_t> sources, targets;  ///< of each way
  std::vector<std::uint32_t> costs;
};

inline constexpr std::uint32_t kFrameCost = 16;
inline constexpr std::uint32_t kNoWay = ~std::uint32_t{0};
/// Instead of the number of a way: came by going on.
inline constexpr std::uint32_t kWentOn = kNoWay - 1;

/// The cost of a way at distance `s`: a frame, and for its roughness 1 - exp(-s / sigma) times `smoothness` frames (the
/// weighted sum of length and smoothness of Zhao 2009 §4.1.3).
std::uint32_t cost_of(float distance, double sigma, double smoothness);

/// Puts ways, sorted by where they begin, together with going on.
WayGraph make_way_graph(std::vector<std::uint8_t> goes_on, std::span<const Way> ways, double sigma, double smoothness);

/// Shortest ways from one node after the other (Dijkstra 1959, with a bucket for every cost, Dial 1969). Keeps its
/// arrays from search to search: O(nodes + ways + longest cost) each.
class WaySearch {
 public:
  explicit WaySearch(const WayGraph& graph);

  /// Finds shortest ways from `source`. Where `kept` is given, reaching a node that is not kept costs `factor`
  /// sixteenths (Zhao 2009 §4.1.4). Of ways that cost the same the one found first counts, and nodes are looked at in
  /// an order that depends on the graph alone.
  void run(std::uint32_t source, std::span<const std::uint8_t> kept = {}, std::uint32_t factor = 16);

  /// What the shortest way to a node costs; kNoWay where there is none.
  [[nodiscard]] std::uint32_t cost(std::uint32_t node) const { return reached_[node].cost; }
  /// How a node was reached: the number of a way, kWentOn, or kNoWay for the source and what was not reached.
  [[nodiscard]] std::uint32_t came_by(std::uint32_t node) const { return reached_[node].by; }
  /// The node before one that was reached, on the way to it.
  [[nodiscard]] std::uint32_t before(std::uint32_t node) const {
    return reached_[node].by == kWentOn ? node - 1 : graph_.sources[reached_[node].by];
  }

 private:
  template <typename Step>
  void search(std::uint32_t source, const Step& step);

  const WayGraph& graph_;
  std::uint32_t dearest_ = kFrameCost;  ///< step
  struct Reached {
    std::uint32_t cost = kNoWay, by = kNoWay;
  };
  std::vector<Reached> reached_;
  std::vector<std::vector<std::uint32_t>> buckets_;
};

}  // namespace loom::graph
