// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include <loom/base/math.h>

namespace loom::polish {

/// The time constant, in [least, longest], with which a Spring that is `away` from its goal and moves at `velocity`
/// starts no harder than `most`: away / ease² + 2 velocity / ease is what it starts with at worst.
inline float gentle_ease(Vec3 away, Vec3 velocity, float most, float least, float longest) {
  const float speed = length(velocity);
  return std::clamp((speed + std::sqrt(speed * speed + most * length(away))) / most, least, std::max(least, longest));
}

}  // namespace loom::polish
