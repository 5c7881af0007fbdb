// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>

#include <loom/base/math.h>
#include <loom/character/detail/envelope.h>

namespace loom::character {
namespace {

/// Weights of a frame and of those up to `bell` from it on one side; with those of the other side they sum to one.
std::vector<float> bell_weights(std::size_t bell) {
  std::vector<float> weights(bell + 1);
  float sum = 0;
  for (std::size_t k = 0; k <= bell; ++k) {
    weights[k] = 0.5f + 0.5f * std::cos(kPi * static_cast<float>(k) / static_cast<float>(bell + 1));
    sum += k == 0 ? weights[k] : 2 * weights[k];
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

/// The first of the numbers within `reach` frames of each by `before`.
template <typename Before>
std::vector<float> foremost(std::span<const float> values, std::size_t reach, Before before) {
  std::vector<float> found(values.begin(), values.end());
  for (std::size_t f = 0; f < values.size(); ++f) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(f - std::min(f, reach)),
               end = values.begin() + static_cast<std::ptrdiff_t>(std::min(f + reach + 1, values.size()));
    found[f] = *std::min_element(first, end, before);
  }
  return found;
}

}  // namespace

std::vector<float> smoothed(std::span<const float> values, std::size_t bell) {
  const std::vector<float> weights = bell_weights(bell);
  std::vector<float> smooth(values.size());
  for (std::size_t f = 0; f < values.size(); ++f) {
    smooth[f] = weights[0] * values[f];
    for (std::size_t k = 1; k <= bell; ++k) {
      smooth[f] += weights[k] * (values[f - std::min(f, k)] + values[std::min(f + k, values.size() - 1)]);
    }
  }
  return smooth;
}

std::vector<float> lower_envelope(std::span<const float> values, std::size_t reach, std::size_t bell) {
  return smoothed(foremost(values, reach, std::less<>()), bell);
}

std::vector<float> upper_envelope(std::span<const float> values, std::size_t reach, std::size_t bell) {
  return smoothed(foremost(values, reach, std::greater<>()), bell);
}

}  // namespace loom::character
