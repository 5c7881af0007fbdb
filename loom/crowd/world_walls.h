// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/result.h>
#include <loom/crowd/flat.h>
#include <loom/crowd/walls.h>
#include <loom/world/world.h>

namespace loom::crowd {

/// The floor of a world, as crowds walk it.
struct WorldFloor {
  Walls walls;     ///< outlines of what is in the way, and the edges of the floor
  Flat low, high;  ///< the box around all of the floor
};

/// The walls of a world: the edges of its floor, and the outlines of all obstacles that a body walks into, be they 5 cm
/// high or 2 m above the floor. A crowd goes round what asks to be stepped over or ducked under. Of a mesh the outlines
/// of the triangles at such heights count. Fails on a world that is none, and on more than a million walls.
Result<WorldFloor> floor_of(const world::World& world);

}  // namespace loom::crowd
