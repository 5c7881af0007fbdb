// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// One joint of a rig.
struct RigJoint {
  std::string name;     ///< as the file has it; names may repeat or be empty
  int parent = -1;      ///< any other joint, before or behind; -1 for a root
  bool end = false;     ///< the file says that it is no joint but where the parent's bone ends
  std::string human{};  ///< the bone of a human that the file says it is, in the words of VRM ("leftUpperArm")
};

/// The joints of a character as a file has them: any number of roots, any order, any names, any axis upwards.
///
/// A `Skeleton` is what motion is kept on, one tree in the order of kinematics; a rig is what is looked at first, to
/// find out which joint is which.
struct Rig {
  std::string name;
  std::vector<RigJoint> joints;
  /// Poses that the file draws the body in, in world coordinates and file units, one position a joint: at rest, and
  /// where they differ the pose the skin was bound in or the first frame. At least one. Which of them shows a body that
  /// stands is for whoever looks.
  std::vector<std::vector<Vec3>> poses;
  /// The same poses as orientations in the world, one a joint; empty where the file has only places.
  std::vector<std::vector<Quat>> turns{};
  /// How much longer a joint makes what hangs from it, all above it included; empty where nothing is scaled.
  std::vector<float> scales{};
  /// The node of the file that each joint is; empty where the file has no nodes.
  std::vector<int> nodes{};
};

/// Whether the rig can be worked with. Fails on no joints, more than kMaxJoints, a parent out of range, a cycle, no
/// pose, a pose of another size or with a position that is not finite. O(joints).
Result<void> check_rig(const Rig& rig);

/// The rig of a skeleton: its joints, then its end sites, at rest and, where `pose` is given, turned by that.
Rig rig_of(const Skeleton& skeleton, std::span<const Quat> pose = {});

/// The joints, parents before their children. The rig must have passed `check_rig`.
std::vector<int> joints_from_roots(const Rig& rig);

}  // namespace loom::motion
