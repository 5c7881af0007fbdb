// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/blend/align/alignment.h>
#include <loom/motion/clip.h>

namespace loom::blend {

/// Bends aligned cycles so that the end of each is its beginning, each clip's own: recorded steps never come back to
/// quite the pose they set out from. Blends of closed cycles are closed, whatever their weights.
///
/// What the ends differ by is shared out evenly over the whole cycle. Given up within a moment after a footfall, it
/// would draw the foot along that has just come down. O(frames × joints).
void close_cycles(std::vector<motion::Clip>& clips, const Alignment& alignment);

}  // namespace loom::blend
