// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/cpu/cpu_tile.h>

namespace loom::compare {
namespace {

/// Frames [begin, end) of a set.
struct Frames {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

Frames comparable_frames(const Metric& metric, std::size_t clip) {
  Frames frames{metric.frames().starts[clip], metric.frames().starts[clip + 1]};
  while (frames.begin < frames.end && !metric.comparable(frames.begin)) ++frames.begin;
  while (frames.end > frames.begin && !metric.comparable(frames.end - 1)) --frames.end;
  return frames;
}

/// What a thread keeps from matrix to matrix.
struct Workspace {
  cpu::Tile tile;
  cpu::CloudPanel cloud;
  cpu::AnglePanel angles;
};

void fill_tile(const Metric& metric, Workspace& space) {
  if (const auto* cloud = dynamic_cast<const PointCloud*>(&metric)) {
    cpu::pack_cloud(cloud->table(), space.tile, space.cloud);
    cpu::fill_cloud_tile(space.cloud, space.tile);
  } else if (const auto* angles = dynamic_cast<const JointAngles*>(&metric)) {
    cpu::pack_angles(angles->table(), space.tile, space.angles);
    cpu::fill_angle_tile(space.angles, space.tile);
  }
}

/// A square of distances within a larger array.
struct Square {
  float* values;
  std::size_t stride;
};

/// Distances of all rows with all columns that do not come before them: a tile knows only pairs (i, j) with i <= j.
/// A tile is a parallelogram, rows by differences of frames, so it takes those that cover the rectangle.
void fill_after(const Metric& metric, Frames rows, Frames columns, Square out) {
  static thread_local Workspace space;
  cpu::Tile& tile = space.tile;
  for (tile.row = rows.begin; tile.row < rows.end; tile.row += cpu::kTileRows) {
    tile.rows = std::min(cpu::kTileRows, rows.end - tile.row);
    const std::size_t last_row = tile.row + tile.rows - 1;
    tile.diagonal = columns.begin > last_row ? columns.begin - last_row : 0;
    for (; tile.row + tile.diagonal < columns.end; tile.diagonal += cpu::kBandWidth) {
      fill_tile(metric, space);
      for (std::size_t r = 0; r < tile.rows; ++r) {
        const std::size_t first = tile.row + r + tile.diagonal;  // frame of lane 0
        const std::size_t begin = std::max(first, columns.begin);
        const std::size_t end = std::min(first + cpu::kBandWidth, columns.end);
        const float* lanes = tile.at(static_cast<std::ptrdiff_t>(r)) - first;
        float* to = out.values + (tile.row + r - rows.begin) * out.stride - columns.begin;
        for (std::size_t j = begin; j < end; ++j) to[j] = std::max(0.0f, lanes[j]);
      }
    }
  }
}

/// Carries the outermost comparable rows and columns to the ends of the clips.
void extend_edges(CostMatrix& matrix, Frames rows, Frames columns) {
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

CostMatrix transposed(const CostMatrix& matrix) {
  CostMatrix other{matrix.columns, matrix.rows, std::vector<float>(matrix.values.size())};
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) other.values[j * matrix.rows + i] = matrix.at(i, j);
  }
  return other;
}

/// Copies what lies above the diagonal below it.
void mirror_diagonal(CostMatrix& matrix) {
  for (std::size_t i = 1; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) matrix.values[i * matrix.columns + j] = matrix.at(j, i);
  }
}

Result<CostMatrix> fill_matrix(const Metric& metric, std::size_t a, std::size_t b) {
  if (!dynamic_cast<const PointCloud*>(&metric) && !dynamic_cast<const JointAngles*>(&metric)) {
    return fail("only point-cloud and joint-angle distances are computed for whole clips");
  }
  if (a > b) {
    auto other = fill_matrix(metric, b, a);
    if (!other) return other;
    return transposed(*other);
  }
  const FrameSet& set = metric.frames();
  const std::size_t row_count = set.starts[a + 1] - set.starts[a], column_count = set.starts[b + 1] - set.starts[b];
  const auto room = require_memory(cost_matrix_bytes(row_count, column_count),
                                   fmt::format("comparing {} frames with {}", row_count, column_count),
                                   "cut the clips, or take a lower rate", {"rate"});
  if (!room) return fail_from(room);
  const Frames rows = comparable_frames(metric, a), columns = comparable_frames(metric, b);
  if (rows.size() == 0 || columns.size() == 0) {
    return fail("clip " + std::to_string(rows.size() == 0 ? a : b) + " is too short for the distance's window");
  }
  CostMatrix matrix{row_count, column_count, {}};
  matrix.values.resize(matrix.rows * matrix.columns);
  const Frames inner_rows{rows.begin - set.starts[a], rows.end - set.starts[a]};
  const Frames inner_columns{columns.begin - set.starts[b], columns.end - set.starts[b]};
  fill_after(metric, rows, columns,
             {matrix.values.data() + inner_rows.begin * matrix.columns + inner_columns.begin, matrix.columns});
  if (a == b) mirror_diagonal(matrix);
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
