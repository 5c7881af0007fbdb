// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>

namespace loom::picture {

/// Which side of the body something belongs to; decides its colour.
enum class Side : std::uint8_t { kMiddle, kLeft, kRight };

/// A point that moves with a joint.
struct Anchor {
  int joint = 0;
  Vec3 offset;  ///< in the joint's frame, metres
};

/// A piece of the body: the hull of two balls.
struct Part {
  int a = 0, b = 0;  ///< anchors
  float radius_a = 0, radius_b = 0;
  Side side = Side::kMiddle;
  int group = 0;  ///< parts of one group (an arm, the trunk) are painted as one
};

/// Two anchors on the sole of a foot; -1 where the skeleton has no such foot.
struct Sole {
  int heel = -1, toe = -1;
};

/// A body to look at, put around a skeleton: tapered limbs, a trunk with breadth, a head that shows where it faces.
///
/// On a skeleton whose parts are known (motion::find_body) it looks like a jointed mannequin; on any other, every
/// bone is a thin stick. Pictures and the page in 3D draw the same figure.
struct Figure {
  std::vector<Anchor> anchors;
  std::vector<Part> parts;
  Sole left_sole, right_sole;
  bool human = false;  ///< whether the skeleton's parts were recognised

  /// Where the anchors are in the world for a pose given by `forward_kinematics`. `out` has room for all of them.
  void place(std::span<const Vec3> positions, std::span<const Quat> rotations, std::span<Vec3> out) const;
};

/// Builds the figure for `skeleton`. O(joints²). At least one part comes out, whatever the skeleton.
Figure make_figure(const motion::Skeleton& skeleton);

}  // namespace loom::picture
