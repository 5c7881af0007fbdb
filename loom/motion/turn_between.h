// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/math.h>

namespace loom::motion {

/// A smooth turn from `a` at t = 0 to `b` at t = 1, the shorter way, with the angular velocities `at_a` and `at_b` at
/// its ends: rotation vectors a unit of t, each seen from the rotation it belongs to. Pieces that share rotation and
/// velocity where they meet make one curve of continuous angular velocity (cumulative cubic of Kim, Kim & Shin 1995).
Quat turn_between(Quat a, Quat b, Vec3 at_a, Vec3 at_b, float t);

}  // namespace loom::motion
