// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/base/math.h>
#include <loom/machine/built_machine.h>

namespace loom::machine {

/// A body at an instant: its pose, and its pose a moment before, from which speeds are read. Both in the world.
struct BodyStep {
  Vec3 root_before, root;
  std::span<const Quat> before, now;  ///< one rotation a joint
  double seconds = 0;                 ///< from the one to the other
};

/// The phase at which the usual motion of a state is most like a body, in pose and speed: where somebody begins who
/// comes to a machine from another one (play::HandOverStream), so that a step goes on as the step it was. A motion that
/// ends is met in its first third. O(frames × joints); allocates.
double likest_phase(const BuiltState& state, const BodyStep& body);

}  // namespace loom::machine
