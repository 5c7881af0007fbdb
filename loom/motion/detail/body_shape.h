// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/body.h>

namespace loom::motion {

/// Finds a human body from the shape of the skeleton at rest alone: two like chains that reach the floor are the legs,
/// two like chains that do not are the arms. Y must be up. `rest` holds the rest positions of all points
/// (`rest_positions`). `left` points to the body's left where that is known; by default the toes tell, and where they
/// do not, the body is taken to face +Z. Gives an empty body for anything that does not look like a person at rest.
Body find_body_by_shape(const Skeleton& skeleton, std::span<const Vec3> rest, std::optional<Vec3> left);

}  // namespace loom::motion
