// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <loom/blend/weights/inverse_weighting.h>

namespace loom::blend {
namespace {

/// How far the blend comes out from where it is wanted.
class Misses final : public Residuals {
 public:
  Misses(const BlendModel& model, std::span<const double> wanted) : model_(model), wanted_(wanted) {}

  [[nodiscard]] std::size_t size() const override { return wanted_.size(); }
  void evaluate(std::span<const float> weights, std::span<double> residuals) const override {
    model_.evaluate(weights, residuals);
    subtract(residuals);
  }
  void differentiate(std::span<const float> weights, std::span<double> residuals,
                     std::span<double> jacobian) const override {
    model_.differentiate(weights, residuals, jacobian);
    subtract(residuals);
  }

 private:
  void subtract(std::span<double> residuals) const {
    for (std::size_t d = 0; d < wanted_.size(); ++d) residuals[d] -= wanted_[d];
  }

  const BlendModel& model_;
  std::span<const double> wanted_;
};

}  // namespace

void start_from_nearest(std::span<const double> errors, std::size_t count, std::span<bool> excluded,
                        std::span<float> weights) {
  std::array<std::size_t, kMaxExamples> order;
  std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(errors.size()), std::size_t{0});
  const std::size_t k = std::min(count, errors.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k),
                    order.begin() + static_cast<std::ptrdiff_t>(errors.size()), [&](std::size_t a, std::size_t b) {
                      return errors[a] != errors[b] ? errors[a] < errors[b] : a < b;
                    });
  std::fill(excluded.begin(), excluded.end(), true);
  std::fill(weights.begin(), weights.end(), 0.0f);
  // As wide as the nearest example is far: one that meets the wish exactly is taken as it is.
  const double sigma = 1.5 * errors[order[0]] + 1e-9;
  double sum = 0;
  for (std::size_t i = 0; i < k; ++i) {
    excluded[order[i]] = false;
    const double kernel = std::exp(-std::pow(errors[order[i]] / sigma, 2));
    weights[order[i]] = static_cast<float>(kernel);
    sum += kernel;
  }
  for (std::size_t i = 0; i < k; ++i)
    weights[order[i]] = static_cast<float>(static_cast<double>(weights[order[i]]) / sum);
}

std::optional<double> InverseWeighting::weigh_at(std::span<const double> at, std::span<float> weights) const {
  std::array<double, kMaxExamples> distances;
  const ExamplePoints& points = space().points();
  for (std::size_t i = 0; i < points.size(); ++i) distances[i] = std::sqrt(squared_distance(points[i], at));
  std::array<bool, kMaxExamples> excluded;
  start_from_nearest({distances.data(), points.size()}, options_.examples, {excluded.data(), points.size()}, weights);
  return solve_on_simplex(Misses(*model_, at), options_.solver, {excluded.data(), points.size()}, weights).length;
}

}  // namespace loom::blend
