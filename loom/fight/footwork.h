// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/random.h>
#include <loom/fight/sight.h>

namespace loom::fight {

/// Radians turned away from the opponent that are as they should be: beyond, a fighter turns with its steps.
inline constexpr float kTurnedEnough = 0.35f;

/// Radians a second at which a fighter turns to its opponent while a foot is in the air.
inline constexpr float kTurnSpeed = 2.4f;

/// What steps within a state are for: where to end up, seen from the opponent, or how to move on the way.
struct FootworkGoal {
  float distance = 0, distance_weight = 0;  ///< metres to keep from the opponent; cost of a metre off
  float facing_weight = 0;                  ///< cost of a radian turned away from the opponent
  Vec3 velocity;                            ///< metres a second along the floor
  float velocity_weight = 0;                ///< cost of a metre a second off
};

/// The steps that suit a goal best.
struct Footwork {
  behavior::StatePath path;
  float cost = 0;  ///< infinite where there is no way on within the state, and then the path is empty
};

/// Looks at all ways on within the state of the present frame, this recording or over a transition near ahead, and
/// takes the one that ends best; the path is the beginning of it, so that one can think again soon. `random` breaks
/// ties. O(transitions ahead).
Footwork find_footwork(const FootworkGoal& goal, const Sight& sight, Random& random);

}  // namespace loom::fight
