// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>

namespace loom::io {

/// A bone of a human that stands in T-pose and looks along +Z, and how it turns.
struct HumanBone {
  std::string name;             ///< as VRM 1.0 calls it: "leftUpperArm"
  int parent = -1;              ///< an earlier one of the list; -1 for the hips
  Vec3 offset;                  ///< from the parent in T-pose, metres; for the hips from the floor below them
  std::vector<Quat> rotations;  ///< from T-pose, one a frame, seen from the parent
};

/// What somebody does, whoever it is.
struct HumanMotion {
  std::string name;
  double rate = 30;
  std::vector<HumanBone> bones;  ///< parents first, the hips first of all
  std::vector<Vec3> hips;        ///< where the hips are in each frame, metres, the floor at 0
};

/// A motion as the bytes of a .vrma file: glTF 2.0 with `VRMC_vrm_animation` 1.0, which VRM tools play on any VRM. The
/// nodes stand in T-pose without turns; only the hips travel. Fails on no frames, on lists of another length and on a
/// bone before its parent.
Result<std::string> format_vrma(const HumanMotion& motion);

}  // namespace loom::io
