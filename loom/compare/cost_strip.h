// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include <loom/base/result.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// Frames [begin, end) of a set.
struct FrameSpan {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  friend bool operator==(const FrameSpan&, const FrameSpan&) = default;
};

/// The comparable frames of a clip of the metric's set, which are consecutive; empty where it is too short.
FrameSpan comparable_frames(const Metric& metric, std::size_t clip);

/// Whether the kernels can compute `metric`: it is a `PointCloud` or a `JointAngles`.
Result<void> require_kernel(const Metric& metric);

/// The distances of some consecutive frames of a set to others, wherever the two lie: rows × columns of them, rows
/// `stride` numbers apart, by the kernels of the all-pairs engine. All frames must be comparable, and the metric one
/// that `require_kernel` allows. On the calling thread; about 4 ns a cell where the rows come first, and some 20 ns
/// where few rows come after the columns, since a tile of the engine knows only pairs (i, j) with i <= j.
void cost_strip(const Metric& metric, FrameSpan rows, FrameSpan columns, std::span<float> out, std::size_t stride);

}  // namespace loom::compare
