// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/back_end.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// Frames [begin, end) of a set, as the first of a pair.
struct RowRange {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();
};

/// A search for pairs that is done some rows at a time, in any order and by whoever has time: what `all_pairs.h` finds
/// at once, and what the machines of a cluster share. Rows one after the other, joined, are the whole answer, whichever
/// back end found each.
class RowSearch {
 public:
  /// Makes ready what all rows have in common. `metric`, the stances of `query` and `back_end` must outlive the search.
  /// Fails as `find_pairs_under` does, before anything is compared.
  static Result<RowSearch> create(const Metric& metric, const PairQuery& query, bool local_minima,
                                  const BackEnd& back_end = cpu_back_end());

  RowSearch(RowSearch&&) noexcept;
  RowSearch& operator=(RowSearch&&) noexcept;
  ~RowSearch();

  /// The pairs whose first frame is in `rows`, by ascending a, then b, on all cores; `max_pairs` holds for each call.
  /// Fails when a device does and when `progress` asks to stop.
  [[nodiscard]] Result<PairsFound> find(const RowRange& rows, const Progress& progress = {}) const;

  /// How they are looked for: never `PairSearch::kQuicker`.
  [[nodiscard]] PairSearch way() const;

 private:
  struct State;
  explicit RowSearch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom::compare
