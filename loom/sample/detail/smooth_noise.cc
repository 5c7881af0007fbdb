// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <loom/sample/detail/smooth_noise.h>

namespace loom::sample {

SmoothNoise::SmoothNoise(Random& random) {
  constexpr double kTurn = 2 * std::numbers::pi;
  double frequency = 0.1;
  for (Wave& wave : waves_) {
    wave = {kTurn * frequency * random.uniform(1.0, 1.7), random.uniform(0, kTurn)};
    frequency *= 1.7;
  }
}

double SmoothNoise::operator()(double time) const {
  double sum = 0;
  for (const Wave& wave : waves_) sum += std::sin(wave.frequency * time + wave.phase);
  return sum / std::sqrt(0.5 * static_cast<double>(waves_.size()));
}

}  // namespace loom::sample
