// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/family/motion_flow.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

/// A point between two points of the skeleton: `share` of the way from a to b.
struct FlowPoint {
  std::size_t a = 0, b = 0;
  float share = 0;
};

/// All joints, and pseudo-joints along the bones that are long.
std::vector<FlowPoint> choose_points(const motion::Skeleton& skeleton, float spacing) {
  std::vector<FlowPoint> points;
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const int parent = skeleton.joint(j).parent;
    if (parent >= 0) {
      const auto p = static_cast<std::size_t>(parent);
      const float bone = distance(rest[j], rest[p]);
      const auto pieces = to_whole<std::size_t>(std::clamp(std::ceil(bone / spacing), 1.0f, 100.0f));
      for (std::size_t n = 1; n < pieces; ++n) {
        points.push_back({p, j, static_cast<float>(n) / static_cast<float>(pieces)});
      }
    }
    points.push_back({j, j, 0});
  }
  for (std::size_t p = skeleton.size(); p < skeleton.point_count(); ++p) points.push_back({p, p, 0});
  return points;
}

/// Means of `lengths` over a window around each, as far as it goes.
float local_mean(const std::vector<float>& lengths, std::size_t at, std::size_t window) {
  const std::size_t half = window / 2;
  const std::size_t begin = at < half ? 0 : at - half, end = std::min(lengths.size(), at + half + 1);
  float sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += lengths[i];
  return sum / static_cast<float>(end - begin);
}

}  // namespace

MotionFlow motion_flow(const motion::Clip& clip, const FlowOptions& options) {
  MotionFlow flow;
  if (clip.frames() < 2) return flow;
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const std::vector<FlowPoint> points = choose_points(*clip.skeleton, options.spacing);
  const std::size_t steps = clip.frames() - 1;
  flow.points = points.size();
  flow.vectors.resize(steps * points.size());
  std::size_t moving = 0, sudden = 0;
  std::vector<float> lengths(steps);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto place = [&](std::size_t frame) {
      const Vec3 a = poses.position(frame, points[p].a), b = poses.position(frame, points[p].b);
      return a + (b - a) * points[p].share;
    };
    for (std::size_t s = 0; s < steps; ++s) {
      FlowVector& vector = flow.vectors[s * points.size() + p];
      vector.from = place(s);
      vector.to = place(s + 1);
      lengths[s] = distance(vector.from, vector.to);
    }
    for (std::size_t s = 0; s < steps; ++s) {
      const float mean = local_mean(lengths, s, options.window);
      if (mean < options.still) continue;
      const float change = lengths[s] / mean - 1;
      flow.vectors[s * points.size() + p].change = change;
      ++moving;
      sudden += std::fabs(change) > options.noticeable ? 1 : 0;
      flow.unevenness += static_cast<double>(std::fabs(change));
    }
  }
  if (moving == 0) return flow;
  flow.sudden = static_cast<double>(sudden) / static_cast<double>(moving);
  flow.unevenness /= static_cast<double>(moving);
  return flow;
}

}  // namespace loom::blend
