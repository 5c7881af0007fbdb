// SPDX-License-Identifier: MIT
#include <loom/motion/skin_mesh.h>
#include <loom/motion/skin_rods.h>

namespace loom::motion {

SkinMesh build_skin_mesh(const Skeleton& skeleton) {
  SkinMesh mesh;
  add_bone_rods(skeleton, std::vector<bool>(skeleton.size(), true), mesh);
  return mesh;
}

void deform(const SkinMesh& mesh, std::span<const Vec3> rest, std::span<const Vec3> positions,
            std::span<const Quat> world, std::span<Vec3> out) {
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    Vec3 sum;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t j = mesh.influences[v].joints[i];
      sum += mesh.influences[v].weights[i] * (positions[j] + rotate(world[j], mesh.positions[v] - rest[j]));
    }
    out[v] = sum;
  }
}

}  // namespace loom::motion
