// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::motion {

/// The way along the floor that a clip leaves out: animations for games are often written in their place, the feet
/// sliding back under the body as on a treadmill, and the program is to move the body.
struct MissingWay {
  std::vector<Vec3> way;  ///< one entry a frame, metres along the floor from where the body is to where it would be
  float speed = 0;        ///< metres a second, on average
};

/// The way that the feet of `clip` make and its root does not; nothing where the feet on the floor stand, slide to and
/// fro or slide one way and do not come back (somebody falls), or where there are no recognisable feet.
///
/// In every frame the part of a foot that is lowest carries the body and is taken to stand; in flight the body goes on
/// at the speed between that of the steps before and after. O(frames).
std::optional<MissingWay> find_missing_way(const Clip& clip);

/// The clip with that way: what carries it stands.
Clip add_way(const Clip& clip, const MissingWay& missing);

}  // namespace loom::motion
