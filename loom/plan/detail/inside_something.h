// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

namespace loom::plan {

/// What to say of a target that lies inside an obstacle: in which, and where the nearest place outside is. Nothing
/// where it does not. Of outlines and meshes, which are surfaces, the inside is not known.
std::optional<Error> inside_something(const world::World& world, world::Collision& collision, Vec3 target);

}  // namespace loom::plan
