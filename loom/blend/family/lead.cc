// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/example_limits.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/parameter_grid.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {
namespace {

constexpr double kFullTurn = 2 * 3.14159265358979323846;
constexpr double kClearOfHull = 0.98;  ///< of the way out, so that paths keep inside
constexpr double kCircleShare = 0.6;   ///< of the range of directions
constexpr double kEaseSeconds = 0.2;   ///< before and after, in which weights go over to what the body allows
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

/// Draws the weights back where the body that is held at `u` would have to bend as none does.
void keep_to_bodies(const std::shared_ptr<const BlendSpace>& space, const WeightPath& convex, double u,
                    WeightPath& weights) {
  const auto around = to_whole<std::size_t>(std::max(1.0, std::round(kEaseSeconds * space->rate())));
  const std::vector<float> shares = eased(allowed_shares(space, weights, convex, u), around);
  for (std::size_t f = 0; f < weights.size(); ++f) mix(weights[f], convex[f], shares[f]);
}

/// A blend played on while its weights change.
class Leading {
 public:
  Leading(const std::shared_ptr<const BlendSpace>& space, motion::Clip& clip)
      : blender_(space), finder_(*space->skeleton()), clip_(clip), joints_(space->skeleton()->size()) {
    held_ = space->strokes().empty() ? 0.5 : space->strokes().front();
  }

  /// Contacts of what was appended, and how high feet stand, over the whole way.
  [[nodiscard]] motion::Contacts contacts() const {
    motion::Contacts contacts = feet_;
    for (float& height : contacts.rest_height) height /= static_cast<float>(std::max<std::size_t>(1, clip_.frames()));
    return contacts;
  }

  /// Where a motion that is not cyclic stays.
  [[nodiscard]] double held_at() const { return held_; }

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

  void note_feet(std::uint8_t planted) {
    const std::vector<motion::Contacts>& examples = blender_.space().contacts();
    feet_.points = examples.front().points;
    feet_.planted.push_back(planted);
    for (std::size_t c = 0; c < examples.size(); ++c) {
      for (std::size_t part = 0; part < motion::kFootParts; ++part) {
        feet_.rest_height[part] += blender_.weights()[c] * examples[c].rest_height[part];
      }
    }
  }

  /// Adds the pose at `u`, carried by `by`.
  void append(double u, const motion::GroundFrame& by) {
    clip_.rotations.resize(clip_.rotations.size() + joints_);
    motion::StreamPose pose{{}, std::span(clip_.rotations).last(joints_), 0, {}};
    blender_.pose_at(u, pose);
    note_feet(pose.planted);
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
  motion::Contacts feet_;     ///< heights are summed over the frames
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
                          const ParameterPath& path, motion::Contacts* contacts, const Weighting* convex) {
  if (path.size() < 2 || path.dimensions != weighting.dimensions() || weighting.examples() != space->size()) {
    return fail(fmt::format("a path of {} points of {} numbers cannot lead a family of {} clips and {} parameters",
                            path.size(), path.dimensions, space->size(), weighting.dimensions()));
  }
  motion::Clip clip;
  clip.skeleton = space->skeleton();
  clip.rate = space->rate();
  Leading leading(space, clip);
  WeightPath all = weigh_all(*space, weighting, path);
  if (convex != nullptr && !path.cyclic) {
    keep_to_bodies(space, weigh_all(*space, *convex, path), leading.held_at(), all);
  }
  for (const std::vector<float>& weights : all) path.cyclic ? leading.go_on(weights) : leading.hold(weights);
  if (contacts != nullptr) *contacts = leading.contacts();
  return clip;
}

}  // namespace loom::blend
