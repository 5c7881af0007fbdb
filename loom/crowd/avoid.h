// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/crowd/flat.h>
#include <loom/crowd/reciprocal.h>

namespace loom::crowd {

/// Steer-to-avoid (Reynolds, as Srinivasan 2009 §6.3 has it), with the numbers of §7.3.
struct AvoidOptions {
  float field_of_view = 60 * kDegree;  ///< all of it: half to each side
  float look_ahead = 7;                ///< metres; who is farther does not count
  float weight = 0.25f;                ///< w of eq. 6.8
  float least_gap = 0.2f;              ///< metres: nearer, the force grows no more
  float horizon = 1.2f;                ///< seconds looked ahead for whether to slow down
  float margin = 0.05f;                ///< metres kept between
};

/// The direction to go, of length one: the navigation direction `wanted` (of length one) and, for each of `others` in
/// the field of view around `facing`, a force away from it that falls with the square of the gap (eq. 6.7 and 6.8).
///
/// The gap is from surface to surface, with one's own radius off too, which the work leaves out. What is straight ahead
/// pushes straight back, which turns nobody; so a force within a few degrees of that goes to the right, for everybody.
Flat steer_to_avoid(const Seen& self, Flat facing, Flat wanted, std::span<const Seen> others,
                    const AvoidOptions& options = {});

/// How fast to go in a direction (of length one): the fastest of a few speeds up to `wanted` with which one keeps apart
/// from all others for the horizon if they go on as they do, and 0 where none is. This is what the last chapter of the
/// work asks for: who sees somebody cross waits a moment rather than leave his way.
float safe_speed(const Seen& self, Flat direction, float wanted, std::span<const Seen> others,
                 const AvoidOptions& options = {});

/// How near two come to each other within `horizon` seconds at these velocities: metres from middle to middle, and
/// when.
struct Approach {
  float distance = 0, seconds = 0;
};
Approach closest_approach(Flat apart, Flat relative_velocity, float horizon);

}  // namespace loom::crowd
