// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <loom/measure/body_measures.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {

/// The families `measure_body` is put together from; each fills in its own part of `measures`.
void measure_hinges(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures);
void measure_volume(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures);
void measure_accelerations(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures);
void measure_head(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures);
void measure_soles(const motion::Clip& clip, const motion::WorldPoses& poses, const BodyMeasureOptions& options,
                   BodyMeasures& measures);

/// From each ankle towards the toes, unit length, in the frame of the foot. The skeleton has feet.
std::array<Vec3, 2> toe_directions(const motion::Skeleton& skeleton);
/// Whether a foot points to where its leg cannot have it; `toes` as above.
bool foot_is_reversed(const motion::WorldPoses& poses, std::size_t frame, const motion::Limb& leg, Vec3 toes);

}  // namespace loom::measure
