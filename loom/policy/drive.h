// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>
#include <loom/policy/control_space.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// A control that changed by this much is answered at once and not with the next decision.
inline constexpr float kNewVelocity = 0.4f;  ///< metres a second
inline constexpr float kNewTurn = 0.4f;      ///< radians a second

/// A control as a stick that works could give it: on the floor, finite (what is not becomes zero), and no faster than
/// kFastest.
motion::Control sound_control(const motion::Control& control);

/// What the body is asked, as one asks a stream: in the world, for a body that faces `heading`.
motion::Control to_world(const ControlSignal& signal, float heading);

/// The other way round: a control of the world as a body that faces `heading` sees it.
ControlSignal seen_from(const motion::Control& control, float heading);

}  // namespace loom::policy
