// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/io/gltf_write.h>
#include <loom/world/world.h>

namespace loom::world {

/// An obstacle's outline on the floor at a moment; of a cylinder 32 corners. Empty for a mesh.
std::vector<Point> outline_of(const Obstacle& obstacle, double seconds = 0);

/// Obstacle by obstacle what there is to be seen, and the ground, where they are at a moment: to be written beside
/// characters. Obstacles that ask have colours of their own.
std::vector<io::GltfProp> props_of(const World& world, double seconds = 0);

}  // namespace loom::world
