// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/select/detail/chosen.h>
#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {

/// Finds ways that are short enough and need fewest nodes that are not chosen yet (Zhao 2009 §5.3.4).
///
/// The work fills a table of costs by node and length. Costs are small whole numbers and mostly 0 or a few, so this
/// goes by cost instead: for 0, 1, 2, ... new nodes it finds how short a way to each node can be, and stops at the
/// first number with which the target is reached in time. A node from which the target is too far anyway is left out,
/// as in the work. O(new nodes × steps near the shortest way), where the table is O(length × steps).
class ConstrainedPath {
 public:
  explicit ConstrainedPath(const Problem& problem);

  /// The new nodes of the way, of several with as few the shortest; empty when there is a way without, and when there
  /// is none.
  std::span<const std::uint32_t> find(const Wish& wish, const Chosen& chosen);

 private:
  /// That a node can be reached so, with as many new nodes as are being tried.
  struct Label {
    std::uint32_t node = 0, before = 0;  ///< `before`: a label
    Length length = 0;
  };

  const Problem& problem_;
  std::vector<Label> labels_;
  std::vector<std::uint32_t> next_;                    ///< labels with one new node more
  std::vector<std::vector<std::uint32_t>> by_length_;  ///< labels that wait
  std::vector<Length> shortest_;                       ///< of each node, as found so far
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> found_;
};

}  // namespace loom::graph::detail
