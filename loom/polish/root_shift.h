// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::polish {

/// One leg through a clip, as the root sees it.
struct LegPath {
  double thigh = 0, shank = 0;        ///< metres
  std::vector<Vec3> hip;              ///< recorded, one a frame
  std::vector<Vec3> ankle;            ///< recorded
  std::vector<Vec3> target;           ///< where the ankle is to be
  std::vector<std::uint8_t> planted;  ///< 1 where the foot stands: there the root must give way, not the foot
};

/// How the root is to be moved in each frame so that the legs can reach their targets.
///
/// A bent leg takes up a change of distance between hip and ankle by bending a little more; a nearly straight one would
/// have to bend a lot, or cannot reach at all. So each leg wishes to keep its recorded extension, as much as its knee
/// would otherwise turn, and the root follows those wishes by the smoothest compromise, shifting within about three
/// times `ease_frames`. Legs that would still overstretch wish harder. O(frames).
std::vector<Vec3> plan_root_shift(std::span<const LegPath> legs, double ease_frames);

}  // namespace loom::polish
