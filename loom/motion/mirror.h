// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The clip as seen in a mirror standing in the plane x = 0: left becomes right. Label names that say left or right
/// change sides too ("kick-left" becomes "kick-right"). Twice mirrored is the clip itself. The skeleton stays the
/// same object, so proportions must be symmetric to within a few percent for the feet to stay on the floor; they are
/// on every captured body. Fails as `mirror_pairs` does.
Result<Clip> mirror(const Clip& clip);

}  // namespace loom::motion
