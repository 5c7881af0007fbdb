// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/motion/clip.h>

namespace loom::character {

/// A clip on `body` as a VRM animation (see `io::format_vrma`), which plays on any VRM: every part as it is turned from
/// the T-pose of the canonical body, so that rest pose and axes of `body` do not matter. `floor` is the height on which
/// its soles stand, metres. A trunk of three joints or more has an upper chest. Fails as `io::format_vrma` does and
/// where VRM requires a bone that the body has not, naming it.
Result<std::string> vrm_animation(const HumanBody& body, const motion::Clip& clip, float floor);

}  // namespace loom::character
