// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/blend/blend_space.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// One of the examples that a moment is mixed of.
struct BlendPart {
  motion::SourceFrame at;  ///< the clip as the space counts them, and the frame nearest to the moment
  float share = 0;         ///< its weight; those of all examples add up to one
};

/// What a blend with these weights, one a clip, is mixed of at normalised time `u`, the heaviest first: for whoever
/// wants to know why a motion looks as it does. Examples that do not count are left out. Allocates.
std::vector<BlendPart> parts_at(const BlendSpace& space, std::span<const float> weights, double u);

}  // namespace loom::blend
