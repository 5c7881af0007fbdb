// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <loom/motion/contacts.h>

namespace loom::motion {

/// Where one part of a foot is and how fast it moves, frame by frame.
struct FootTrack {
  std::vector<Vec3> position;  ///< world, metres
  std::vector<float> speed;    ///< metres a second, over about 1/15 s
};

using FootTracks = std::array<FootTrack, kFootParts>;

/// The floor, and how high above it each part of a foot rests. Estimated from where the feet are slow: they are slow on
/// the floor far more often than anywhere else. Robust against feet held in the air, noise and steps.
struct FloorFit {
  Floor floor;
  std::array<float, kFootParts> rest_height{};
};

/// `slow` is the speed below which a foot may be planted, metres a second; `rest_drop` how far the ankle is above the
/// toe when the foot is flat, by the skeleton at rest (negative where it does not tell).
FloorFit fit_floor(const FootTracks& tracks, float slow, float rest_drop);

}  // namespace loom::motion
