// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// A piece of the matrix of all pairs: the pairs (i, i + d) with `row` <= i < `row` + `rows` and `diagonal` <= d <
/// `diagonal` + `diagonals`. Parts that lie outside the matrix hold no pairs.
///
/// Pieces follow the diagonals because windows do: what D(i, j) needs of its neighbours lies at the same d. A back end
/// is only given pieces of the size it prefers.
struct Piece {
  std::size_t row = 0, rows = 0;
  std::size_t diagonal = 0, diagonals = 0;
};

/// A pair a back end proposes; i < j.
struct Candidate {
  std::uint32_t i = 0, j = 0;
};

/// What a search asks of a back end.
struct CandidateQuery {
  double threshold = 0;       ///< pairs at or under it
  bool local_minima = false;  ///< of those, only where no neighbour (i ± 1, j ± 1) is nearer
};

/// A metric made ready in a back end, where that keeps it: what candidates are asked of. Called from several threads at
/// once.
class CandidateFinder {
 public:
  virtual ~CandidateFinder() = default;

  /// Appends every pair of `piece` that may answer `query`, by ascending i, then j. Fails when a device does.
  virtual Result<void> find(const Piece& piece, const CandidateQuery& query, std::vector<Candidate>& found) const = 0;
};

/// What computes distances in bulk: the processor's vector units, or a graphics card, behind the same few functions. A
/// back end works in any precision it likes: its candidates are a superset of what was asked for, and the search
/// confirms each with `Metric::distance`, so results are the same whatever back end ran.
class BackEnd {
 public:
  virtual ~BackEnd() = default;

  /// "cpu" or "cuda".
  [[nodiscard]] virtual const char* kind() const = 0;
  /// "cpu-avx512" or the like, for reports.
  [[nodiscard]] virtual const char* name() const = 0;
  /// Whether it can compute `metric`; fails saying what is missing.
  [[nodiscard]] virtual Result<void> supports(const Metric& metric) const = 0;
  /// The size of the pieces it works on; `row` and `diagonal` are zero.
  [[nodiscard]] virtual Piece preferred_piece() const = 0;
  /// Makes `metric` ready, which must outlive the answer. Fails as `supports`, and where there is no room for it.
  [[nodiscard]] virtual Result<std::unique_ptr<CandidateFinder>> prepare(const Metric& metric) const = 0;
};

/// This machine's cores, with the widest vector instructions they have.
const BackEnd& cpu_back_end();

}  // namespace loom::compare
