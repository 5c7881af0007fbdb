// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/world/world.h>

#include "loom/recorded_motion.h"

namespace loom::app {

/// A motion in its world as one file, where that is a glTF; nothing for other files, which have no room for a world.
/// On the character that `output` names, where it names one.
Result<void> write_walk_scene(const MotionOutput& output, const std::string& library, const motion::Clip& clip,
                              const world::World& world);

/// The way a motion goes over its world, from above.
Result<void> draw_walk(const std::string& file, const motion::Clip& clip, const world::World& world);

}  // namespace loom::app
