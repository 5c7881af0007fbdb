// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// The distances of all frames of one clip to all frames of another (Srinivasan 2009 §5.2): what time alignment reads
/// and the alignment tool shows.
struct CostMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;  ///< rows × columns, not negative, finite

  [[nodiscard]] float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// Bytes of such a matrix.
double cost_matrix_bytes(std::size_t rows, std::size_t columns);

/// Fills the matrix of clips `a` (rows) and `b` (columns) of the metric's frame set, by the kernels of the all-pairs
/// engine; about 0.35 ms for 300 × 300 frames. Frames that are not comparable, at the ends of a clip, take the cost of
/// the nearest that are. Fails when a clip has no comparable frame, where memory does not suffice, and for metrics
/// other than `PointCloud` and `JointAngles`.
Result<CostMatrix> cost_matrix(const Metric& metric, std::size_t a, std::size_t b);

}  // namespace loom::compare
