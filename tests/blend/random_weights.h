// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/random.h>

namespace loom::testing {

/// Positive weights that sum to one.
inline std::vector<float> random_weights(Random& random, std::size_t count) {
  std::vector<float> weights(count);
  float sum = 0;
  for (float& w : weights) sum += w = static_cast<float>(random.uniform());
  for (float& w : weights) w /= sum;
  return weights;
}

}  // namespace loom::testing
