// SPDX-License-Identifier: MIT
#pragma once

#include <loom/io/raw_motion.h>

namespace loom::io {

/// Gives a human body whose rest pose is none a standing one, with arms held out to the sides.
///
/// Many programs write offsets along one axis of each joint and leave the pose to the rotations (bones along X or Y:
/// MotionBuilder's and Maya's BVH, LaFAN1, Bandai-Namco), so that the offsets draw no body; and files of animation
/// alone have their nodes stand in some pose of the motion. What is built around the rest pose, flesh, soles and the
/// way that knees bend, needs one. Both are told from true rest poses, which stand, left like right.
///
/// Such rigs have the axes of joints along the body's. So at rest every joint is turned by quarter turns, those that
/// leave least to its rotations in the motion; bones of limbs then point straight down and out, and feet forward. Files
/// of one rig so get the same rest pose, whatever they show. Rests alone change: the motion stays as it is.
///
/// True where it was done. `raw` must have passed the checks of `normalise`, with translation on the root alone.
bool find_stance(RawMotion& raw);

}  // namespace loom::io
