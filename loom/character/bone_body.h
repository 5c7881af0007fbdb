// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/character/human_body.h>

namespace loom::character {

/// Where a bone is and how it is turned: seen from its parent, or from the model it belongs to.
struct BonePose {
  Vec3 position;
  Quat rotation;
};

/// A bone of a skeleton that a program has of its own, at rest, seen from its parent. Metres, Y up.
struct Bone {
  std::string name;
  int parent = -1;  ///< an earlier one; -1 for a root, of which there may be several
  BonePose rest;
};

/// The skeleton of an engine, known well enough to be moved: rest rotations, helpers above the hips and all.
///
/// A `motion::Skeleton` has no rest rotations and begins where motion does; here one is made of the bones from the hips
/// on, and poses on it are written back as the engine wants them. Bones that do not hang from the hips stay at rest,
/// and those without a part go along with what they hang from.
class BoneBody {
 public:
  /// Finds which bone is which (`map_joints`); what `by_hand` says holds. Fails on no bones, a parent that does not
  /// come before its child, numbers that are not finite, a body that is no human (saying what it lacks), and one whose
  /// legs and arms do not hang from its hips.
  static Result<BoneBody> create(std::vector<Bone> bones, const std::optional<MapFile>& by_hand = {});

  [[nodiscard]] const HumanBody& body() const { return body_; }
  [[nodiscard]] const std::vector<Bone>& bones() const { return bones_; }
  /// The bone that has the role; -1 where none has.
  [[nodiscard]] int bone_of(Role role) const;

  /// A pose of `body()` as every bone has it seen from its parent and from the model; either may be empty, else it has
  /// one a bone. Allocates nothing.
  void write(Vec3 root, std::span<const Quat> rotations, std::span<BonePose> local, std::span<BonePose> model);

 private:
  BoneBody() = default;

  std::vector<Bone> bones_;
  std::vector<BonePose> at_rest_;  ///< in the model
  std::vector<int> joint_of_;      ///< by bone; -1 where it stays at rest
  std::vector<int> bone_of_;       ///< by joint
  HumanBody body_;
  std::vector<BonePose> now_;  ///< in the model, memory for `write`
  std::vector<Vec3> positions_;
  std::vector<Quat> world_;
};

}  // namespace loom::character
