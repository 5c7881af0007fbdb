// SPDX-License-Identifier: MIT
#pragma once

#include <loom/io/raw_motion.h>

namespace loom::io {

/// Leaves translation on the root alone.
///
/// Many programs hang the body from a fixed or steering joint ("Reference", "Armature", "root") and let the hips
/// below it travel. The deepest travelling joint above or at the hips (where the skeleton has none, at the end of a
/// bare chain from the root) becomes the root and takes up the motion of the joints above it; what hangs elsewhere,
/// such as targets of inverse kinematics, is left out and told. Translations further down are replaced by their mean,
/// and told when they vary noticeably. Expects a checked motion: parents first, arrays of matching size.
void put_translation_on_root(RawMotion& motion);

}  // namespace loom::io
