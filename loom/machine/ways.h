// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <loom/behavior/state_machine.h>

namespace loom::machine {

/// A transition between two different states as a step of a way: the likelier, the cheaper (Srinivasan 2009 eq. 6.1).
struct Edge {
  std::size_t from = 0, to = 0;
  std::size_t transition = 0;  ///< which of the machine's
  double probability = 0;      ///< its weight over those of all that leave the state
  double cost = 0;             ///< -log probability
};

/// The transitions between different states, ordered by state and by target. Staying is no step: self-transitions say
/// that one may, not how likely one does.
std::vector<Edge> edges_of(const behavior::StateMachine& machine);

/// Ways between nodes of a small weighted graph: Dijkstra, again for every question. Costs are not negative.
class Ways {
 public:
  /// `edges` tells where edges lead; their costs are given beside, so that they may change.
  Ways(std::size_t nodes, std::span<const Edge> edges);

  /// The edges of the cheapest way; none where there is no way. Of ways that cost the same, that of fewest edges, then
  /// that through the edges written first. `without` may name an edge that is not to be used.
  [[nodiscard]] std::optional<std::vector<std::size_t>> cheapest(
      std::size_t from, std::size_t to, std::span<const double> costs,
      std::size_t without = std::numeric_limits<std::size_t>::max()) const;

  /// The cheapest way that is not `way`, a way without circles: it lacks one of its edges at least. O(edges of the way)
  /// searches.
  [[nodiscard]] std::optional<std::vector<std::size_t>> cheapest_other(std::span<const std::size_t> way,
                                                                       std::span<const double> costs) const;

  [[nodiscard]] const Edge& edge(std::size_t index) const { return edges_[index]; }
  [[nodiscard]] std::size_t edges() const { return edges_.size(); }
  [[nodiscard]] std::size_t nodes() const { return out_.size(); }
  /// The edge between two nodes.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t from, std::size_t to) const;

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> out_;  ///< edges of each node
};

/// What a way costs.
double cost_of(std::span<const std::size_t> way, std::span<const double> costs);

}  // namespace loom::machine
