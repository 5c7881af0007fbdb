// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/character/map_file.h>
#include <loom/character/map_joints.h>
#include <loom/character/role.h>
#include <loom/motion/clip.h>
#include <loom/motion/skeleton.h>

namespace loom::character {

/// Where a foot meets the floor, as seen from its ankle while it stands flat and points along +Z. Metres.
struct FootShape {
  Vec3 heel;  ///< the hindmost point of the sole
  Vec3 ball;  ///< the sole below the joint of the toes
  Vec3 toe;   ///< that joint; where there is none, as the ball
  Vec3 tip;   ///< the foremost point of the sole
};

/// A skeleton whose parts are known well enough to carry motion to it and from it.
///
/// The heart of it are `frames`: how each part is turned, seen from its joint, compared with one canonical body, which
/// stands in T-pose and looks along +Z. The world rotation of a joint times its frame says the same on every body,
/// whatever its rest pose, so that two bodies need not know of each other (Huang 2012 §8.4.1: rest poses aligned bone
/// by bone, local frames re-oriented).
struct HumanBody {
  std::shared_ptr<const motion::Skeleton> skeleton;
  std::array<int, kRoles> joints{};  ///< by Role; -1 where the body has none
  std::vector<int> trunk;            ///< from the lowest joint of the spine to the one the arms hang from
  std::vector<int> neck;             ///< from there up to the head, which is left out
  std::vector<TwistJoint> twists;
  std::vector<Quat> frames;            ///< by joint; the identity for joints without a part
  std::array<float, 2> leg{};          ///< thigh and shin, left and right, metres
  float hip_height = 0;                ///< of the middle between the hip joints above the soles, legs straight, metres
  std::array<FootShape, 2> feet{};     ///< left and right
  std::array<bool, 2> has_foot{};      ///< whether the leg can be bent so that its foot comes to a place
  bool stands = true;                  ///< whether it stood, upright, in the pose it was looked at in
  std::vector<std::string> unclear{};  ///< what was guessed, in full sentences

  [[nodiscard]] int of(Role role) const { return joints[static_cast<std::size_t>(role)]; }
};

/// Looks at `skeleton`, whose joints are told apart by `map` (indices into the skeleton), in the pose `reference`: one
/// rotation a joint, or none for the rest pose. The body should stand in it; arms may be wherever they are. Fails where
/// hips, thighs or upper arms are missing.
Result<HumanBody> look_at_body(std::shared_ptr<const motion::Skeleton> skeleton, const JointMap& map,
                               std::span<const Quat> reference = {});

/// The body that `clip` moves: joints are told apart by `map_joints`; the pose it is looked at in is the rest pose, or,
/// where that is no pose of standing, the frame in which it stands most upright. Fails where it is no human, saying
/// what it lacks. What `by_hand` says of its joints holds. O(joints × frames looked at), of which there are at most
/// 200.
Result<HumanBody> look_at_body(const motion::Clip& clip, const std::optional<MapFile>& by_hand = {});

/// The height in the world on which the soles of `body` stand in `clip`: the median over the frames in which a foot is
/// planted, that of the lower ones where some are clearly lower (steps, a box), or the lowest that a foot comes where
/// none is planted.
float sole_floor(const HumanBody& body, const motion::Clip& clip);

}  // namespace loom::character
