// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {

/// What a blend of poses is, once for the whole module: made motion, its run-time form and inverse blending all use
/// this definition, so that weights solved for one pose are exact in the motion that is made of them.
///
/// Rotations. With the signs of the quaternions chosen beforehand so that each lies in the hemisphere of its reference,
///
///     q(w) = s / |s|,   s = sum of w_i q_i
///
/// the unit quaternion nearest to the examples in the mean of squares (of chords). It does not depend on the frames
/// the rotations are written in (left and right multiplication are isometries of the sphere of quaternions), agrees
/// with slerp at the middle of two rotations, differs from the geodesic mean by less than a degree where examples are
/// within 60 degrees of each other, and is smooth in the weights. The weights need not sum to one, and some may be
/// negative (extrapolation), as long as s does not vanish; where it does, the heaviest example is taken. Its
/// derivative is `rotation_derivative`.
///
/// The root. Each pose is written in a frame on the floor of its own (`PoseSet`), and split into where it stands on the
/// floor, which way it faces, how high the root is, and how the root is turned once it faces +Z. The first three
/// are blended as numbers, the last as a rotation. So examples that travel or turn are blended like the others.
struct PoseSet {
  std::size_t joints = 0;
  std::vector<Vec3> roots;      ///< one a pose, metres: x and z on the floor, y the height of the root
  std::vector<float> headings;  ///< one a pose, radians, whole turns counted
  /// poses × joints. The root's rotation is taken relative to the heading. Signs as chosen by `align_hemispheres`.
  std::vector<Quat> rotations;

  [[nodiscard]] std::size_t size() const { return roots.size(); }
  [[nodiscard]] std::span<const Quat> pose(std::size_t i) const { return {rotations.data() + i * joints, joints}; }
  [[nodiscard]] std::span<Quat> pose(std::size_t i) { return {rotations.data() + i * joints, joints}; }
};

/// Adds a pose, given in the world, as it is seen from `origin`. The heading is the one nearest to `near_heading`
/// (relative to `origin`, radians), so that whoever follows a motion can count whole turns. Signs are left as given.
void add_pose(PoseSet& set, const motion::GroundFrameFinder& finder, const motion::GroundFrame& origin, Vec3 root,
              std::span<const Quat> rotations, float near_heading = 0);

/// Turns the quaternions of all poses into the hemispheres of pose `reference`, joint by joint.
void align_hemispheres(PoseSet& set, std::size_t reference);

/// The blend of rotations alone: `examples` are count × joints, one weight each, `blended` has room for one pose. No
/// allocation. O(count × joints).
void blend_rotations(std::span<const Quat> examples, std::span<const float> weights, std::span<Quat> blended);

/// The same for poses that lie apart.
void blend_rotations(std::span<const std::span<const Quat>> examples, std::span<const float> weights,
                     std::span<Quat> blended);

/// The blend of whole poses, in the frame their origins were laid on: root position, and rotations with the root's
/// turned by the heading again. The weights should sum to one (positions need that, rotations do not). No allocation.
void blend_pose(const PoseSet& set, std::span<const float> weights, Vec3& root, std::span<Quat> rotations);

/// How the blended rotation turns as the weight of `example` grows: the angular velocity, in radians a unit of weight,
/// in the parent's frame. `blended` is q(w) and `length` is |s|. Exact: dq/dw_i = (q_i - (q_i·q) q) / |s|, of which a
/// rotation sees the part 2 Im(q_i q⁻¹) / |s|.
///
/// For the root of a PoseSet the parent is the frame turned by the blended heading, which itself turns about +Y by
/// headings[i] a unit of weight.
constexpr Vec3 rotation_derivative(Quat example, Quat blended, float length) {
  const Quat d = example * conjugate(blended);
  return Vec3{d.x, d.y, d.z} * (2.0f / length);
}

}  // namespace loom::blend
