// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace loom::measure {

/// A parabola through heights a frame apart, by least squares.
struct Parabola {
  double acceleration = 0;  ///< metres a frame²
  double miss = 0;          ///< root mean square, metres
};

/// Fits one. O(heights), three of which there must be.
Parabola fit_parabola(std::span<const double> heights);

}  // namespace loom::measure
