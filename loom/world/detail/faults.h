// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/world/world.h>

namespace loom::world {

/// What is wrong with an obstacle, in words; empty: nothing.
std::string obstacle_fault(const Obstacle& obstacle);

}  // namespace loom::world
