// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <loom/base/whole.h>
#include <loom/blend/align/alignment_costs.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>

namespace loom::blend {
namespace {

/// The window of the point-cloud distance, seconds to either side: as Zhao 2009 has it, a third of a second in all.
constexpr double kHalfWindow = 1.0 / 6;

/// A clip with its first and last frame repeated.
motion::Clip with_repeated_ends(const motion::Clip& clip, std::size_t count) {
  motion::Clip out{clip.name, clip.skeleton, clip.rate, {}, {}, {}};
  const std::size_t last = clip.frames() - 1;
  for (std::size_t f = 0; f < clip.frames() + 2 * count; ++f) {
    const std::size_t from = std::min(last, f - std::min(f, count));
    out.roots.push_back(clip.roots[from]);
    out.rotations.insert(out.rotations.end(), clip.pose(from).begin(), clip.pose(from).end());
  }
  return out;
}

}  // namespace

Result<AlignmentCosts> AlignmentCosts::create(std::span<const motion::Clip> clips, compare::MetricKind kind) {
  for (const motion::Clip& clip : clips) {
    if (clip.frames() == 0) return fail("'" + clip.name + "' has no frames to be aligned");
  }
  if (clips.empty()) return fail("there are no clips to be aligned");
  const bool cloud = kind == compare::MetricKind::kPointCloud;
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(kHalfWindow * clips.front().rate)));
  const std::size_t padding = cloud ? half : 1;
  std::vector<motion::Clip> padded;
  padded.reserve(clips.size());
  for (const motion::Clip& clip : clips) padded.push_back(with_repeated_ends(clip, padding));
  auto set = compare::make_frame_set(padded);
  if (!set) return fail_from(set);
  auto frames = std::make_shared<const compare::FrameSet>(std::move(*set));
  if (cloud) {
    compare::PointCloudOptions options;
    options.half_window = half;
    auto metric = compare::PointCloud::create(frames, options);
    if (!metric) return fail_from(metric);
    return AlignmentCosts{std::make_unique<compare::PointCloud>(std::move(*metric)), padding};
  }
  auto metric = compare::JointAngles::create(frames);
  if (!metric) return fail_from(metric);
  return AlignmentCosts{std::make_unique<compare::JointAngles>(std::move(*metric)), padding};
}

Result<compare::CostMatrix> AlignmentCosts::between(std::size_t a, std::size_t b) const {
  const auto padded = compare::cost_matrix(*metric_, a, b);
  if (!padded) return fail_from(padded);
  compare::CostMatrix matrix{padded->rows - 2 * padding_, padded->columns - 2 * padding_, {}};
  matrix.values.reserve(matrix.rows * matrix.columns);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const float* row = padded->values.data() + (i + padding_) * padded->columns + padding_;
    matrix.values.insert(matrix.values.end(), row, row + matrix.columns);
  }
  return matrix;
}

}  // namespace loom::blend
