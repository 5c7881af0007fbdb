// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <loom/base/random.h>

namespace loom::sample {

/// The unrest of a living body: a smooth random function of time, of mean 0 and variance 1.
///
/// A few sines of random phase between 0.1 and 0.9 Hz, where postural sway has its power (Winter 1995).
class SmoothNoise {
 public:
  explicit SmoothNoise(Random& random);
  double operator()(double time) const;

 private:
  struct Wave {
    double frequency, phase;  ///< radians a second, radians
  };
  std::array<Wave, 4> waves_;
};

}  // namespace loom::sample
