// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/blend/align/alignment.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

/// Bends aligned cycles so that the end of each is its beginning, each clip's own: recorded steps never come back to
/// quite the pose they set out from. Blends of closed cycles are closed, whatever their weights.
///
/// What the ends differ by is shared out over the whole cycle; a leg takes half of its part while its foot swings,
/// since what it takes while the foot stands draws it along the floor. `contacts` are those of the clips, one entry a
/// frame.
/// O(frames × joints).
void close_cycles(std::vector<motion::Clip>& clips, std::span<const motion::Contacts> contacts,
                  const Alignment& alignment);

}  // namespace loom::blend
