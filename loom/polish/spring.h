// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <loom/base/math.h>

namespace loom::polish {

/// A value that goes to a goal as fast as it can without swinging past it: a critically damped spring. Its velocity is
/// continuous whatever the goal does.
struct Spring {
  Vec3 value, velocity;

  /// Moves on by `seconds`, exactly. `ease_seconds` is the time constant: from rest, about a quarter of the way is left
  /// after 2.7 and a tenth after 3.9 of it.
  void step(Vec3 goal, float seconds, float ease_seconds) {
    const float rate = 1 / ease_seconds, keep = std::exp(-rate * seconds);
    const Vec3 away = value - goal, drive = velocity + away * rate;
    value = goal + (away + drive * seconds) * keep;
    velocity = (velocity - drive * (rate * seconds)) * keep;
  }
};

}  // namespace loom::polish
