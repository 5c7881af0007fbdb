// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/blend/blend_stream.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/parameter_grid.h>

namespace loom::blend {
namespace {

constexpr double kFullTurn = 2 * 3.14159265358979323846;
constexpr double kClearOfHull = 0.98;  ///< of the way out, so that paths keep inside
constexpr double kCircleShare = 0.6;   ///< of the range of directions

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
  std::vector<float> weights(space->size(), 1);
  auto stream = BlendStream::create(space, weights, path.cyclic ? BlendPlay::kCycle : BlendPlay::kHold);
  if (!stream) return fail_from(stream);
  std::vector<Quat> rotations(space->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (std::size_t f = 0; f < path.size(); ++f) {
    weighting.weigh(path[f], Outside::kClamp, weights);
    (*stream)->set_weights(weights);
    (*stream)->next({}, pose);
    clip.roots.push_back(pose.root);
    clip.rotations.insert(clip.rotations.end(), rotations.begin(), rotations.end());
  }
  return clip;
}

}  // namespace loom::blend
