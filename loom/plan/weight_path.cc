// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/plan/weight_path.h>

namespace loom::plan {

void weights_between(const WeightNode& from, const WeightNode& to, double slice, std::span<float> weights) {
  const double begin = static_cast<double>(from.slice), end = static_cast<double>(to.slice);
  const double share = end > begin ? std::clamp((slice - begin) / (end - begin), 0.0, 1.0) : 1.0;
  const auto eased = static_cast<float>(share * share * (3 - 2 * share));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = from.weights[i] + eased * (to.weights[i] - from.weights[i]);
  }
}

void WeightPath::at(double slice, std::span<float> weights) const {
  const auto after = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const WeightNode& node) { return static_cast<double>(node.slice) > slice; });
  if (after == nodes.begin()) {
    std::copy(nodes.front().weights.begin(), nodes.front().weights.end(), weights.begin());
  } else if (after == nodes.end()) {
    std::copy(nodes.back().weights.begin(), nodes.back().weights.end(), weights.begin());
  } else {
    weights_between(*(after - 1), *after, slice, weights);
  }
}

}  // namespace loom::plan
