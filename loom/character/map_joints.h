// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/role.h>
#include <loom/motion/rig.h>

namespace loom::character {

/// The joint that has a role, and how sure that is.
struct MappedJoint {
  int joint = -1;        ///< in the rig; -1 where the body has none
  float confidence = 0;  ///< 0 to 1: 1 was said by somebody, above 0.9 names and shape agree, below 0.7 look yourself
};

/// A joint between two that have roles: it takes a share of the twist of its limb.
struct TwistJoint {
  Role of = Role::kHips;  ///< the upper arm, forearm, thigh or shin it lies on
  int joint = -1;
};

/// A joint of a finger.
struct FingerJoint {
  bool left = false;
  int finger = 0;  ///< 0 for the first that branches from the hand, in the order of the file
  int place = 0;   ///< 0 nearest to the hand
  int joint = -1;
};

/// Which joint of a rig is which part of a human body.
struct JointMap {
  bool human = false;
  std::array<MappedJoint, kRoles> joints;  ///< by Role; all -1 where it is no human
  std::vector<TwistJoint> twists;
  std::vector<FingerJoint> fingers;
  std::vector<std::string> missing;  ///< why it is no human, each a phrase: "two arms"
  std::vector<std::string> unclear;  ///< what could not be told and was guessed, in full sentences

  [[nodiscard]] const MappedJoint& of(Role role) const { return joints[static_cast<std::size_t>(role)]; }
  MappedJoint& of(Role role) { return joints[static_cast<std::size_t>(role)]; }
};

/// Finds which joint is which (Huang 2012 §8.3, algorithms 2 to 4), whatever the up axis, the unit and the order.
///
/// The hierarchy comes first: limbs are pairs of chains that hang from one joint and have the same bones; the base is
/// where the legs and the way to the arms part, the chest where the arms part. Along a chain the joints are seated by
/// names in any of the usual conventions and by the lengths of bones, so that either alone will do: two long bones of
/// like length, then a hand with fingers or a foot that bends. Names tell left from right; without them toes do, which
/// point forward.
///
/// Somebody with human joints need not be human: a fox has an upper arm by name. The best of the rig's poses must stand
/// upright, with legs below the torso, arms that do not reach the floor, and parts in human proportion.
///
/// Fails on a rig that `check_rig` refuses. O(joints × depth³) at worst, bounded; about a millisecond for 100 joints.
Result<JointMap> map_joints(const motion::Rig& rig);

}  // namespace loom::character
