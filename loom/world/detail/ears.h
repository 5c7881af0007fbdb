// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <loom/world/world.h>

namespace loom::world {

/// The triangles of a simple outline, all of one sense: ears cut off one after the other. O(corners³) at worst.
std::vector<std::array<Point, 3>> triangles_of(std::vector<Point> outline);

}  // namespace loom::world
