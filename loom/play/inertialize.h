// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <loom/base/math.h>
#include <loom/polish/spring.h>

namespace loom::play {

/// A motion at an instant: its pose, and the pose a moment before, from which speeds are read. Both in the world.
struct PoseStep {
  Vec3 root_before, root;
  std::span<const Quat> before, now;  ///< one rotation a joint
};

/// Joins two motions without playing both: the way of games since Bollo 2018.
///
/// When the motion jumps from one piece to another, what the jump would show is kept as an offset of every joint and of
/// the root, speeds included, and dies away as a critically damped spring. So only one motion is ever read, a join may
/// fall into the tail of another, and pose and speed stay continuous whatever is joined. Allocates nothing once made.
class Inertializer {
 public:
  /// `ease_seconds`, positive, is the springs' time constant: a tenth of a jump is left after 3.9 of it.
  Inertializer(std::size_t joints, float ease_seconds);

  /// Has the root and the joints marked in `steady`, one entry a joint, give way no faster than people do: where a jump
  /// is so large that its spring would jerk the body, that takes longer, up to kLongestEase. For trunk, head and arms;
  /// legs have to keep up with the motion.
  void keep_steady(std::vector<std::uint8_t> steady) { steady_ = std::move(steady); }
  static constexpr float kLongestEase = 0.16f;  ///< seconds

  /// Forgets all offsets: the motion starts anew.
  void reset();
  /// The motion goes over from `from` to `to`, both at this instant and both without offsets; the poses before are
  /// `seconds` older.
  void join(const PoseStep& from, const PoseStep& to, float seconds);
  /// Lets the offsets die away for `seconds`.
  void step(float seconds);
  /// Adds the offsets to a pose.
  void apply(Vec3& root, std::span<Quat> rotations) const;

 private:
  /// An offset, and how fast it dies away.
  struct Offset {
    polish::Spring spring;
    float ease_seconds = 0;
  };

  float ease_seconds_;
  Offset root_;
  std::vector<Offset> joints_;        ///< rotation vectors in the parent's frame, applied after the motion's own
  std::vector<std::uint8_t> steady_;  ///< of each joint; empty: none is
};

}  // namespace loom::play
