// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <loom/motion/kinematics.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// A ball of a foot's flesh, fixed to one of its joints; the sole is below it.
struct SoleBall {
  int joint = 0;
  Vec3 offset;       ///< from the joint, in its frame, metres
  float radius = 0;  ///< metres
};

/// The underside of the two feet, left then right: what touches the floor, while the joints lie centimetres above it.
/// Thickness is that of the figure that is drawn around the skeleton (see `build_skin_mesh`).
struct Soles {
  std::array<std::vector<SoleBall>, 2> feet;  ///< heel, ball and toes; empty where the body has no such foot

  [[nodiscard]] bool known() const { return !feet[0].empty() && !feet[1].empty(); }
};

/// The soles of a body with recognisable feet. Where the skeleton is too bare to be drawn as a figure, or its rest pose
/// is none, its foot joints and their ends stand for them, without thickness. Empty for a body without feet.
Soles find_soles(const Skeleton& skeleton);

/// The lowest point of a ball in one frame.
Vec3 sole_point(const WorldPoses& poses, std::size_t frame, const SoleBall& ball);

/// The lowest point of a foot in one frame. `foot` must not be empty.
Vec3 lowest_sole_point(const WorldPoses& poses, std::size_t frame, const std::vector<SoleBall>& foot);

}  // namespace loom::motion
