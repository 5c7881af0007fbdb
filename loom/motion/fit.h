// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// Whether two skeletons are one body: the same joints and end sites in the same order, every offset within
/// `tolerance` metres. What differs by less is rounding in the file.
bool same_body(const Skeleton& a, const Skeleton& b, float tolerance = 1e-4f);

/// What keeps motion on `from` from being fitted to the body `to`, in words for a user; empty when it can be. It can
/// when both have the same joints by name, each under the same parent, in whatever order and of whatever length, and
/// no bone of the trunk points another way at rest. (Limbs may: motion drawn on arms held out fits arms held down.)
std::string fit_obstacle(const Skeleton& from, const Skeleton& to);

/// A clip moved to another body, and how it went.
struct FittedClip {
  Clip clip;              ///< on the new body
  float scale = 1;        ///< the new legs' length over the old ones'; the root's way is scaled by it
  float furthest = 0;     ///< metres: the most a foot was moved to be planted again
  bool replanted = true;  ///< false: no feet were found, and the root was scaled and nothing else
};

/// Moves `clip` to `body`, a person of other proportions with the same joints.
///
/// Rotations are kept, and the root's way is scaled with the length of the legs, so that steps of a tall performer
/// become steps of a short one. Since thigh, shin and foot do not scale alike, feet would then slide and sink by
/// centimetres: they are planted again. A foot planted in the original moves on the new body just as it moved there
/// (which is hardly), stays as high above the floor as there, and between plants eases back to where its rotations
/// put it (after Kovar 2002b, footskate cleanup). O(frames × joints). Fails as `fit_obstacle` says.
Result<FittedClip> fit_to_body(const Clip& clip, std::shared_ptr<const Skeleton> body);

}  // namespace loom::motion
