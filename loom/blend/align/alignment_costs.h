// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <loom/base/result.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/metric.h>
#include <loom/motion/clip.h>

namespace loom::blend {

/// What it costs to let a frame of one clip happen with a frame of another, for all frames of some clips: what time
/// warps are found on, and what the alignment tool shows.
///
/// A distance looks at the neighbours of a frame, and the frames at the ends of a clip lack some. Here the first and
/// the last frame stand in for them, so that costs are defined to the very ends, where warps begin.
class AlignmentCosts {
 public:
  /// Clips of one body and one rate, each of one frame at least. Fails as `compare::make_frame_set` does.
  static Result<AlignmentCosts> create(std::span<const motion::Clip> clips,
                                       compare::MetricKind kind = compare::MetricKind::kPointCloud);

  /// The costs of clips `a` (rows) and `b` (columns), by their number; square metres, or radians.
  [[nodiscard]] Result<compare::CostMatrix> between(std::size_t a, std::size_t b) const;

 private:
  AlignmentCosts(std::unique_ptr<const compare::Metric> metric, std::size_t padding)
      : metric_(std::move(metric)), padding_(padding) {}

  std::unique_ptr<const compare::Metric> metric_;
  std::size_t padding_ = 0;  ///< frames added before and after each clip
};

}  // namespace loom::blend
