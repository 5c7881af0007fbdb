// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/control/state_body.h>
#include <loom/motion/skeleton.h>
#include <loom/polish/spring.h>

namespace loom::control {

/// How a body gives way when it is hit: the joints between what was hit and the hips are knocked in the direction of
/// the blow and swing back as critically damped springs. No physics, only an offset of the pose that dies away.
class HitReaction {
 public:
  explicit HitReaction(const motion::Skeleton& skeleton);

  /// Knocks the body: `blow` is the velocity of what hit it (world, metres a second), `world` how every joint is turned
  /// in the world.
  void take(BodyPoint part, Vec3 blow, std::span<const Quat> world);
  void step(float seconds);
  /// Adds the offset to a pose.
  void apply(std::span<Quat> rotations) const;

 private:
  struct Knock {
    std::size_t joint = 0, parent = 0;
    polish::Spring offset;  ///< rotation vector in the parent's frame
  };
  std::vector<Knock> spine_, head_;
};

}  // namespace loom::control
