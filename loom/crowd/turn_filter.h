// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace loom::crowd {

/// A number that follows another smoothly: the filter of Srinivasan 2009 eq. 6.6, critically damped.
///
/// As printed, k_s (filtered - wanted) - k_d velocity, the spring pushes away from what is wanted and the number runs
/// off; the sign is turned round here: k_s (wanted - filtered) - k_d velocity, with k_d = 2 √k_s. Steps are exact
/// (the equation has a closed form), so no step is too long.
struct TurnFilter {
  float value = 0;
  float velocity = 0;

  /// Goes on by `seconds`. `stiffness` is k_s, 1/s²: the number comes within a tenth of a step in about 4 / √k_s.
  void step(float wanted, float stiffness, float seconds) {
    const float omega = std::sqrt(stiffness), decay = std::exp(-omega * seconds);
    const float off = value - wanted, slope = velocity + omega * off;
    value = wanted + (off + slope * seconds) * decay;
    velocity = (velocity - omega * slope * seconds) * decay;
  }
};

}  // namespace loom::crowd
