// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include <loom/blend/weights/simplex_least_squares.h>

namespace loom::blend {
namespace {

using ResidualMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxResiduals, kMaxResiduals>;
using ResidualVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxResiduals, 1>;
using Derivative = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

double length_of(std::span<const double> values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// One damped step from `weights`: of the changes that keep weights on the simplex the one that makes
/// |residuals + J change|² + damping |change|² least. A strictly convex problem with bounds, solved exactly by an
/// active set: weights are fixed at zero when a step runs into the bound, and freed when the slope says that they
/// should grow.
class Step {
 public:
  Step(std::span<const float> weights, std::span<const double> residuals, std::span<const double> jacobian,
       std::span<const bool> excluded)
      : weights_(weights),
        jacobian_(jacobian.data(), static_cast<Eigen::Index>(residuals.size()),
                  static_cast<Eigen::Index>(weights.size())),
        start_(Eigen::Map<const ResidualVector>(residuals.data(), static_cast<Eigen::Index>(residuals.size()))),
        excluded_(excluded) {}

  /// The weights after the step, into `next`.
  void take(double damping, std::span<float> next) {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      values_[i] = static_cast<double>(weights_[i]);
      is_free_[i] = weights_[i] > 0 && !is_excluded(i);
    }
    // Each round frees one weight for good or fixes at least one: a handful of rounds; the limit is against rounding.
    for (std::size_t round = 0; round < 4 * weights_.size(); ++round) {
      solve(damping);
      if (advance()) continue;
      if (!free_one()) break;
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) next[i] = static_cast<float>(values_[i]);
  }

  /// The mean square of the derivatives, to set damping against.
  [[nodiscard]] double scale() const {
    return jacobian_.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(jacobian_.rows(), 1));
  }

 private:
  [[nodiscard]] bool is_excluded(std::size_t i) const { return !excluded_.empty() && excluded_[i]; }
  [[nodiscard]] auto column(std::size_t i) const { return jacobian_.col(static_cast<Eigen::Index>(i)); }

  /// The best values of the free weights where the fixed ones are zero, into `wanted_`. With J less its mean over the
  /// free weights, (damping + J Jᵀ) y = residuals gives the change as even share - Jᵀ y.
  void solve(double damping) {
    const auto m = jacobian_.rows();
    mean_ = ResidualVector::Zero(m);
    ResidualVector residuals = start_;
    double count = 0, given_up = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i]) {
        mean_ += column(i);
        ++count;
      } else if (weights_[i] > 0) {
        residuals -= column(i) * static_cast<double>(weights_[i]);
        given_up += static_cast<double>(weights_[i]);
      }
    }
    mean_ /= count;
    ResidualMatrix gram = ResidualMatrix::Identity(m, m) * damping;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!is_free_[i]) continue;
      const ResidualVector centred = column(i) - mean_;
      gram.selfadjointView<Eigen::Lower>().rankUpdate(centred);
    }
    pull_ = gram.selfadjointView<Eigen::Lower>().ldlt().solve(residuals + mean_ * given_up);
    level_ = mean_.dot(pull_) + given_up / count;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i]) wanted_[i] = static_cast<double>(weights_[i]) + level_ - column(i).dot(pull_);
    }
  }

  /// Moves to the wanted values, or as far as the first bound allows, fixing what arrives there. Whether it fixed any.
  bool advance() {
    double share = 1;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i] && wanted_[i] < 0) share = std::min(share, values_[i] / (values_[i] - wanted_[i]));
    }
    bool fixed = false;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!is_free_[i]) continue;
      values_[i] += share * (wanted_[i] - values_[i]);
      if (wanted_[i] < 0 && values_[i] <= 1e-9) {
        values_[i] = 0;
        is_free_[i] = false;
        fixed = true;
      }
    }
    return fixed;
  }

  /// Frees the fixed weight that would gain most by growing. False when none would: the step is the best.
  bool free_one() {
    constexpr double kNoGain = 1e-7;
    std::size_t best = weights_.size();
    double most = kNoGain;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i] || is_excluded(i)) continue;
      const double gain = level_ + static_cast<double>(weights_[i]) - column(i).dot(pull_);
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    if (best == weights_.size()) return false;
    is_free_[best] = true;
    return true;
  }

  std::span<const float> weights_;
  Derivative jacobian_;
  ResidualVector start_;
  std::span<const bool> excluded_;
  std::array<double, kMaxExamples> values_{}, wanted_{};
  std::array<bool, kMaxExamples> is_free_{};
  ResidualVector mean_, pull_;
  double level_ = 0;
};

void make_sum_one(std::span<float> weights) {
  const float sum = std::accumulate(weights.begin(), weights.end(), 0.0f);
  for (float& w : weights) w /= sum;
}

}  // namespace

SimplexSolution solve_on_simplex(const Residuals& residuals, const SimplexOptions& options,
                                 std::span<const bool> excluded, std::span<float> weights) {
  assert(residuals.size() <= kMaxResiduals && weights.size() <= kMaxExamples);
  constexpr double kLeastDamping = 1e-9, kMostDamping = 1e6;
  const std::size_t m = residuals.size(), k = weights.size();
  std::array<double, kMaxResiduals> here{}, there{};
  std::array<double, kMaxResiduals * kMaxExamples> jacobian;
  std::array<float, kMaxExamples> trial;
  SimplexSolution solution;
  double damping = 1e-4;
  while (true) {
    residuals.differentiate(weights, {here.data(), m}, {jacobian.data(), m * k});
    solution.length = length_of({here.data(), m});
    if (solution.length <= options.good_enough || ++solution.steps >= options.most_steps) return solution;
    Step step(weights, {here.data(), m}, {jacobian.data(), m * k}, excluded);
    const double scale = step.scale();
    double reached = solution.length;
    while (damping <= kMostDamping) {
      step.take(damping * scale + 1e-300, {trial.data(), k});
      make_sum_one({trial.data(), k});
      residuals.evaluate({trial.data(), k}, {there.data(), m});
      reached = length_of({there.data(), m});
      if (reached < solution.length) break;
      damping *= 10;
    }
    if (!(reached < solution.length)) return solution;
    std::copy_n(trial.begin(), k, weights.begin());
    const bool slow = reached > (1 - options.least_progress) * solution.length;
    solution.length = reached;
    if (slow) return solution;
    damping = std::max(kLeastDamping, damping * 0.1);
  }
}

}  // namespace loom::blend
