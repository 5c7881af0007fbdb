// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/clip.h>

namespace loom::motion {

/// Takes the jumps out of fingers and thumbs: a joint beyond a wrist that turns faster than any finger does, from one
/// frame to the next, goes over smoothly within a fifth of a second instead.
///
/// Capture hardly sees fingers; solvers throw thumbs from one side to the other, by 130 degrees and several times a
/// minute with some performers. That spoils no recording (`faulty_stretches` leaves it in), but whoever plays the
/// moment faster, or again and again, shows the jump each time. All other joints stay as they are, and a body without
/// recognisable arms does. O(frames × joints of the hands).
void quiet_hands(Clip& clip);

}  // namespace loom::motion
