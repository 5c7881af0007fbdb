// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::matching {

/// What a frame has to do with a jump.
enum class JumpPart : std::uint8_t {
  kNone,
  kApproach,  ///< the moment before gathering for it
  kJump,      ///< in the air, or gathering for it: what one asks for who asks for a jump
  kRecovery,  ///< landed and still low
};

/// How high the root usually is in these clips, metres: the median of all frames.
float usual_height(std::span<const motion::Clip> clips);

/// What each frame of a clip has to do with a jump. A flight that lasts longer than those of a run is one; before it, a
/// body that is lower than usual gathers itself for it, and after it recovers.
std::vector<JumpPart> find_jumps(const motion::Clip& clip, float usual_height);

}  // namespace loom::matching
