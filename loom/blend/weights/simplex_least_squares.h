// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// The most residuals a problem may have: enough for eight constraints of three numbers.
inline constexpr std::size_t kMaxResiduals = 24;

/// Numbers that depend on weights and are wanted to be zero.
class Residuals {
 public:
  virtual ~Residuals() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  virtual void evaluate(std::span<const float> weights, std::span<double> residuals) const = 0;
  /// The same with the derivative: `jacobian` is size() × weights, row after row.
  virtual void differentiate(std::span<const float> weights, std::span<double> residuals,
                             std::span<double> jacobian) const = 0;
};

struct SimplexOptions {
  double good_enough = 1e-4;     ///< stop where the length of the residuals is below this
  double least_progress = 1e-3;  ///< stop when a step shortens them by less than this share
  std::size_t most_steps = 30;
};

struct SimplexSolution {
  double length = 0;      ///< of the residuals at the end
  std::size_t steps = 0;  ///< derivatives taken
};

/// Finds weights that are not negative and sum to one and make the residuals as short as possible, near the weights it
/// is given. Weights that must stay zero are named in `excluded` (one entry a weight, or empty).
///
/// Levenberg-Marquardt on the simplex. There are few residuals m and many weights k, so each step is solved in the
/// space of residuals, m × m, and is the shortest of all steps that serve: weights stay as near to the start as they
/// can. Bounds are kept by an active set within each step. O(k m²) for each change of the active set; no allocation.
SimplexSolution solve_on_simplex(const Residuals& residuals, const SimplexOptions& options,
                                 std::span<const bool> excluded, std::span<float> weights);

}  // namespace loom::blend
