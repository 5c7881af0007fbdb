// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/picture/drawing.h>
#include <loom/world/world.h>

namespace loom::report {

struct WorldPictureOptions {
  float side = 1000;                    ///< pixels of the longer side
  const motion::Clip* walk = nullptr;   ///< somebody who walks there: the way of the root, and the body from above
  double every = 0.5;                   ///< seconds between two bodies
  std::optional<world::Ground> within;  ///< only this part
};

/// A world from above, x to the right and z down, with starts, goals, paths of what moves, and who walks in it.
picture::Drawing world_picture(const world::World& world, const WorldPictureOptions& options = {});

}  // namespace loom::report
