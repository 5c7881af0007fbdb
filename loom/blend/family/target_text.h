// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <loom/base/result.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/motion/skeleton.h>

namespace loom::blend {

/// A target as people write it, for the command and for the page alike:
///
///     RightHand=0.3,1.2,0.5@stroke                  a place, metres seen from the character at the start
///     RightHand=line:0.3,1.2,0.5:0,1,0@stroke       a line through a place, and its direction
///     RightHand=turn:0,90,0@stroke                  a turn from the rest pose: a rotation vector in degrees
///     RightHand=turn:0,90,0:xz@stroke2,c=0.5,n=0.4  about some axes only; at the second stroke, with c and n
///
/// Without an @ the first stroke is meant. Fails on anything else, and on a joint the body lacks.
Result<JointTarget> target_from_text(std::string_view text, const motion::Skeleton& skeleton);

/// "place", "line" or "turn".
const char* to_string(Constraint::Kind kind);

}  // namespace loom::blend
