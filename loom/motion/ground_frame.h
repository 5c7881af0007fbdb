// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// Where a body stands on the floor and which way it faces: a rigid motion of the plane y = 0.
///
/// Heading 0 faces +Z; positive headings turn left (towards +X), the right-hand rule about +Y.
struct GroundFrame {
  float x = 0, z = 0;  ///< metres
  float heading = 0;   ///< radians, in (-pi, pi]

  [[nodiscard]] Vec3 position() const { return {x, 0, z}; }
  [[nodiscard]] Quat rotation() const { return axis_angle({0, 1, 0}, heading); }
  /// The direction faced, a unit vector on the floor.
  [[nodiscard]] Vec3 forward() const { return {std::sin(heading), 0, std::cos(heading)}; }
};

/// First `inner` in the frame of `outer`: outer ∘ inner.
GroundFrame operator*(const GroundFrame& outer, const GroundFrame& inner);
/// The frame that undoes `frame`.
GroundFrame inverse(const GroundFrame& frame);
/// A point carried from the frame's own coordinates to the world's.
Vec3 transform(const GroundFrame& frame, Vec3 point);

/// Finds the ground frame of poses on one skeleton.
///
/// Heading is read from the line through the hips, which bending forward or leaning back does not turn, so that a
/// person picking something up still faces the same way. On a skeleton without recognisable hips it is the turn of
/// the root about the vertical.
class GroundFrameFinder {
 public:
  explicit GroundFrameFinder(const Skeleton& skeleton);

  /// The frame of a pose given by its root alone. When the line of the hips stands upright (lying on one side) the
  /// turn of the root about the vertical is used.
  [[nodiscard]] GroundFrame find(Vec3 root, Quat root_rotation) const;

  /// One frame for each frame of the clip.
  [[nodiscard]] std::vector<GroundFrame> find(const Clip& clip) const;

 private:
  Vec3 left_{1, 0, 0};  ///< from the right hip to the left, in the root's frame
};

/// Moves a whole clip on the floor: every frame is carried by `by`.
void move(Clip& clip, const GroundFrame& by);

}  // namespace loom::motion
