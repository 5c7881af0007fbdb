// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The clip as seen in a mirror standing in the plane x = 0: left becomes right. Label names that say left or right
/// change sides too ("kick-left" becomes "kick-right"). Twice mirrored is the clip itself, on uneven bodies nearly.
///
/// Reflected is what is seen, in the world; the way back into each joint's own frame is found from the rest pose
/// (`mirror_frames.h`), whatever the axes of the two sides. Every joint is where the mirror shows its counterpart if
/// the two sides have bones of the same lengths. The skeleton stays the same object, so where they differ, as on
/// measured bodies by up to some centimetres, bones keep their own lengths and have the mirrored directions; but for
/// arms, which are swung so that hands are as far out from shoulders and hips as their counterparts are: with a
/// narrower shoulder or a wider hip on this side they would be in the body. Fails as `mirror_pairs` does.
Result<Clip> mirror(const Clip& clip);

}  // namespace loom::motion
