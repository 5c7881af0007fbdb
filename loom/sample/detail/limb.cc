// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/sample/detail/limb.h>

namespace loom::sample {
namespace {

/// The angle opposite `far` in a triangle whose other sides are `a` and `b`.
float corner(float a, float b, float far) {
  return std::acos(std::clamp((a * a + b * b - far * far) / (2 * a * b), -1.0f, 1.0f));
}

/// `distance` up to `from`, then ever slower towards `to`.
float soften(float distance, float from, float to) {
  if (distance <= from) return distance;
  return to - (to - from) * std::exp(-(distance - from) / (to - from));
}

constexpr float kLongest = 0.9985f;  ///< share of its length no limb is stretched beyond

/// The rotation that takes the orthonormal pair (a, b) to the orthonormal pair (c, d).
Quat between_frames(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  return from_axes(c, d, cross(c, d)) * conjugate(from_axes(a, b, cross(a, b)));
}

}  // namespace

LimbPose reach(const HingeLimb& limb, Vec3 origin, Vec3 target, Vec3 pole, float straight) {
  const float full = limb.upper + limb.lower;
  const Vec3 way = target - origin;
  const Vec3 line = normalized(way, limb.bone);
  const float shortest = 1.02f * std::fabs(limb.upper - limb.lower) + 0.25f * full;  // a folded limb, not a flat one
  const float distance = std::max(shortest, soften(length(way), straight * full, kLongest * full));
  const Vec3 side = normalized(pole - dot(pole, line) * line);
  const float lift = corner(limb.upper, distance, limb.lower);
  const Vec3 bone = std::cos(lift) * line + std::sin(lift) * side;
  const Vec3 hinge = normalized(cross(side, line));
  return {between_frames(limb.bone, limb.hinge, bone, hinge), kPi - corner(limb.upper, limb.lower, distance)};
}

Vec3 pole_of(const HingeLimb& limb, Quat upper, Vec3 direction) { return cross(direction, rotate(upper, limb.hinge)); }

}  // namespace loom::sample
