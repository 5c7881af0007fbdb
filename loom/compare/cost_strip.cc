// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <loom/compare/cost_strip.h>
#include <loom/compare/cpu/cpu_tile.h>

namespace loom::compare {
namespace {

/// What a thread keeps from matrix to matrix.
struct StripWorkspace {
  cpu::Tile tile;
  cpu::CloudPanel cloud;
  cpu::AnglePanel angles;
};

void fill_tile(const Metric& metric, StripWorkspace& space) {
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
void fill_after(const Metric& metric, FrameSpan rows, FrameSpan columns, Square out) {
  static thread_local StripWorkspace space;
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

constexpr std::size_t kTurned = 4096;  ///< columns turned round at a time

/// Distances of rows that come after all columns: computed the other way round.
void fill_before(const Metric& metric, FrameSpan rows, FrameSpan columns, Square out) {
  std::vector<float> turned(std::min(kTurned, columns.size()) * rows.size());
  for (std::size_t from = columns.begin; from < columns.end; from += kTurned) {
    const FrameSpan part{from, std::min(from + kTurned, columns.end)};
    fill_after(metric, part, rows, {turned.data(), rows.size()});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      float* to = out.values + r * out.stride + (from - columns.begin);
      for (std::size_t c = 0; c < part.size(); ++c) to[c] = turned[c * rows.size() + r];
    }
  }
}

}  // namespace

FrameSpan comparable_frames(const Metric& metric, std::size_t clip) {
  FrameSpan frames{metric.frames().starts[clip], metric.frames().starts[clip + 1]};
  while (frames.begin < frames.end && !metric.comparable(frames.begin)) ++frames.begin;
  while (frames.end > frames.begin && !metric.comparable(frames.end - 1)) --frames.end;
  return frames;
}

Result<void> require_kernel(const Metric& metric) {
  if (dynamic_cast<const PointCloud*>(&metric) || dynamic_cast<const JointAngles*>(&metric)) return {};
  return fail("only point-cloud and joint-angle distances are computed for whole clips");
}

void cost_strip(const Metric& metric, FrameSpan rows, FrameSpan columns, std::span<float> out, std::size_t stride) {
  // Columns that come before all rows, among them, and after.
  const std::size_t among = std::clamp(rows.begin, columns.begin, columns.end);
  const std::size_t after = std::clamp(rows.end, among, columns.end);
  if (columns.begin < among) fill_before(metric, rows, {columns.begin, among}, {out.data(), stride});
  if (among < columns.end) {
    fill_after(metric, rows, {among, columns.end}, {out.data() + (among - columns.begin), stride});
  }
  // Where rows and columns are the same frames, what lies above the diagonal is copied below it; rows before the first
  // of these columns have all of theirs already, and those after the last have none.
  if (among == after) return;
  if (after < rows.end) {
    const std::size_t skipped = after - rows.begin;
    fill_before(metric, {after, rows.end}, {among, after},
                {out.data() + skipped * stride + (among - columns.begin), stride});
  }
  const auto cell = [&](std::size_t row, std::size_t column) -> float& {
    return out[(row - rows.begin) * stride + (column - columns.begin)];
  };
  for (std::size_t i = among + 1; i < after; ++i) {
    for (std::size_t j = among; j < i; ++j) cell(i, j) = cell(j, i);
  }
}

}  // namespace loom::compare
