// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/body.h>
#include <loom/motion/skeleton.h>

namespace loom::polish {

/// One foot and the leg that carries it, with the two points that can be planted.
struct Foot {
  motion::Limb leg;
  std::size_t heel = 0, toe = 0;            ///< points, as in WorldPoses
  std::size_t heel_part = 0, toe_part = 0;  ///< of FootPoints; part i has the bit 1 << i in Contacts::planted
  double thigh = 0, shank = 0;              ///< metres from joint to joint at rest
  /// What the knee bends about by the skeleton at rest, in the thigh's frame; nothing where that is no pose of
  /// standing.
  std::optional<Vec3> hinge;
  /// From the ankle to the toes in the frame of the foot, unit length, which is where the shank has them too; nothing
  /// as above.
  std::optional<Vec3> toes;

  [[nodiscard]] bool heel_planted(std::uint8_t planted) const { return (planted >> heel_part & 1) != 0; }
  [[nodiscard]] bool toe_planted(std::uint8_t planted) const { return (planted >> toe_part & 1) != 0; }
};

/// The left and the right foot of a skeleton. Fails as `find_contacts` does.
Result<std::array<Foot, 2>> find_feet(const motion::Skeleton& skeleton);

/// Where the two points of a foot are, or are to be. World, metres.
struct FootPlace {
  Vec3 heel, toe;
};

/// Where the two points of a foot are in a pose. O(depth of the foot), no allocation.
FootPlace place_of(const motion::Skeleton& skeleton, const Foot& foot, Vec3 root, std::span<const Quat> rotations);

/// Brings heel and toe to the distance `length` they have on the foot: the heel gives way by `heel_share` of what is
/// wrong, the toe by the rest.
void keep_length(FootPlace& place, float length, float heel_share);

/// Keeps a foot from being turned further from where the motion has it than a leg can have it: where `place` points
/// away from `own`, the way from heel to toe in the motion itself, by more than 60 degrees on the floor, it is brought
/// back to that; where the motion has the foot upright, so that it points nowhere, by more than 50 degrees in space.
/// The heel gives way by `heel_share`, the toe by the rest.
void keep_direction(FootPlace& place, Vec3 own, float heel_share);

/// What is left of the height `above` (metres) of a planted point over the height it stands at: bobbing by millimetres
/// is noise and goes, lifting by centimetres is the beginning of a step and stays.
float settled_height(float above);

/// The turn of a foot that brings its toe in the right direction from its heel.
Quat foot_turn(const FootPlace& now, const FootPlace& wanted);

/// Where an ankle that is at `ankle` has to go for its foot to be at `wanted`.
Vec3 ankle_target(Vec3 ankle, const FootPlace& now, const FootPlace& wanted);

/// Has a foot that pointed along `before`, from heel to toe, turn on the floor by no more than `most` radians; of what
/// is taken back the heel moves `heel_share`. Feet that stand upright point nowhere, and are left alone.
void limit_turn(FootPlace& place, Vec3 before, float most, float heel_share);

/// The same in space: feet that stand upright turn, too.
void limit_tilt(FootPlace& place, Vec3 before, float most, float heel_share);

/// No foot on the floor, or this near to it in metres, turns faster than that, radians a second.
inline constexpr float kNearFloor = 0.05f, kFastestTurn = 900 * kDegree;

/// Lifts the heel of a foot that stands on its toe where its leg, from `hip`, does not reach the ankle: the foot rolls
/// over the toe as far as it takes, and no further than people roll theirs. `recorded` is the distance of hip and ankle
/// in the motion, metres: a leg that is straighter there may be so here.
void raise_heel(const Foot& foot, Vec3 hip, Vec3 ankle, float recorded, FootPlace& place);

/// Moves the foot of a pose from where it is to where it is to be: the leg is bent so that the heel comes to its
/// place, and the foot is turned so that the toe lies in the direction of its own, though no further round its shank
/// than ankles and shanks let it, or than the motion has it. `knee_axis` is what the knee bends about, in the frame of
/// the thigh (`knee_axes`). The leg comes to its full length softly, from the share `straightest` of it on where the
/// motion has it so straight, but always as straight as the motion has it, and it is folded no further than legs fold
/// or than the motion has it. Returns how far the ankle was missed, in metres. No allocation.
float place_foot(const motion::Skeleton& skeleton, const Foot& foot, Vec3 root, std::span<Quat> rotations,
                 Vec3 knee_axis, const FootPlace& now, const FootPlace& wanted, float straightest = 1);

}  // namespace loom::polish
