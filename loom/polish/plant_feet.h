// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/stream.h>

namespace loom::polish {

/// How feet are planted. The defaults are chosen on real capture; bench/polish_bench.cc judges them.
struct FootPlantOptions {
  float min_seconds = 0.05f;   ///< shorter plants are left alone: pinning them shows more than it mends
  float max_wander = 0.15f;    ///< metres; a foot that goes further while planted is shuffling and keeps doing so
  float ease_seconds = 0.10f;  ///< corrections come and go within about three times this
  float root_seconds = 0.12f;  ///< the same for the way of the root
  /// Metres below the floor down to which feet may go, as on stairs. What a blend carries deeper is put on the floor.
  float deepest = std::numeric_limits<float>::infinity();
};

/// The clip with its feet held where they are planted: no sliding, no sinking, no floating, and no popping.
///
/// For each stretch in which the heel or the toe of a foot is planted the point is held where it dwells, on the floor.
/// The correction is carried smoothly from plant to plant and fades in long swings; heel and toe move as one foot; one
/// drawn over the floor between plants is lifted (`lift_drags`). Legs reach for their feet by two-bone inverse
/// kinematics, in the plane they are bent in, and the root is moved by a smooth curve so that straight legs keep their
/// length and none overstretches (the idea of Kovar 2002b, "Footskate cleanup for motion capture editing", made into
/// one least-squares problem over the clip). The rest of the body, the labels and the length of the clip stay.
///
/// `contacts` are those of the clip, one entry a frame. O(frames). Fails when the skeleton has no recognisable feet,
/// naming what is missing, or when contacts and clip differ in length; an empty clip stays empty.
Result<motion::Clip> plant_feet(const motion::Clip& clip, const motion::Contacts& contacts,
                                const FootPlantOptions& options = {});

/// The same for a recorded stream, whose contacts are those of its clip.
Result<void> plant_feet(motion::Recording& recording, const FootPlantOptions& options = {});

}  // namespace loom::polish
