// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <loom/base/median.h>
#include <loom/io/detail/guess.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/t_pose.h>

namespace loom::io {
namespace {

/// The longest path of a person 1.7 m tall, in metres: toe, leg, back, arm, hand.
constexpr double kPersonPath = 2.2;

constexpr LengthUnit kUnits[] = {{1.0, "1 m"},       {0.01, "1 cm"},     {0.001, "1 mm"},
                                 {0.0254, "1 inch"}, {0.3048, "1 foot"}, {0.0254 / 0.45, "5.6444 cm"}};

constexpr std::size_t kUpFrames = 100;   ///< frames looked at
constexpr float kRestAlong = 0.8f;       ///< cosine from which the body at rest stands along an axis
constexpr float kMotionAlong = 0.5f;     ///< mean cosine from which it may stand along another axis than expected,
constexpr float kAhead = 0.25f;          ///< and by so much more than along the expected one,
constexpr float kFloorTolerance = 0.3f;  ///< with its lowest point so near to zero along that axis, metres

// Where the offsets draw a standing body, the motion must say otherwise more clearly than somebody does who lies along
// an axis with the feet near its zero: upright throughout, on a floor, and with one foot at rest most of the time or
// going about at one height.
constexpr float kSurelyAlong = 0.8f;
constexpr float kSureFloor = 0.2f;    ///< metres
constexpr float kFootAtRest = 0.3f;   ///< metres a second
constexpr float kShareAtRest = 0.6f;  ///< of the frames
constexpr float kGoesAbout = 0.3f;    ///< metres
constexpr float kOneHeight = 0.3f;    ///< of the way it goes about

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

/// How badly the plane where an axis is zero would do as a floor, from the body's lowest point along that axis, frame
/// by frame: how far it usually is from the plane, and how much that varies. Metres.
float floor_error(std::vector<float> lowest) {
  const float usual = median(lowest);
  for (float& value : lowest) value = std::fabs(value - usual);
  return std::fabs(usual) + median(lowest);
}

/// Where the feet are in one frame.
std::array<Vec3, 2> feet_at(const motion::Clip& clip, const Ends& ends, std::size_t f) {
  std::vector<Vec3> points(clip.skeleton->point_count());
  std::vector<Quat> world(clip.joints());
  motion::forward_kinematics(*clip.skeleton, clip.roots[f], clip.pose(f), points, world);
  return {points[static_cast<std::size_t>(ends.left_foot)], points[static_cast<std::size_t>(ends.right_foot)]};
}

/// Whether a foot stays where it is from this frame to the next.
bool is_foot_at_rest(const motion::Clip& clip, const Ends& ends, std::size_t f) {
  if (f + 1 >= clip.frames()) return true;
  const auto before = feet_at(clip, ends, f), after = feet_at(clip, ends, f + 1);
  const float least = std::min(distance(before[0], after[0]), distance(before[1], after[1]));
  return least * static_cast<float>(clip.rate) < kFootAtRest;
}

/// What is measured over the frames of a clip.
struct Stance {
  Vec3 upright;                        ///< mean cosines between the axes and the line from the feet to the head
  std::array<float, 3> floor_error{};  ///< along each axis
  float foot_at_rest = 0;              ///< share of the frames in which a foot is
  Vec3 travel;                         ///< how far the root goes along each axis, metres
};

Stance measure_stance(const motion::Clip& clip, const Ends& ends) {
  const std::size_t step = std::max<std::size_t>(1, clip.frames() / kUpFrames);
  std::vector<Vec3> points(clip.skeleton->point_count());
  std::vector<Quat> world(clip.joints());
  std::array<std::vector<float>, 3> lowest;
  std::size_t at_rest = 0;
  Stance stance;
  Vec3 least = clip.roots[0], most = least;
  for (std::size_t f = 0; f < clip.frames(); f += step) {
    motion::forward_kinematics(*clip.skeleton, clip.roots[f], clip.pose(f), points, world);
    stance.upright += feet_to_head(ends, points);
    at_rest += is_foot_at_rest(clip, ends, f) ? 1 : 0;
    const Vec3& root = clip.roots[f];
    least = {std::min(least.x, root.x), std::min(least.y, root.y), std::min(least.z, root.z)};
    most = {std::max(most.x, root.x), std::max(most.y, root.y), std::max(most.z, root.z)};
    for (std::size_t a = 0; a < 3; ++a) {
      float foot = dot(points[0], kAxes[a]);
      for (const Vec3& point : points) foot = std::min(foot, dot(point, kAxes[a]));
      lowest[a].push_back(foot);
    }
  }
  const auto frames = static_cast<float>(lowest[0].size());
  stance.upright = stance.upright / frames;
  stance.travel = most - least;
  stance.foot_at_rest = static_cast<float>(at_rest) / frames;
  for (std::size_t a = 0; a < 3; ++a) stance.floor_error[a] = floor_error(std::move(lowest[a]));
  return stance;
}

/// The axis that the body stands along with the given pose.
std::optional<int> axis_of(const motion::Skeleton& skeleton, const Ends& ends, std::span<const Quat> pose) {
  std::vector<Vec3> points(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  motion::forward_kinematics(skeleton, {}, pose, points, world);
  const Vec3 up = feet_to_head(ends, points);
  for (std::size_t a = 0; a < 3; ++a) {
    if (dot(up, kAxes[a]) > kRestAlong) return static_cast<int>(a);
  }
  return std::nullopt;
}

/// Whether the motion says that `axis` is up and not `expected`. `drawn`: the offsets say the latter, too.
bool stands_along(const Stance& stance, int axis, int expected, bool drawn) {
  const auto a = static_cast<std::size_t>(axis), e = static_cast<std::size_t>(expected);
  const float along = dot(stance.upright, kAxes[a]), error = stance.floor_error[a];
  const bool stands = along > kMotionAlong && along > std::fabs(dot(stance.upright, kAxes[e])) + kAhead;
  // Somebody who lies on the floor lies along the other axes, but then the expected one has the better floor.
  const bool on_floor = error < kFloorTolerance && error < stance.floor_error[e];
  if (!stands || !on_floor) return false;
  if (!drawn) return true;
  const float up = dot(stance.travel, kAxes[a]), about = length(stance.travel - up * kAxes[a]);
  const bool walks = stance.foot_at_rest > kShareAtRest || (about > kGoesAbout && up < kOneHeight * about);
  return along > kSurelyAlong && error < kSureFloor && walks;
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

UpGuess guess_up(const motion::Clip& clip, bool rest_tells) {
  const Ends ends = find_ends(*clip.skeleton);
  if (ends.head < 0 || clip.frames() == 0) return {};
  const std::vector<Quat> rest(clip.joints());
  UpGuess guess{1, rest_tells ? axis_of(*clip.skeleton, ends, rest) : std::nullopt, true};
  const int expected = guess.rest.value_or(1);
  guess.motion = expected;
  // Whoever put a T-pose before the motion stood it upright in the world of the motion.
  if (motion::starts_with_t_pose(clip)) {
    if (const auto posed = axis_of(*clip.skeleton, ends, clip.pose(0))) {
      guess.motion = *posed;
      return guess;
    }
  }
  const Stance stance = measure_stance(clip, ends);
  for (const int axis : {1, 2, 0}) {
    if (axis != expected && stands_along(stance, axis, expected, guess.rest.has_value())) {
      guess.motion = axis;
      return guess;
    }
  }
  return guess;
}

}  // namespace loom::io
