// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <loom/base/math.h>

namespace loom::motion {

/// How a knee or an elbow is bent: cross product of the directions of its two bones in the frame of the first, which is
/// turned by `first` in the world. Along the axis it is bent about, as long as the sine of the bend.
inline Vec3 limb_bend(Vec3 upper, Vec3 middle, Vec3 end, Quat first) {
  return rotate(conjugate(first), cross(normalized(middle - upper), normalized(end - middle)));
}

/// How far a limb is bent, radians: 0 straight.
inline float limb_bend_angle(Vec3 upper, Vec3 middle, Vec3 end) {
  const Vec3 first = middle - upper, second = end - middle;
  return std::atan2(length(cross(first, second)), dot(first, second));
}

/// As far as people bend knees and elbows, radians: further, flesh meets flesh.
inline constexpr float kFullyBent = 150 * kDegree;

/// Sine of the bend from which on a limb's own axis is believed: 20 degrees.
inline constexpr float kWellBent = 0.34f;

/// The axis of a limb bent by `bend`: its own where it is well bent, for bodies are not built on the axes of their
/// skeletons; `general` (unit length) where it is straight, and its own axis no more than noise, or bent the other way.
inline Vec3 bend_axis(Vec3 bend, Vec3 general) {
  // Only what bends the way of `general` counts: between opposite axes there would be no way but a jump.
  const float own = smoothstep(dot(bend, general) / kWellBent);
  return normalized(lerp(general, normalized(bend, general), own), general);
}

}  // namespace loom::motion
