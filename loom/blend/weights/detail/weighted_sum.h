// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace loom::blend {

/// The sum of weights times values, one value a weight. Four sums side by side, so that the loop runs in vectors
/// without the compiler having to reorder a sum.
inline float weighted_sum(std::span<const float> weights, const float* values) {
  std::array<float, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= weights.size(); i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += weights[i + lane] * values[i + lane];
  }
  for (; i < weights.size(); ++i) sums[0] += weights[i] * values[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace loom::blend
