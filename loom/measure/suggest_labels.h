// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::measure {

/// A label that a stretch of a clip could carry, and what in its motion speaks for it.
struct SuggestedLabel {
  motion::Label label;
  std::string why;  ///< "1.32 m/s, a foot always on the floor"
};

/// What a body does, from its motion alone, to be accepted or not by whoever looks.
///
/// By the way of the hips: `stand`, `walk`, `walk-backward`, `sidestep-left`, `sidestep-right` and `run`, which share
/// the time between them; running is told from walking by whether both feet leave the floor or both stand on it between
/// steps (Alexander 1989), and by speed where feet cannot be told. Beside them: `turn-left` and `turn-right` where the
/// hips turn by 25° or more without a stop, `jump` where the body flies higher or longer than a running step lets it,
/// and, while it stays in its place, `hand-left`, `hand-right` or `hands-both` where hands move. Labels are in the
/// order of their first frames. O(frames × joints).
///
/// Fails on a skeleton without recognisable feet, naming what is missing; a clip of less than half a second has none.
Result<std::vector<SuggestedLabel>> suggest_labels(const motion::Clip& clip);

}  // namespace loom::measure
