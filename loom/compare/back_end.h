// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// Some squares of a picture of the matrix, `cell` × `cell` frames each: rows of i, columns of j.
struct ImageCells {
  std::size_t cell = 1;
  std::size_t first_row = 0, rows = 0;        ///< squares
  std::size_t first_column = 0, columns = 0;  ///< squares
  std::vector<float> minimum;                 ///< infinite where a square has no comparable pair
  std::vector<std::int64_t>
      sum;  ///< of distances, in units of 2^-unit_bits(), so that the order of adding is no matter
  std::vector<std::uint64_t> compared;  ///< comparable pairs in the square

  /// Bits behind the point in `sum`: 32, and fewer in squares of more than 1024 frames a side.
  [[nodiscard]] int unit_bits() const { return std::min(32, 52 - 2 * side_bits()); }
  /// The largest mean distance of a square: if nothing adds more a pair, no sum passes 2^62. At least 1024.
  [[nodiscard]] double most() const { return std::ldexp(1.0, 62 - 2 * side_bits() - unit_bits()); }
  [[nodiscard]] int side_bits() const { return static_cast<int>(std::bit_width(cell - 1)); }

  [[nodiscard]] std::size_t at(std::size_t row, std::size_t column) const {
    return (row - first_row) * columns + (column - first_column);
  }
};

/// What computes distances in bulk: the processor's vector units here, a graphics card or a cluster behind the same
/// few functions. A back end works in any precision it likes: its candidates are a superset of what was asked for, and
/// the search confirms each with `Metric::distance`, so results are the same whatever back end ran. It is called from
/// several threads at once.
class BackEnd {
 public:
  virtual ~BackEnd() = default;

  /// "cpu-avx512" or the like, for reports.
  [[nodiscard]] virtual const char* name() const = 0;
  /// Whether it can compute `metric`; fails saying what is missing.
  [[nodiscard]] virtual Result<void> supports(const Metric& metric) const = 0;
  /// The size of the pieces it works on; `row` and `diagonal` are zero.
  [[nodiscard]] virtual Piece preferred_piece() const = 0;
  /// Appends every pair of `piece` that may answer `query`, by ascending i, then j.
  virtual void find_candidates(const Metric& metric, const Piece& piece, const CandidateQuery& query,
                               std::vector<Candidate>& found) const = 0;
  /// Adds the distances of `piece` to `cells`, which cover it.
  virtual void add_to_image(const Metric& metric, const Piece& piece, ImageCells& cells) const = 0;
};

/// This machine's cores, with the widest vector instructions they have.
const BackEnd& cpu_back_end();

}  // namespace loom::compare
