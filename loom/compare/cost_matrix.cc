// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/cost_strip.h>

namespace loom::compare {
namespace {

/// Carries the outermost comparable rows and columns to the ends of the clips.
void extend_edges(CostMatrix& matrix, FrameSpan rows, FrameSpan columns) {
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    float* row = matrix.values.data() + i * matrix.columns;
    std::fill(row, row + columns.begin, row[columns.begin]);
    std::fill(row + columns.end, row + matrix.columns, row[columns.end - 1]);
  }
  const auto copy_row = [&](std::size_t from, std::size_t to) {
    std::copy_n(matrix.values.begin() + static_cast<std::ptrdiff_t>(from * matrix.columns), matrix.columns,
                matrix.values.begin() + static_cast<std::ptrdiff_t>(to * matrix.columns));
  };
  for (std::size_t i = 0; i < rows.begin; ++i) copy_row(rows.begin, i);
  for (std::size_t i = rows.end; i < matrix.rows; ++i) copy_row(rows.end - 1, i);
}

Result<CostMatrix> fill_matrix(const Metric& metric, std::size_t a, std::size_t b) {
  if (const auto known = require_kernel(metric); !known) return fail_from(known);
  const FrameSet& set = metric.frames();
  const std::size_t row_count = set.starts[a + 1] - set.starts[a], column_count = set.starts[b + 1] - set.starts[b];
  const auto room = require_memory(cost_matrix_bytes(row_count, column_count),
                                   fmt::format("comparing {} frames with {}", row_count, column_count),
                                   "cut the clips, or take a lower rate", {"rate"});
  if (!room) return fail_from(room);
  const FrameSpan rows = comparable_frames(metric, a), columns = comparable_frames(metric, b);
  if (rows.size() == 0 || columns.size() == 0) {
    return fail("clip " + std::to_string(rows.size() == 0 ? a : b) + " is too short for the distance's window");
  }
  CostMatrix matrix{row_count, column_count, {}};
  matrix.values.resize(matrix.rows * matrix.columns);
  const FrameSpan inner_rows{rows.begin - set.starts[a], rows.end - set.starts[a]};
  const FrameSpan inner_columns{columns.begin - set.starts[b], columns.end - set.starts[b]};
  const std::size_t first = inner_rows.begin * matrix.columns + inner_columns.begin;
  cost_strip(metric, rows, columns, std::span(matrix.values).subspan(first), matrix.columns);
  extend_edges(matrix, inner_rows, inner_columns);
  return matrix;
}

}  // namespace

double cost_matrix_bytes(std::size_t rows, std::size_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float);
}

Result<CostMatrix> cost_matrix(const Metric& metric, std::size_t a, std::size_t b) {
  return within_memory("comparing such long clips", [&] { return fill_matrix(metric, a, b); });
}

}  // namespace loom::compare
