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
/// the floor there, metres, and `planted` not 0 where it is told to stand: a foot that shuffles goes on doing so, but
/// one that is told to stand and goes faster than feet shuffle is lifted too. Where no foot is dragged, nothing
/// changes. O(frames).
void lift_drags(std::span<FootPlace> path, std::span<const float> soles, std::span<const std::uint8_t> planted,
                double rate);

/// Lifts a foot whose sole is put deeper in the floor than the motion had it, pitched as it is put: it rolls over the
/// floor instead. What is left is less than two centimetres. `path` and `soles` as above,
/// `recorded` the heights of the soles in the motion. O(frames).
void lift_sunken_soles(std::span<FootPlace> path, std::span<const float> soles, std::span<const float> recorded);

/// The height that soles stand at: the median over the frames in which the toe is planted, `soles` and `toe_planted` as
/// above with one foot after the other. Feet on a box or in the air do not count; 0 where none stands. Metres.
float standing_height(std::span<const float> soles, std::span<const std::uint8_t> toe_planted);

}  // namespace loom::polish
