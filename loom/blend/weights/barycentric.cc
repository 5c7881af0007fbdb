// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <loom/blend/weights/barycentric.h>

namespace loom::blend {

std::optional<double> Barycentric::weigh_at(std::span<const double> at, std::span<float> weights) const {
  std::array<double, kMaxDimensions + 1> coordinates{};
  const auto corners = space().corners(space().locate(at, coordinates));
  std::fill(weights.begin(), weights.end(), 0.0f);
  for (std::size_t c = 0; c < corners.size(); ++c) weights[corners[c]] = static_cast<float>(coordinates[c]);
  return std::nullopt;
}

}  // namespace loom::blend
