// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/math.h>

namespace loom::sample {

/// A leg or an arm as anatomy has it: a ball joint, a bone, a hinge, a second bone.
///
/// `motion::solve_two_bone` bends any limb in whatever plane it is given; here the plane must stay the plane of the
/// hinge, so that a knee is only ever a knee and its one angle can be held against human limits.
struct HingeLimb {
  Vec3 bone;        ///< direction of both bones at rest, in the parent's frame, unit
  Vec3 hinge;       ///< axis at rest; a positive turn about it flexes
  float upper = 0;  ///< metres
  float lower = 0;  ///< metres
};

/// How a limb is placed.
struct LimbPose {
  Quat upper;         ///< world orientation of the upper bone's joint
  float flexion = 0;  ///< of the hinge, radians, 0 straight
};

/// Places `limb` from `origin` so that its end comes to `target` with the middle joint towards `pole` (a world
/// direction). Beyond `straight` times its length the limb approaches, without reaching, full stretch.
LimbPose reach(const HingeLimb& limb, Vec3 origin, Vec3 target, Vec3 pole, float straight);

/// The direction from the line between the limb's ends towards its middle joint, for a limb placed with the world
/// orientation `upper`, whose ends lie along `direction`.
Vec3 pole_of(const HingeLimb& limb, Quat upper, Vec3 direction);

}  // namespace loom::sample
