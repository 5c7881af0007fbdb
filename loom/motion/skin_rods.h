// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/skin_mesh.h>

namespace loom::motion {

/// A rod with round ends from `a` to `b`, carried by one joint.
struct Rod {
  Vec3 a, b;  ///< metres; may coincide: then it is a ball
  float radius_a = 0, radius_b = 0;
  std::uint16_t joint = 0;
};

/// Adds the surface of `rod` to `mesh`: 50 vertices, 96 triangles.
void add_rod(const Rod& rod, SkinMesh& mesh);

/// Adds a rod for every bone of the joints for which `wanted` holds: from the joint to each child and end site. A
/// joint without any becomes a ball.
void add_bone_rods(const Skeleton& skeleton, const std::vector<bool>& wanted, SkinMesh& mesh);

}  // namespace loom::motion
