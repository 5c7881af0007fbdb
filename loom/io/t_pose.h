// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/clip.h>

namespace loom::io {

/// Whether the first frame of `clip` is an artificial T-pose that a converter put there and not captured motion.
///
/// Two signs together: most joints that move later are exactly at rest in it, which no captured frame shows, and the
/// body jumps out of it at a rate it never reaches in the frames after. Needs four frames to tell; fewer give false.
bool starts_with_t_pose(const motion::Clip& clip);

}  // namespace loom::io
