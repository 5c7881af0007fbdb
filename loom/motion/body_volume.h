// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <loom/motion/implicit_surface.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// The room a body takes: the tapered capsules of the figure that is drawn around its skeleton, each fixed to a joint.
/// Tells whether limbs pass through the body, or one body through another.
class BodyVolume {
 public:
  /// Nothing for a skeleton that is no human figure (see `make_figure`).
  static std::optional<BodyVolume> of(const Skeleton& skeleton);

  /// How deep the body is inside itself in one frame, metres: its forearms, hands, shanks and feet in parts they do not
  /// hang from. 0 where nothing overlaps. What every body squeezes (thighs, armpits, a bent limb) is left out. About
  /// 50 µs.
  [[nodiscard]] float inside_itself(const WorldPoses& poses, std::size_t frame) const;

  /// How deep this body is inside `other`, metres; 0 where they keep apart. About 0.2 ms where they are near.
  [[nodiscard]] float inside(const WorldPoses& poses, std::size_t frame, const BodyVolume& other,
                             const WorldPoses& other_poses, std::size_t other_frame) const;

 private:
  enum Part : std::uint8_t { kTrunk, kHead, kUpperArm, kForearm, kThigh, kShank, kFoot };
  /// One capsule, and which part of the body it is.
  struct Piece {
    Blob blob;        ///< in the pose of the figure
    Vec3 joint;       ///< where its joint is in that pose
    Quat turn;        ///< from the rest pose to that pose
    float reach = 0;  ///< metres from the joint to the farthest point
    Part part = kTrunk;
    int side = 0;  ///< 1 left, -1 right, 0 in the middle
  };
  /// A point of a capsule's axis, in the frame of the joint.
  struct Probe {
    std::size_t piece = 0;
    Vec3 offset;
    float radius = 0;
  };

  [[nodiscard]] static bool may_touch(const Piece& probe, const Piece& other);
  [[nodiscard]] float depth(Vec3 centre, float radius, const Piece& piece, const WorldPoses& poses,
                            std::size_t frame) const;

  std::vector<Piece> pieces_;
  std::vector<Probe> probes_;
};

}  // namespace loom::motion
