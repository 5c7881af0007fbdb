// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/world/floor_field.h>
#include <loom/world/world.h>

namespace loom::plan {

/// The obstacle that closes the floor between two places: the first that is met on the way which goes through as little
/// of obstacles as can be. world::Nearest::kNone where the ground ends between them.
std::size_t closing_obstacle(const world::FloorField& field, world::Point start, world::Point goal, double radius);

}  // namespace loom::plan
