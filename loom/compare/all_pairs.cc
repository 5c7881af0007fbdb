// SPDX-License-Identifier: MIT
#include <loom/base/memory.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/row_search.h>

namespace loom::compare {
namespace {

Result<PairsFound> search(const Metric& metric, const PairQuery& query, bool local_minima, const Progress& progress,
                          const BackEnd& back_end) {
  return within_memory("comparing so many frames", [&]() -> Result<PairsFound> {
    const auto rows = RowSearch::create(metric, query, local_minima, back_end);
    if (!rows) return fail_from(rows);
    return rows->find({}, progress);
  });
}

}  // namespace

double comparison_bytes(std::size_t frames, std::size_t joints) {
  // FrameSet: positions, rotations, ground. Metric: points by frame and by coordinate, and a few sums. Near pairs: the
  // points once more, and the numbers they are told by.
  const auto j = static_cast<double>(joints);
  return static_cast<double>(frames) * (28 * j + 12 + 16 * j + 36 + 12 * j + 150);
}

Result<PairsFound> find_pairs_under(const Metric& metric, const PairQuery& query, const Progress& progress,
                                    const BackEnd& back_end) {
  return search(metric, query, false, progress, back_end);
}

Result<PairsFound> find_local_minima(const Metric& metric, const PairQuery& query, const Progress& progress,
                                     const BackEnd& back_end) {
  return search(metric, query, true, progress, back_end);
}

}  // namespace loom::compare
