// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/blend/family/lead.h>
#include <loom/blend/family/parameter_grid.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {
namespace {

constexpr double kFullTurn = 2 * 3.14159265358979323846;
constexpr double kClearOfHull = 0.98;  ///< of the way out, so that paths keep inside
constexpr double kCircleShare = 0.6;   ///< of the range of directions
constexpr double kJoinSeconds = 0.25;  ///< in which the difference between the end of a cycle and its beginning goes

/// How far number `i` of `count` frames is along.
double share_of(std::size_t i, std::size_t count) { return static_cast<double>(i) / static_cast<double>(count - 1); }

bool inside(const Triangulation& space, std::span<const double> at) {
  std::array<double, kMaxExamples> shares;
  return space.project(at, {shares.data(), space.points().size()}) == 0;
}

std::vector<double> mean_of(const ExamplePoints& points) {
  std::vector<double> mean(points.dimensions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += points[i][d] / static_cast<double>(points.size());
  }
  return mean;
}

/// How far one can go from `from`, a point in the hull, along `way` before leaving it.
double farthest(const Triangulation& space, std::span<const double> from, std::span<const double> way) {
  const auto hull = space.cross(from, way);
  return hull ? std::max(0.0, (*hull)[1]) : 0;
}

/// From the slowest to the fastest, straight ahead from the mean speed if that lies in the hull, else through the mean.
void add_slow_to_fast(const Triangulation& space, std::size_t frames, ParameterPath& path) {
  std::vector<double> start = mean_of(space.points());
  std::vector<double> straight(start.size(), 0.0), way(start.size(), 0.0);
  straight[0] = start[0];
  if (inside(space, straight)) start = straight;
  way[0] = -1;
  const double slower = kClearOfHull * farthest(space, start, way);
  way[0] = 1;
  const double faster = kClearOfHull * farthest(space, start, way);
  for (std::size_t f = 0; f < frames; ++f) {
    std::vector<double> at = start;
    at[0] += -slower + share_of(f, frames) * (slower + faster);
    path.points.insert(path.points.end(), at.begin(), at.end());
  }
}

/// Where the circle (or the line, in one dimension) is at `turn`, as a direction.
std::vector<double> circle_at(double turn, std::size_t dimensions) {
  std::vector<double> way(dimensions, 0.0);
  way[0] = std::cos(kFullTurn * turn);
  if (dimensions > 1) way[1] = std::sin(kFullTurn * turn);
  return way;
}

void add_circle(const Triangulation& space, std::size_t frames, ParameterPath& path) {
  const std::vector<double> middle = mean_of(space.points());
  double radius = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < frames; ++f) {
    radius = std::min(radius, farthest(space, middle, circle_at(share_of(f, frames), path.dimensions)));
  }
  for (std::size_t f = 0; f < frames; ++f) {
    const std::vector<double> way = circle_at(share_of(f, frames), path.dimensions);
    for (std::size_t d = 0; d < way.size(); ++d) path.points.push_back(middle[d] + kClearOfHull * radius * way[d]);
  }
}

/// Each value as the mean of those around it in a ring.
std::vector<double> smooth_ring(const std::vector<double>& values) {
  const std::size_t half = std::max<std::size_t>(1, values.size() / 12);
  std::vector<double> smooth(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t n = 0; n <= 2 * half; ++n) smooth[i] += values[(i + n + values.size() - half) % values.size()];
    smooth[i] /= static_cast<double>(2 * half + 1);
  }
  return smooth;
}

/// A circle of directions around the body, as far out as the hull goes in each: where examples are, places are reached.
/// The hull has edges, which a path must not have.
void add_circle_around(const Triangulation& space, std::size_t frames, ParameterPath& path) {
  const SphericalRange range = spherical_range(space.points());
  const std::array centre = {0.0, range.height, 0.0};
  std::vector<std::array<double, 3>> ways;
  std::vector<double> distances;
  for (std::size_t f = 0; f < frames; ++f) {
    const auto middle_and = [&](double low, double high, double share) {
      return (low + high) / 2 + kCircleShare * (high - low) / 2 * share;
    };
    const double turn = kFullTurn * share_of(f, frames);
    ways.push_back(direction_of(middle_and(range.azimuth_low, range.azimuth_high, std::cos(turn)),
                                middle_and(range.elevation_low, range.elevation_high, std::sin(turn))));
    distances.push_back(kClearOfHull * farthest(space, centre, ways.back()));
  }
  distances = smooth_ring(distances);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t d = 0; d < 3; ++d) path.points.push_back(centre[d] + distances[f] * ways[f][d]);
  }
}

/// A blend played on while its weights change.
class Leading {
 public:
  Leading(const std::shared_ptr<const BlendSpace>& space, motion::Clip& clip)
      : blender_(space), finder_(*space->skeleton()), clip_(clip), joints_(space->skeleton()->size()) {
    held_ = space->strokes().empty() ? 0.5 : space->strokes().front();
  }

  void hold(std::span<const float> weights) {
    blender_.set_weights(weights);
    append(held_, {});
  }

  /// Goes on by a frame, from the phase reached.
  void go_on(std::span<const float> weights) {
    blender_.set_weights(weights);
    if (clip_.roots.empty()) {
      append(0, {});
      return;
    }
    const double seconds = blender_.seconds_at(phase_) + 1 / clip_.rate;
    motion::GroundFrame step = inverse(ground_at(phase_));
    if (seconds <= blender_.duration()) {
      phase_ = blender_.normalised_at(seconds);
    } else {
      step = step * ground_at(1) * inverse(ground_at(0));
      begin_anew();
      phase_ = blender_.normalised_at(std::fmod(seconds, blender_.duration()));
    }
    // Before this frame the character stood where it would in the blend at the old phase: carry it over from there.
    stands_ = stands_ * step * ground_at(phase_);
    append(phase_, stands_ * inverse(ground_at(phase_)));
  }

 private:
  motion::GroundFrame ground_at(double u) {
    std::vector<Quat> rotations(joints_);
    motion::StreamPose pose{{}, rotations, 0, {}};
    blender_.pose_at(u, pose);
    return finder_.find(pose.root, rotations[0]);
  }

  /// The pose at `u`, its root turned as if it faced +Z.
  float fronted(double u, std::span<Quat> rotations) {
    motion::StreamPose pose{{}, rotations, 0, {}};
    blender_.pose_at(u, pose);
    rotations[0] = conjugate(finder_.find(pose.root, rotations[0]).rotation()) * rotations[0];
    return pose.root.y;
  }

  /// Takes down by what the end of the cycle differs from its beginning: the new one starts with that, and loses it.
  void begin_anew() {
    std::vector<Quat> end(joints_), begin(joints_);
    higher_ = fronted(1, end) - fronted(0, begin);
    turned_.resize(joints_);
    for (std::size_t j = 0; j < joints_; ++j) turned_[j] = log_vector(end[j] * conjugate(begin[j]));
    since_join_ = 0;
  }

  /// Adds what is left of that to a pose.
  void join(motion::StreamPose& pose) {
    const double span = kJoinSeconds * clip_.rate;
    if (turned_.empty() || since_join_ >= span) return;
    const auto left = static_cast<float>(1 - ++since_join_ / span);
    const float share = smoothstep(left);
    const Quat facing = finder_.find(pose.root, pose.rotations[0]).rotation();
    pose.root.y += share * higher_;
    for (std::size_t j = 0; j < joints_; ++j) {
      const Quat turn = exp_vector(turned_[j] * share);
      Quat& q = pose.rotations[j];
      q = normalized(j == 0 ? facing * turn * conjugate(facing) * q : turn * q);
    }
  }

  /// Adds the pose at `u`, carried by `by`.
  void append(double u, const motion::GroundFrame& by) {
    clip_.rotations.resize(clip_.rotations.size() + joints_);
    motion::StreamPose pose{{}, std::span(clip_.rotations).last(joints_), 0, {}};
    blender_.pose_at(u, pose);
    join(pose);
    clip_.roots.push_back(transform(by, pose.root));
    pose.rotations[0] = by.rotation() * pose.rotations[0];
    if (clip_.roots.size() == 1) stands_ = finder_.find(clip_.roots[0], pose.rotations[0]);
  }

  Blender blender_;
  motion::GroundFrameFinder finder_;
  motion::Clip& clip_;
  std::size_t joints_;
  double held_ = 0.5, phase_ = 0;
  motion::GroundFrame stands_;
  std::vector<Vec3> turned_;  ///< radians, one a joint: by what the last end differed from the beginning
  float higher_ = 0;          ///< metres, the same of the root
  double since_join_ = 0;     ///< frames
};

}  // namespace

ParameterPath usual_path(const ParameterSpace& space, const Triangulation& triangulation, std::size_t frames) {
  ParameterPath path;
  path.dimensions = triangulation.points().dimensions;
  path.cyclic = space.kind == FamilyKind::kLocomotion;
  if (path.cyclic) {
    add_slow_to_fast(triangulation, frames, path);
  } else if (places_a_joint(space.kind)) {
    add_circle_around(triangulation, frames, path);
  } else {
    add_circle(triangulation, frames, path);
  }
  return path;
}

Result<motion::Clip> lead(const std::shared_ptr<const BlendSpace>& space, const Weighting& weighting,
                          const ParameterPath& path) {
  if (path.size() < 2 || path.dimensions != weighting.dimensions() || weighting.examples() != space->size()) {
    return fail(fmt::format("a path of {} points of {} numbers cannot lead a family of {} clips and {} parameters",
                            path.size(), path.dimensions, space->size(), weighting.dimensions()));
  }
  motion::Clip clip;
  clip.skeleton = space->skeleton();
  clip.rate = space->rate();
  Leading leading(space, clip);
  std::vector<float> weights(space->size());
  for (std::size_t f = 0; f < path.size(); ++f) {
    weighting.weigh(path[f], Outside::kClamp, weights);
    path.cyclic ? leading.go_on(weights) : leading.hold(weights);
  }
  return clip;
}

}  // namespace loom::blend
