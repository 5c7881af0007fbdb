// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/measure/faults.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {

/// Knees and elbows bent where none bends, and feet turned round on their legs: one fault a joint. A part of
/// `find_faults`; `told` are frames that others tell of, of which nothing more is said. Clips shorter than 0.3 s and
/// bodies without limbs that are known as such give none. O(frames).
std::vector<Fault> find_body_faults(const motion::Clip& clip, const motion::WorldPoses& poses,
                                    std::span<const motion::FrameRange> told);

}  // namespace loom::measure
