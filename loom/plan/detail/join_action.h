// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/base/result.h>
#include <loom/blend/blend.h>
#include <loom/plan/approach.h>

namespace loom::plan {

/// A walk that goes over into an action.
struct JoinedAction {
  blend::Blended motion;          ///< feet planted; strokes are those of the action
  std::size_t begin = 0;          ///< the frame in which the action begins, and the transition with it
  std::size_t frames = 0;         ///< that the transition takes
  bool swing_carried_on = false;  ///< the arm swings then the way the action takes it; else its swing is cut short
};

/// Joins a walk that comes to rest and an action that begins there (Huang 2012 §7.8).
///
/// The transition takes from 1/3 to 4/3 of a second and begins once the last foot is down. When and how long is chosen
/// by the swing of the acting arm: so that the hand is not drawn back and forth, nor hurled. Both feet stand where the
/// action has them. `hand` is the joint that acts. Fails where the two have different bodies or rates.
Result<JoinedAction> join_action(const Approach& approach, const blend::Blended& action, int hand);

}  // namespace loom::plan
