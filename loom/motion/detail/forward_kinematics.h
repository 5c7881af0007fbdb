// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// Many poses of one skeleton, and where their world positions go: what the vectorised kernel works on.
struct PoseBatch {
  const Skeleton& skeleton;
  const Vec3* roots = nullptr;      ///< one a frame
  const Quat* rotations = nullptr;  ///< frames × joints
  std::size_t frames = 0;
  Vec3* positions = nullptr;  ///< frames × points, written
  Quat* world = nullptr;      ///< frames × joints, written; null when nobody wants them
};

/// Forward kinematics, 16 frames at a time in the lanes of vectors as wide as the machine has. The arithmetic is that
/// of the plain version, step by step, so the results are the same to the bit on every machine.
void run_forward_kinematics(const PoseBatch& batch);

}  // namespace loom::motion
