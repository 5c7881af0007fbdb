// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/human_figure.h>
#include <loom/skin/skin_mesh.h>

namespace loom::skin {

/// Adds the surface of `rod` to `mesh`: 50 vertices, 96 triangles.
void add_rod(const motion::Rod& rod, SkinMesh& mesh);

/// Adds a rod for every bone of the joints for which `wanted` holds: from the joint to each child and end site. A
/// joint without any becomes a ball.
void add_bone_rods(const motion::Skeleton& skeleton, const std::vector<bool>& wanted, SkinMesh& mesh);

}  // namespace loom::skin
