// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// The three joints of a leg or an arm and where it ends. Indices into the skeleton, -1 where there is none.
struct Limb {
  int upper = -1;   ///< hip or shoulder: the joint whose rotation swings the whole limb
  int middle = -1;  ///< knee or elbow
  int end = -1;     ///< ankle or wrist
  int tip = -1;     ///< ball of the foot or first joint of the hand; -1 when the limb stops at `end`

  /// Whether the limb can be bent towards a target (upper, middle and end are there).
  [[nodiscard]] bool complete() const { return upper >= 0 && middle >= 0 && end >= 0; }
};

/// Which joint of a skeleton is which part of a human body.
///
/// Found from names in the conventions people use (CMU, Mixamo, Biped, Blender and Rigify, Unreal, VRM, MotionBuilder,
/// Xsens, ...) and, where names say nothing, from the shape of the hierarchy at rest. Everything is optional: a
/// skeleton of a dog or a door gives an empty body, and whoever needs a part says which is missing.
struct Body {
  int hips = -1;           ///< the joint both legs hang from (not always the root)
  std::vector<int> spine;  ///< from the first joint above the hips to the one the neck hangs from
  int neck = -1;
  int head = -1;
  Limb left_leg, right_leg, left_arm, right_arm;

  [[nodiscard]] bool has_legs() const { return left_leg.complete() && right_leg.complete(); }
};

/// Finds the parts of `skeleton`. O(joints²), no failure: missing parts stay -1.
Body find_body(const Skeleton& skeleton);

/// For every joint its counterpart on the other side of the body; a joint in the middle is its own. Found from names
/// (left and right in their usual spellings) and checked by the geometry at rest; by geometry alone where names do
/// not tell. Fails, naming the joint, when a left joint has no right one.
Result<std::vector<int>> mirror_pairs(const Skeleton& skeleton);

}  // namespace loom::motion
