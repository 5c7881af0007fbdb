// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::play {

/// How quickly a character is meant to take up a new control: time constants with which velocity and turn rate go to
/// the wanted ones. People need two or three steps for a new speed; half a second is brisk.
struct GuideOptions {
  float velocity_seconds = 0.15f;
  float turn_seconds = 0.12f;
};

/// Where a character would be if it did exactly as it is told, and where it will be soon: the stick's own idea of the
/// motion. Velocity and turn rate go to the wanted ones by the same share each instant: they never jump, and yet the
/// first hundredth of a second shows that the stick was moved. Sticks belong to the body: as the character turns, its
/// velocity turns with it.
struct Guide {
  motion::GroundFrame place;
  Vec3 velocity;  ///< on the floor, world
  float turn_rate = 0;

  /// Goes on under `control` for `seconds`, short enough that it hardly turns in them; otherwise exact.
  void step(const motion::Control& control, float seconds, const GuideOptions& options = {});

  /// Where it will be `spacing`, 2 `spacing`, ... seconds from now if the control stays as it is, seen from the
  /// body. No allocation.
  void predict(const motion::Control& control, float spacing, std::span<motion::GroundFrame> places,
               const GuideOptions& options = {}) const;
};

}  // namespace loom::play
