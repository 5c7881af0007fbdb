// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <loom/base/result.h>
#include <loom/motion/body_capsules.h>
#include <loom/world/world.h>

namespace loom::world {

/// A capsule of a body in an obstacle.
struct Touch {
  std::size_t obstacle = 0;  ///< of the world's
  std::size_t capsule = 0;   ///< of those asked about
};

/// The obstacles of a world in full, to be asked whether bodies touch them.
///
/// Boxes, cylinders, outlines with height and meshes lie in a dynamic tree of boxes, and pairs whose boxes meet are
/// decided by Gilbert's, Johnson's and Keerthi's algorithm (FCL does both). A capsule counts with its larger radius, so
/// that what is said to be free is. Outlines and meshes are surfaces: what lies wholly inside does not touch.
/// One at a time: asking changes what it remembers.
class Collision {
 public:
  /// Fails on a world that is none.
  static Result<Collision> create(const World& world);
  ~Collision();
  Collision(Collision&&) noexcept;
  Collision& operator=(Collision&&) noexcept;

  /// The first capsule found that comes nearer than `margin` metres to an obstacle at a moment; none where all are
  /// clear.
  std::optional<Touch> touch(std::span<const motion::Capsule> capsules, double seconds = 0, double margin = 0);
  /// Metres between a capsule and the nearest obstacle, 0 where they touch; `within` where none is that near.
  double gap(const motion::Capsule& capsule, double seconds, double within);

 private:
  struct State;
  explicit Collision(std::unique_ptr<State> state);
  void move_to(double seconds);
  std::unique_ptr<State> state_;
};

}  // namespace loom::world
