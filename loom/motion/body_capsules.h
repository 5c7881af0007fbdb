// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/body.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// The parts of a body that move by themselves: what is between head and hips, and four limbs.
enum class BodyPart : std::uint8_t { kCore, kLeftArm, kRightArm, kLeftLeg, kRightLeg };
inline constexpr std::size_t kBodyParts = 5;

/// A capsule of a body in a pose: a tapered rod with round ends, in the world.
struct Capsule {
  Vec3 a, b;  ///< metres
  float radius_a = 0, radius_b = 0;
};

/// Where two capsules come nearest: where on their axes, from 0 at `a` to 1 at `b`, and the gap between their surfaces,
/// negative where they overlap. Exact for rods of even thickness.
struct CapsuleGap {
  float on_one = 0, on_other = 0;
  float gap = 0;  ///< metres
};
CapsuleGap gap_between(const Capsule& one, const Capsule& other);

/// The room a body takes, as about forty capsules: those of the figure that is drawn around its skeleton
/// (motion::make_figure), pieces of one bone taken together and what is wide made of rods that lie across. Coarser than
/// motion::BodyVolume by a centimetre or two and a hundred times as quick: for run time.
class BodyCapsules {
 public:
  /// Nothing for a skeleton that is no human figure or does not stand at rest.
  static std::optional<BodyCapsules> of(const motion::Skeleton& skeleton);

  [[nodiscard]] std::size_t size() const { return pieces_.size(); }
  [[nodiscard]] BodyPart part(std::size_t capsule) const { return pieces_[capsule].part; }
  /// How far down its limb a point of a capsule's axis is: 0 at the shoulder or hip, 1 from the wrist or ankle on.
  [[nodiscard]] float down_limb(std::size_t capsule, float on_axis) const {
    return pieces_[capsule].down_a + (pieces_[capsule].down_b - pieces_[capsule].down_a) * on_axis;
  }
  /// The capsules of a pose, `size()` of them. No allocation.
  void place(std::span<const Vec3> positions, std::span<const Quat> world, std::span<Capsule> capsules) const;

 private:
  struct Piece {
    std::size_t joint = 0;
    Vec3 a, b;  ///< in the joint's frame
    float radius_a = 0, radius_b = 0;
    BodyPart part = BodyPart::kCore;
    float down_a = 0, down_b = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace loom::motion
