// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>

namespace loom::matching {

/// Where the ankles of a character are.
struct FeetNow {
  std::array<Vec3, 2> ankle{};  ///< left and right, world, metres
  std::array<bool, 2> held{};   ///< it stands there
};

/// Where the feet of a character really stand, as whoever chooses its motion has to know.
///
/// Pieces of motion that are joined do not agree about where a planted foot is; on the floor it stays where it touched
/// down until the motion lifts it. Were motion chosen by where the pieces have the feet, a body could play the same
/// moment of standing again and again while it travels; its real foot is left behind, and soon only frames fit in which
/// that foot is about to step. No allocation.
class FootHold {
 public:
  /// Feet without recognisable ankles are never held.
  explicit FootHold(const motion::Skeleton& skeleton);

  /// Follows the next pose; `planted` are its FootBits.
  void follow(const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations, std::uint8_t planted);
  [[nodiscard]] const FeetNow& feet() const { return feet_; }

 private:
  std::array<int, 2> ankles_;
  FeetNow feet_;
  std::array<bool, 2> was_held_{};
};

}  // namespace loom::matching
