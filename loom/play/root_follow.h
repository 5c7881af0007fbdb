// SPDX-License-Identifier: MIT
#pragma once

#include <loom/play/guide.h>
#include <loom/play/splice.h>

namespace loom::play {

/// Who decides where a character is: the motion it plays, or the stick.
enum class RootSource {
  kMotion,   ///< the motion alone: feet stay put, and the character goes as well as the motion allows
  kBetween,  ///< the motion, drawn towards where the stick wants it by a share of its own speed
  kControl,  ///< the stick alone, the pose following, as in the game of McCann & Pollard 2007 §4.1
};

/// `v`, no longer than `most`.
Vec3 at_most(Vec3 v, float most);

/// "motion", "between", "control".
const char* to_string(RootSource source);

struct RootFollow {
  RootSource source = RootSource::kBetween;
  float ease_seconds = 0.15f;  ///< kBetween: time constant with which the character comes to the guide
  float most = 0.2f;  ///< kBetween: it is moved by at most this share of the way, and of the turn, it makes itself
  float turn_a_metre = 0.3f;  ///< kBetween: and turned by so many radians more for a metre that it goes
  /// kBetween: metres and radians beyond which the guide waits for the character, so that a stick held against what
  /// the motion can do does not run away.
  float leash_metres = 0.5f;
  float leash_radians = 1.0f;
};

/// Brings character and guide together after both have made one pose's step of `seconds`; `before` is where the
/// character was one pose ago. Does not allocate.
void follow(const RootFollow& options, const motion::GroundFrame& before, float seconds, Splice& splice, Guide& guide);

}  // namespace loom::play
