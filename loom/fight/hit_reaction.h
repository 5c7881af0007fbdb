// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/fight/state_body.h>
#include <loom/motion/skeleton.h>
#include <loom/polish/foot.h>
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
/// to the abdomen folds it over the fist. No physics, only an offset of the pose that dies away. The feet stay where
/// they are: knees bend where the hips sink.
class HitReaction {
 public:
  explicit HitReaction(std::shared_ptr<const motion::Skeleton> skeleton);

  /// Knocks the body. `world` is how every joint is turned in the world. `moves`: recorded motion shows most of it, and
  /// only a part is added.
  void take(const Hit& hit, std::span<const Quat> world, bool moves = false);
  void step(float seconds);
  /// Adds the offset to a pose.
  void apply(Vec3& root, std::span<Quat> rotations) const;

 private:
  /// What a blow pushes and a spring brings back. The push itself dies away as fast as the spring does: all of it at
  /// once would jerk the body as no body is.
  struct Swing {
    polish::Spring spring;
    Vec3 push;  ///< velocity still to be given

    void step(float seconds);
  };
  struct Knock {
    std::size_t joint = 0, parent = 0;
    Swing offset;  ///< rotation vector in the parent's frame
  };
  void sink(Vec3& root, std::span<Quat> rotations) const;

  std::shared_ptr<const motion::Skeleton> skeleton_;
  std::optional<std::array<polish::Foot, 2>> feet_;  ///< nothing where the body has no recognisable ones
  std::vector<Knock> spine_, head_, arms_;
  Swing root_;  ///< metres, world
};

}  // namespace loom::fight
