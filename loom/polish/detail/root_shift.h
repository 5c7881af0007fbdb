// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::polish {

/// One leg in one frame, as the root sees it.
struct LegReach {
  double thigh = 0, shank = 0;  ///< metres
  Vec3 hip, ankle;              ///< as recorded
  Vec3 target;                  ///< where the ankle is to be
  bool planted = false;         ///< a foot that stands does not give way to the root
};

/// How the root is to be moved in each frame so that the legs can reach their targets. One entry a frame for each leg.
///
/// A bent leg takes up a change of distance between hip and ankle by bending a little more; a nearly straight one would
/// have to bend a lot, or cannot reach at all. So each leg wishes to keep its recorded extension, as much as its knee
/// would otherwise turn, and the root follows those wishes by the smoothest compromise, shifting within about three
/// times `ease_frames`. O(frames).
std::vector<Vec3> plan_root_shift(std::span<const std::vector<LegReach>> legs, double ease_frames);

/// The same for one pose alone, for run time: `shift` is how far the root was moved so far. No allocation; at most four
/// legs are heard.
Vec3 root_shift_for(std::span<const LegReach> legs, Vec3 shift);

}  // namespace loom::polish
