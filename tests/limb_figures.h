// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::testing {

/// How a body holds its limbs in one frame, the same for any body, so that one performer can be held against others:
/// seen from the side, across the line through the hips. Degrees; left, then right.
struct LimbFigures {
  std::array<double, 2> thigh;  ///< forward of hanging straight down
  std::array<double, 2> knee;   ///< bend, 0 straight
  std::array<double, 2> arm;    ///< the upper arm, forward of hanging straight down
  std::array<double, 2> elbow;  ///< bend, 0 straight
  double trunk = 0;             ///< from the hips to the neck, forward of straight up

  /// How far the arm that is farther back is behind the trunk; below 0 it hangs before it.
  [[nodiscard]] double arm_behind() const { return -trunk - std::min(arm[0], arm[1]); }
};

/// The body must have legs, arms and a neck.
LimbFigures limb_figures(const motion::WorldPoses& poses, std::size_t frame, const motion::Body& body);

/// The frame in which the middle of the hips is highest.
std::size_t highest_frame(const motion::WorldPoses& poses, const motion::Body& body);

/// The frame in which it is lowest.
std::size_t lowest_frame(const motion::WorldPoses& poses, const motion::Body& body);

}  // namespace loom::testing
