// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>

#include <loom/measure/detail/parabola.h>

namespace loom::measure {

Parabola fit_parabola(std::span<const double> heights) {
  // Orthogonal polynomials on equal steps: constant, linear and quadratic parts are independent of each other.
  const auto n = static_cast<double>(heights.size());
  const double middle = (n - 1) / 2, spread = (n * n - 1) / 12;
  double constant = 0, linear = 0, quadratic = 0, linear_norm = 0, quadratic_norm = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double t = static_cast<double>(i) - middle, q = t * t - spread;
    constant += heights[i] / n;
    linear += heights[i] * t, linear_norm += t * t;
    quadratic += heights[i] * q, quadratic_norm += q * q;
  }
  linear /= linear_norm;
  quadratic /= quadratic_norm;
  double squares = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double t = static_cast<double>(i) - middle;
    const double off = heights[i] - constant - linear * t - quadratic * (t * t - spread);
    squares += off * off;
  }
  return {2 * quadratic, std::sqrt(squares / n)};
}

}  // namespace loom::measure
