// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/blend/blend.h>
#include <loom/plan/action_space.h>
#include <loom/plan/weight_path.h>

namespace loom::plan {

/// Makes motion of weights that change over an action, from the origin facing +Z, feet as they are blended.
///
/// Where weights change, the hand takes another way. It is timed so that the share of its way that is done at each
/// moment, before the stroke and after it, is that of the motion with the weights of the stroke all along, and its
/// speed too: a longer way takes longer (Huang 2012 §6.4.5). `hand` is a joint. Strokes fall on frames.
Result<blend::Blended> timed_action(const ActionSpace& space, const WeightPath& path, int hand);

}  // namespace loom::plan
