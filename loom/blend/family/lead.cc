// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/blend_stream.h>
#include <loom/blend/example_limits.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/parameter_grid.h>

namespace loom::blend {
namespace {

constexpr double kFullTurn = 2 * 3.14159265358979323846;
constexpr double kClearOfHull = 0.98;  ///< of the way out, so that paths keep inside
constexpr double kCircleShare = 0.6;   ///< of the range of directions
constexpr double kEaseSeconds = 0.2;   ///< before and after, in which weights go over to what the body allows

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

/// The weights of each frame of a path.
using WeightPath = std::vector<std::vector<float>>;

WeightPath weigh_all(const BlendSpace& space, const Weighting& weighting, const ParameterPath& path) {
  WeightPath all(path.size(), std::vector<float>(space.size()));
  for (std::size_t f = 0; f < path.size(); ++f) weighting.weigh(path[f], Outside::kClamp, all[f]);
  return all;
}

void mix(std::vector<float>& weights, const std::vector<float>& others, float share) {
  for (std::size_t w = 0; w < weights.size(); ++w) weights[w] = std::lerp(others[w], weights[w], share);
}

/// How much of the weights of each frame the body allows while the motion is held at `u`, against the convex ones.
std::vector<float> allowed_shares(const std::shared_ptr<const BlendSpace>& space, const WeightPath& wanted,
                                  const WeightPath& convex, double u) {
  const ExampleLimits limits = ExampleLimits::of(*space);
  Blender blender(space);
  motion::Clip still;
  still.skeleton = space->skeleton();
  still.rate = space->rate();
  still.roots.resize(1);
  still.rotations.resize(space->skeleton()->size());
  std::vector<float> shares(wanted.size(), 1.0f);
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    if (std::all_of(wanted[f].begin(), wanted[f].end(), [](float w) { return w >= 0; })) continue;
    for (int eighth = 8; eighth >= 0; --eighth) {
      shares[f] = static_cast<float>(eighth) / 8;
      std::vector<float> tried = wanted[f];
      mix(tried, convex[f], shares[f]);
      blender.set_weights(tried);
      motion::StreamPose pose{{}, still.pose(0), 0, {}};
      blender.pose_at(u, pose);
      still.roots[0] = pose.root;
      if (limits.bent_beyond(motion::forward_kinematics(still)) == 0) break;
    }
  }
  return shares;
}

/// The least share within `around` frames, and the mean of these: nowhere more than was allowed.
std::vector<float> eased(const std::vector<float>& shares, std::size_t around) {
  std::vector<float> least(shares.size()), out(shares.size());
  const auto over = [&](const std::vector<float>& from, std::vector<float>& to, auto&& combine) {
    for (std::size_t f = 0; f < from.size(); ++f) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(f - std::min(f, around));
      const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(f + around + 1, from.size()));
      to[f] = combine(begin, end);
    }
  };
  over(shares, least, [](auto begin, auto end) { return *std::min_element(begin, end); });
  over(least, out, [](auto begin, auto end) {
    return std::accumulate(begin, end, 0.0f) / static_cast<float>(std::distance(begin, end));
  });
  return out;
}

/// The mean of the weights within `around` frames. Those of convex blends, which are searched for, may leap from one
/// frame to the next where two blends come as near to what is wanted; their means are convex as well.
WeightPath calmed(const WeightPath& weights, std::size_t around) {
  WeightPath out(weights.size());
  for (std::size_t f = 0; f < weights.size(); ++f) {
    const std::size_t begin = f - std::min(f, around), end = std::min(f + around + 1, weights.size());
    out[f].resize(weights[f].size());
    for (std::size_t g = begin; g < end; ++g) {
      for (std::size_t w = 0; w < out[f].size(); ++w) out[f][w] += weights[g][w] / static_cast<float>(end - begin);
    }
  }
  return out;
}

/// Draws the weights back where the body that is held at `u` would have to bend as none does.
void keep_to_bodies(const std::shared_ptr<const BlendSpace>& space, const WeightPath& searched, double u,
                    WeightPath& weights) {
  const auto around = to_whole<std::size_t>(std::max(1.0, std::round(kEaseSeconds * space->rate())));
  const WeightPath convex = calmed(searched, around);
  const std::vector<float> shares = eased(allowed_shares(space, weights, convex, u), around);
  for (std::size_t f = 0; f < weights.size(); ++f) mix(weights[f], convex[f], shares[f]);
}

/// Adds how high the feet rest in a frame that counts `share` of all.
void add_rest_heights(const Blender& blender, float share, motion::Contacts& feet) {
  const std::vector<motion::Contacts>& examples = blender.space().contacts();
  for (std::size_t c = 0; c < examples.size(); ++c) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      feet.rest_height[part] += share * blender.weights()[c] * examples[c].rest_height[part];
    }
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

Result<motion::Recording> lead(const std::shared_ptr<const BlendSpace>& space, const Weighting& weighting,
                               const ParameterPath& path, const Weighting* convex) {
  if (path.size() < 2 || path.dimensions != weighting.dimensions() || weighting.examples() != space->size()) {
    return fail(fmt::format("a path of {} points of {} numbers cannot lead a family of {} clips and {} parameters",
                            path.size(), path.dimensions, space->size(), weighting.dimensions()));
  }
  motion::Recording led;
  led.clip.skeleton = space->skeleton();
  led.clip.rate = space->rate();
  led.contacts.points = space->contacts().front().points;
  std::vector<float> weights(space->size(), 1);
  auto stream = BlendStream::create(space, weights, path.cyclic ? BlendPlay::kCycle : BlendPlay::kHold);
  if (!stream) return fail_from(stream);
  WeightPath all = weigh_all(*space, weighting, path);
  if (convex != nullptr && !path.cyclic) {
    const double held = space->strokes().empty() ? 0.5 : space->strokes().front();
    keep_to_bodies(space, weigh_all(*space, *convex, path), held, all);
  }
  std::vector<Quat> rotations(space->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (const std::vector<float>& wanted : all) {
    (*stream)->set_weights(wanted);
    (*stream)->next({}, pose);
    motion::add_pose(led, pose);
    add_rest_heights((*stream)->blender(), 1 / static_cast<float>(all.size()), led.contacts);
  }
  return led;
}

}  // namespace loom::blend
