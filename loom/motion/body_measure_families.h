// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/body_measures.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

/// The families `measure_body` is put together from; each fills in its own part of `measures`.
void measure_hinges(const Clip& clip, const WorldPoses& poses, BodyMeasures& measures);
void measure_volume(const Clip& clip, const WorldPoses& poses, BodyMeasures& measures);
void measure_soles(const Clip& clip, const WorldPoses& poses, const BodyMeasureOptions& options,
                   BodyMeasures& measures);

}  // namespace loom::motion
