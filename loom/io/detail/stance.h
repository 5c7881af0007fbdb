// SPDX-License-Identifier: MIT
#pragma once

#include <loom/io/raw_motion.h>

namespace loom::io {

/// Whether the rest pose of a human body is one: it stands, left like right. True for everything that is no human.
///
/// Many programs write offsets along one axis of each joint and leave the pose to the rotations (bones along X or Y:
/// LaFAN1, Bandai-Namco), so that the offsets draw no body; and files of animation alone have their nodes stand in some
/// pose of the motion.
bool has_rest_pose(const RawMotion& raw);

/// Gives a human body a rest pose that stands, arms held out, as flesh, soles and knees that bend need one.
///
/// Such rigs have the axes of their joints along the body's. So at rest the joints follow each other straight; where
/// legs, arms and feet branch off, they are turned by quarter turns so that their bones point straight down, out and
/// ahead and knees and elbows bend as they do in the motion. Files of one rig so get the same rest pose, whatever they
/// show. Rests alone change: the motion stays as it is.
///
/// False, with nothing changed, where a bone of a limb is oblique to the axes of its joint: this is another kind of
/// rig. `raw` must have passed the checks of `normalise`, with translation on the root alone.
bool make_rest_pose(RawMotion& raw);

}  // namespace loom::io
