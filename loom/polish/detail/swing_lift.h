// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <loom/polish/foot.h>

namespace loom::polish {

/// Lifts a foot that goes along the floor without standing: where its sole would be drawn over the floor by more than a
/// hand's breadth, it is carried two centimetres above it, as people carry theirs.
///
/// Recordings hardly do that, blends do: a swing that one motion has high and another low, or that belongs to no step
/// at all. `path` is where the foot is to be in every frame, `soles` the height of the lowest point of its sole above
/// the floor there, metres, and `planted` not 0 where it is told to stand: a foot that shuffles goes on doing so. Where
/// no foot is dragged, nothing changes. O(frames).
void lift_drags(std::span<FootPlace> path, std::span<const float> soles, std::span<const std::uint8_t> planted,
                double rate);

}  // namespace loom::polish
