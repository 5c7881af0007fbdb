// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/blend/family/detail/reach_targets.h>

namespace loom::blend {

double share_covered(double error, double tolerance) { return 1 - std::min(1.0, error / tolerance); }

void reach_targets(const Weighting& weighting, const BlendModel& model, Coverage& coverage) {
  constexpr std::size_t kGrain = 8;
  const std::size_t dimensions = coverage.dimensions, samples = coverage.targets.size() / dimensions;
  coverage.reached.resize(coverage.targets.size());
  coverage.errors.resize(samples);
  parallel_for(samples, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<float> weights(weighting.examples());
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<double> at{coverage.reached.data() + i * dimensions, dimensions};
      weighting.weigh(coverage.target(i), Outside::kExtrapolate, weights);
      model.evaluate(weights, at);
      coverage.errors[i] = static_cast<float>(std::sqrt(squared_distance(at, coverage.target(i))));
    }
  });
  double covered = 0, error = 0;
  for (const float e : coverage.errors) {
    error += static_cast<double>(e);
    covered += share_covered(static_cast<double>(e), coverage.tolerance);
  }
  coverage.covered = covered / static_cast<double>(samples);
  coverage.error = error / static_cast<double>(samples);
}

}  // namespace loom::blend
