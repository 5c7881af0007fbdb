// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/motion/skeleton.h>

namespace loom::testing {

/// A skeleton from its outline: "Hips{Spine{Head} LeftLeg RightLeg}". Names may hold blanks when written as 'L Foot'.
/// Offsets are all zero, or what follows a name in brackets, in metres: "Hips{Spine[0 0.2 0]}".
motion::Skeleton outline_skeleton(std::string_view outline);

}  // namespace loom::testing
