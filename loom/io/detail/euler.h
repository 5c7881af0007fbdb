// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include <loom/base/math.h>

namespace loom::io {

/// How many frames are turned at once. Samples of a block lie channel after channel, kBlockFrames values each.
inline constexpr std::size_t kBlockFrames = 16;

/// Up to three turns about coordinate axes, one after the other, each by an angle that changes from frame to frame.
struct EulerTurns {
  struct Turn {
    int axis = 0;                     ///< 0, 1, 2 for X, Y, Z
    const double* degrees = nullptr;  ///< kBlockFrames of them, each within ±kLargestNumber
  };
  std::array<Turn, 3> turns;
  std::size_t count = 0;
};

/// The rotations turns[0] · turns[1] · turns[2] for the frames of a block, each to the accuracy of a float. Their sign
/// (q or -q) is arbitrary. Writes kBlockFrames quaternions to `out`.
///
/// Vectorised over the frames in doubles, without fused operations, so that every machine gives the same bytes.
void euler_to_quaternions(const EulerTurns& turns, Quat* out);

}  // namespace loom::io
