// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/crowd/flat.h>

namespace loom::crowd {

/// Velocities (or ways) that are allowed: those v with dot(normal, v) >= least.
struct HalfPlane {
  Flat normal;      ///< of length one
  float least = 0;  ///< metres a second, or metres
};

/// The point of a disc around the origin that lies in all half-planes and is nearest to `wanted`; false where there is
/// none, and then `found` is left alone. A linear programme in two dimensions with one quadratic aim, solved plane
/// by plane: O(planes) where few of them matter, O(planes²) at the worst. No allocation.
bool nearest_allowed(std::span<const HalfPlane> planes, float disc, Flat wanted, Flat& found);

/// The same where `planes` cannot all be had: the first `firm` hold, and the others are all pushed back alike, as
/// little as it takes. Where even the firm ones leave nothing it is the origin. Returns how far they were pushed.
float nearest_bearable(std::span<HalfPlane> planes, std::size_t firm, float disc, Flat wanted, Flat& found);

}  // namespace loom::crowd
