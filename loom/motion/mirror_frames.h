// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// How a body is reflected: which joint becomes which, and how the frame of each lies to that of its counterpart.
///
/// A joint turned by W in the world is seen in a mirror S as its counterpart, turned by S W M, where M reflects the
/// counterpart's own frame into the joint's: M carries every bone of the counterpart onto the same bone here. In a body
/// whose offsets draw a symmetric pose, M is one plane for all joints; where local frames follow the bones, as many
/// programs write them, every joint has its own. A local rotation q then becomes M(parent)⁻¹ q M(joint).
struct MirrorFrames {
  std::vector<int> pairs;   ///< for every joint its counterpart; a joint in the middle is its own (`mirror_pairs`)
  std::vector<Quat> turns;  ///< for every joint, M = -R(turn). That of the counterpart is -conjugate(turn)
  /// The most that a point of the mirrored body can be off the mirror image, in metres: what the bones of the two sides
  /// differ, added up along the way to it. Directions are mirrored, lengths are the skeleton's own and stay.
  float miss = 0;
};

/// Finds how a body is reflected, from its rest pose alone, so that all clips of it are mirrored alike: O(joints²).
/// Fails as `mirror_pairs` does.
///
/// A bone leaves a turn about itself open: what needs the least turning from the parent's frame is taken. Where the
/// offsets draw a pose that a body could take, that is what is meant. Where they draw none (every bone along the local
/// X, say) nothing in the skeleton tells: places are right all the same, but a mirrored limb may be turned by quarter
/// turns about its own bones, the same in every clip.
Result<MirrorFrames> find_mirror_frames(const Skeleton& skeleton);

}  // namespace loom::motion
