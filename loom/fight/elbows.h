// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/base/math.h>
#include <loom/motion/hinges.h>
#include <loom/motion/skeleton.h>

namespace loom::fight {

/// Straightens the elbows of a pose that are bent backwards. A join carries what is left of one motion's bend over to
/// the next, and turns an arm backwards that is shot out before it has died away. Leaves knees to whatever plants feet.
void straighten_elbows(const motion::Skeleton& skeleton, const motion::Hinges& hinges, std::span<Quat> rotations);

}  // namespace loom::fight
