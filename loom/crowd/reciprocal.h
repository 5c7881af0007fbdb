// SPDX-License-Identifier: MIT
#pragma once

#include <loom/crowd/flat.h>
#include <loom/crowd/half_planes.h>

namespace loom::crowd {

/// Somebody on the floor, as others see him.
struct Seen {
  Flat place, velocity;
  float radius = 0;  ///< metres
};

/// The velocities with which `self` does its share to keep apart from `other` for `horizon` seconds: optimal reciprocal
/// collision avoidance (van den Berg, Guy, Lin and Manocha 2011).
///
/// Seen from `self`, the relative velocities that lead to a collision within the horizon form a cone cut off by a disc.
/// The least change that leads out of it is shared: `self` makes `share` of it (a half, where both avoid alike; all of
/// it before what does not give way). If both keep to their planes and their shares make one, they do not touch within
/// the horizon. Those who overlap already part within `step` seconds.
HalfPlane reciprocal_plane(const Seen& self, const Seen& other, float horizon, float share, float step);

}  // namespace loom::crowd
