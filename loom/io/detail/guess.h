// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <loom/motion/clip.h>
#include <loom/motion/skeleton.h>

namespace loom::io {

/// The longest way along the bones from one tip to another, in the skeleton's own unit.
///
/// It measures a body's size whatever pose the offsets happen to show: in a person it goes from a toe to the fingers
/// of an arm and is about 1.3 times the height. O(joints).
double longest_path(const motion::Skeleton& skeleton);

/// A unit that files are written in.
struct LengthUnit {
  double metres;
  const char* name;  ///< as in "one unit is ..."
};

/// The unit in which a body whose longest path is `path` comes nearest to the size of a person: metres, centimetres,
/// millimetres, inches, feet, or the 5.6444 cm of the CMU database.
LengthUnit guess_unit(double path);

/// What could be found out about which way is up.
struct UpGuess {
  int motion = 1;           ///< vertical axis of the recorded motion: 0, 1, 2
  std::optional<int> rest;  ///< vertical axis of the body as its offsets draw it; nothing where that is unclear
  bool from_body = false;   ///< whether the body was recognised; otherwise `motion` is what most files use, Y
};

/// Guesses the vertical axis of a clip in metres with unknown axes: the one an artificial T-pose before the motion
/// stands along, else the one the offsets draw the body along (Y where they draw none), unless the motion stands along
/// another and that axis's zero makes the better floor. A person lying down or swimming must not tip the world over, so
/// against the offsets the motion must be upright throughout, with feet that rest on that floor. Looks at no more than
/// two hundred frames. `rest_tells`: whether the offsets are the file's own.
UpGuess guess_up(const motion::Clip& clip, bool rest_tells = true);

}  // namespace loom::io
