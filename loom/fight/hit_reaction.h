// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/fight/state_body.h>
#include <loom/motion/skeleton.h>
#include <loom/polish/spring.h>

namespace loom::fight {

/// A blow that landed.
struct Hit {
  BodyPoint part = BodyPoint::kHead;  ///< what was hit
  Vec3 blow;                          ///< velocity of what hit it, world, metres a second
  Vec3 place;                         ///< where it landed, world
  Vec3 centre;                        ///< the middle of what was hit, world
};

/// How a body gives way when it is hit: trunk, head, shoulders and hips are knocked in the direction of the blow, as
/// far as it was hard, and swing back as critically damped springs. A blow beside the middle turns the body round, one
/// to the abdomen folds it over the fist. No physics, only an offset of the pose that dies away; feet that stand are
/// held by whoever plants them (polish::FootPlanter).
class HitReaction {
 public:
  explicit HitReaction(const motion::Skeleton& skeleton);

  /// Knocks the body. `world` is how every joint is turned in the world. `moves`: recorded motion shows most of it, and
  /// only a part is added.
  void take(const Hit& hit, std::span<const Quat> world, bool moves = false);
  void step(float seconds);
  /// Adds the offset to a pose.
  void apply(Vec3& root, std::span<Quat> rotations) const;

 private:
  struct Knock {
    std::size_t joint = 0, parent = 0;
    polish::Spring offset;  ///< rotation vector in the parent's frame
  };
  std::vector<Knock> spine_, head_, arms_;
  polish::Spring root_;  ///< metres, world
};

}  // namespace loom::fight
