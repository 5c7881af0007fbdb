// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {

/// The nodes chosen so far, and how far each is from every source within them. Lengths are brought up to date when they
/// are asked for: since adding nodes only shortens ways, what was short enough once is so for good.
class Chosen {
 public:
  /// Key frames, and `start`.
  Chosen(const Problem& problem, std::span<const std::uint32_t> start);

  [[nodiscard]] bool has(std::uint32_t node) const { return has_[node]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::vector<std::uint32_t> nodes() const;  ///< ascending

  void add(std::span<const std::uint32_t> nodes);
  /// The same for a wish that needs them.
  void add_for(const Wish& wish, std::span<const std::uint32_t> nodes);
  /// Whether there is a way short enough.
  bool meets(const Wish& wish);

  /// Takes nodes out where everything asked for is met without them as well; says whether it did.
  bool remove_if_met(std::span<const std::uint32_t> nodes);
  /// Takes nodes out whatever becomes of it, and appends what is asked for and no longer met.
  void remove(std::span<const std::uint32_t> nodes, std::vector<Wish>& unmet);

 private:
  /// Lengths from one source of one layer.
  struct Row {
    std::uint32_t layer = 0, source = 0;
    std::size_t seen = 0;  ///< how much of `added_` they take into account
    std::vector<Length> length;
  };

  /// A length that is another since nodes were taken out.
  struct Change {
    std::uint32_t node = 0;
    Length before = 0;
  };
  /// Nodes by length, nearest first.
  using Queue = std::priority_queue<std::pair<Length, std::uint32_t>, std::vector<std::pair<Length, std::uint32_t>>,
                                    std::greater<>>;

  void search(Row& row, std::vector<std::uint32_t>& queue) const;
  void bring_up_to_date(Row& row);
  void bring_all_up_to_date();
  [[nodiscard]] Length length_to(const Row& row, std::size_t target) const;
  /// Brings a row up to date after `nodes` were taken out, and appends what changed. O(what changes, log of it).
  void take_out(Row& row, std::span<const std::uint32_t> nodes, std::vector<Change>& changes) const;
  static void undo(Row& row, std::span<const Change> changes);
  /// Whether something asked of the row was met before the changes, and is not now.
  [[nodiscard]] bool breaks(const Row& row, std::span<const Change> changes) const;
  /// Calls `visit(target)` for what is asked of the row and was met before the changes, and is not now.
  template <typename Visit>
  void for_each_unmet(const Row& row, std::span<const Change> changes, const Visit& visit) const;

  const Problem& problem_;
  std::vector<char> has_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> added_;
  std::vector<Row> rows_;
  std::vector<std::size_t> first_row_;  ///< of each layer
  /// Of each node a row that could not do without it when it was last asked, kNoRow where none is known. Mostly it
  /// still cannot: looked at first, it spares looking at all others.
  std::vector<std::uint32_t> needed_by_;
  std::vector<std::vector<Change>> changes_;  ///< of each row, while nodes are taken out on trial
  std::vector<std::uint32_t> queue_;
};

}  // namespace loom::graph::detail
