// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/steps/footprints.h>
#include <loom/motion/ground_frame.h>
#include <loom/plan/approach.h>
#include <loom/world/world.h>

namespace loom::plan {

/// Footprints from standing at `start` along a way to standing at `goal`: the first two are those one stands on, the
/// last two those one comes to stand on, exactly. `way` has the corners to go by, the last one at the goal.
///
/// A walk faces where it goes: it turns in its first steps and turns to the goal's heading in its last (Huang 2012
/// §7.6, fig. 7.7), where the body slows down. Over a short way the body goes on facing as it does, and steps aside or
/// back. Of both, and of beginning with either foot, the one with the fewest steps is taken. No step is longer or turns
/// a foot further than people's do, and feet are not crossed. Fails where no such steps were found.
Result<std::vector<blend::Footprint>> plan_footprints(std::span<const world::Point> way,
                                                      const motion::GroundFrame& start, const motion::GroundFrame& goal,
                                                      const Stance& from, const Stance& to);

}  // namespace loom::plan
