// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <loom/io/guess.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::io {
namespace {

/// The longest path of a person 1.7 m tall, in metres: toe, leg, back, arm, hand.
constexpr double kPersonPath = 2.2;

constexpr LengthUnit kUnits[] = {{1.0, "1 m"},       {0.01, "1 cm"},     {0.001, "1 mm"},
                                 {0.0254, "1 inch"}, {0.3048, "1 foot"}, {0.0254 / 0.45, "5.6444 cm"}};

constexpr std::size_t kUpFrames = 100;   ///< frames looked at
constexpr float kRestAlong = 0.8f;       ///< cosine from which the body at rest stands along an axis
constexpr float kMotionAlong = 0.5f;     ///< mean cosine from which it may stand along another axis than Y,
constexpr float kAheadOfY = 0.25f;       ///< and by so much more than along Y,
constexpr float kFloorTolerance = 0.3f;  ///< with its lowest point so near to zero along that axis, metres

constexpr std::array<Vec3, 3> kAxes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// Head and feet of a body; head -1 where it was not found.
struct Ends {
  int head = -1, left_foot = -1, right_foot = -1;
};

Ends find_ends(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  const int head = body.head >= 0 ? body.head : body.neck;
  if (head < 0 || !body.has_legs()) return {};
  return {head, body.left_leg.end, body.right_leg.end};
}

Vec3 feet_to_head(const Ends& ends, std::span<const Vec3> points) {
  const auto at = [&](int joint) { return points[static_cast<std::size_t>(joint)]; };
  return normalized(at(ends.head) - 0.5f * (at(ends.left_foot) + at(ends.right_foot)), {});
}

float median(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How badly the plane where an axis is zero would do as a floor, from the body's lowest point along that axis, frame
/// by frame: how far it usually is from the plane, and how much that varies. Metres.
float floor_error(std::vector<float> lowest) {
  const float usual = median(lowest);
  for (float& value : lowest) value = std::fabs(value - usual);
  return std::fabs(usual) + median(lowest);
}

/// What is measured over the frames of a clip.
struct Stance {
  Vec3 upright;                        ///< mean cosines between the axes and the line from the feet to the head
  std::array<float, 3> floor_error{};  ///< along each axis
};

Stance measure_stance(const motion::Clip& clip, const Ends& ends) {
  const std::size_t step = std::max<std::size_t>(1, clip.frames() / kUpFrames);
  std::vector<Vec3> points(clip.skeleton->point_count());
  std::vector<Quat> world(clip.joints());
  std::array<std::vector<float>, 3> lowest;
  Stance stance;
  for (std::size_t f = 0; f < clip.frames(); f += step) {
    motion::forward_kinematics(*clip.skeleton, clip.roots[f], clip.pose(f), points, world);
    stance.upright += feet_to_head(ends, points);
    for (std::size_t a = 0; a < 3; ++a) {
      float least = dot(points[0], kAxes[a]);
      for (const Vec3& point : points) least = std::min(least, dot(point, kAxes[a]));
      lowest[a].push_back(least);
    }
  }
  stance.upright = stance.upright / static_cast<float>(lowest[0].size());
  for (std::size_t a = 0; a < 3; ++a) stance.floor_error[a] = floor_error(std::move(lowest[a]));
  return stance;
}

/// The axis that the body at rest stands along.
std::optional<int> rest_axis(const motion::Skeleton& skeleton, const Ends& ends) {
  std::vector<Vec3> points(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  const std::vector<Quat> rest(skeleton.size());
  motion::forward_kinematics(skeleton, {}, rest, points, world);
  const Vec3 up = feet_to_head(ends, points);
  for (std::size_t a = 0; a < 3; ++a) {
    if (dot(up, kAxes[a]) > kRestAlong) return static_cast<int>(a);
  }
  return std::nullopt;
}

}  // namespace

double longest_path(const motion::Skeleton& skeleton) {
  // Children come after parents, so that going backwards the longest way down from a joint is known when it is added
  // to its parent's.
  std::vector<double> down(skeleton.size(), 0.0);
  double longest = 0;
  const auto extend = [&](int joint, double way) {
    double& best = down[static_cast<std::size_t>(joint)];
    longest = std::max(longest, best + way);
    best = std::max(best, way);
  };
  for (const motion::EndSite& site : skeleton.end_sites()) extend(site.joint, length(site.offset));
  for (std::size_t j = skeleton.size(); j-- > 1;) {
    extend(skeleton.joint(j).parent, down[j] + length(skeleton.joint(j).offset));
  }
  return longest;
}

LengthUnit guess_unit(double path) {
  const auto misfit = [&](const LengthUnit& unit) { return std::fabs(std::log(path * unit.metres / kPersonPath)); };
  if (!(path > 0)) return kUnits[1];
  return *std::min_element(std::begin(kUnits), std::end(kUnits),
                           [&](const LengthUnit& a, const LengthUnit& b) { return misfit(a) < misfit(b); });
}

UpGuess guess_up(const motion::Clip& clip) {
  const Ends ends = find_ends(*clip.skeleton);
  if (ends.head < 0 || clip.frames() == 0) return {};
  const Stance stance = measure_stance(clip, ends);
  UpGuess guess{1, rest_axis(*clip.skeleton, ends), true};
  for (const int axis : {2, 0}) {
    const auto a = static_cast<std::size_t>(axis);
    const float along = dot(stance.upright, kAxes[a]);
    const bool stands = along > kMotionAlong && along > std::fabs(stance.upright.y) + kAheadOfY;
    // Somebody who lies on the floor lies along the other axes, but then Y has the better floor.
    const bool on_floor = stance.floor_error[a] < kFloorTolerance && stance.floor_error[a] < stance.floor_error[1];
    if (stands && on_floor) {
      guess.motion = axis;
      return guess;
    }
  }
  return guess;
}

}  // namespace loom::io
