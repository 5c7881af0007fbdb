// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>

namespace loom::skin {

/// Which joints carry a vertex, and how much each: weights are positive, largest first, and sum to one; unused places
/// have weight 0 and joint 0.
struct SkinInfluence {
  std::array<std::uint16_t, 4> joints{};
  std::array<float, 4> weights{};
};

/// A closed surface around a skeleton, bound to it in its rest pose: what a viewer draws so that one sees a person and
/// not a bundle of lines. A vertex goes where its joints take it (linear blend skinning).
struct SkinMesh {
  std::vector<Vec3> positions;            ///< metres, rest pose, root at the origin
  std::vector<Vec3> normals;              ///< unit length, one a vertex
  std::vector<SkinInfluence> influences;  ///< one a vertex
  std::vector<std::uint32_t> triangles;   ///< three indices each, counter-clockwise seen from outside
};

/// How many vertices the surface of a person gets.
enum class SkinDetail : std::uint8_t {
  kFine,    ///< some 5000: to look at from near by
  kCoarse,  ///< some 1000: for crowds, and for viewers that draw without a graphics card
};

/// Makes the surface of any skeleton, one joint or several hundred.
///
/// A human body, as far as `find_body` knows its parts, becomes a smooth figure with torso, head, limbs, hands and
/// feet in the proportions of its bones. What is not known (fingers, tails, a whole other creature) becomes a rounded
/// rod a bone. Deterministic. About a tenth of a second for a person; make it once and keep it.
SkinMesh build_skin_mesh(const motion::Skeleton& skeleton, SkinDetail detail = SkinDetail::kFine);

}  // namespace loom::skin
