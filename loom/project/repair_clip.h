// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/measure/measure.h>
#include <loom/motion/clip.h>
#include <loom/polish/repair.h>

namespace loom::project {

/// How good a motion is, as far as repairs change it.
struct RepairMeasures {
  measure::Measures motion;
  double floor_m = 0;     ///< the height of the floor its feet know, metres
  double loop_gap_m = 0;  ///< how far joints of its last pose lie from those of its first (polish/loop.h)
  std::size_t frames = 0;
  double rate = 0;
};

/// A mended clip beside what it was made of, both measured alike.
struct RepairedClip {
  motion::Clip clip;
  std::vector<std::string> done;  ///< what was done, a sentence a step
  RepairMeasures before, after;
};

/// Mends a clip of a library (polish/repair.h); the library stays as it is. Fails where reading or mending does.
Result<RepairedClip> repair_clip(const library::Library& library, const std::string& clip,
                                 const polish::Repairs& repairs);

/// Keeps what was mended as a clip of its own; the one it was made of stays. Fails on a name that is taken.
Result<void> keep_repaired(library::Library& library, const std::string& clip, const polish::Repairs& repairs,
                           const RepairedClip& repaired, const std::string& as);

/// What was asked for as JSON: the provenance of a clip that was kept.
std::string repair_provenance(const std::string& clip, const polish::Repairs& repairs);

}  // namespace loom::project
