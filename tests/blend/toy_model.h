// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <loom/base/random.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::testing {

/// An arm in space: each example is a direction and a length, a blend averages angles and length, and the coordinates
/// are where the hand is. Curved as real families are, with derivatives one can write down.
class ToyModel final : public blend::BlendModel {
 public:
  struct Example {
    double azimuth = 0, elevation = 0, length = 1;
  };
  explicit ToyModel(std::vector<Example> examples) : examples_(std::move(examples)) {}

  [[nodiscard]] std::size_t examples() const override { return examples_.size(); }
  [[nodiscard]] std::size_t dimensions() const override { return 3; }

  void evaluate(std::span<const float> weights, std::span<double> at) const override {
    const Example e = mean(weights);
    at[0] = e.length * std::cos(e.elevation) * std::sin(e.azimuth);
    at[1] = e.length * std::sin(e.elevation);
    at[2] = e.length * std::cos(e.elevation) * std::cos(e.azimuth);
  }

  void differentiate(std::span<const float> weights, std::span<double> at, std::span<double> jacobian) const override {
    evaluate(weights, at);
    const Example e = mean(weights);
    const double ca = std::cos(e.azimuth), sa = std::sin(e.azimuth), ce = std::cos(e.elevation),
                 se = std::sin(e.elevation);
    const std::size_t n = examples_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Example& x = examples_[i];
      jacobian[i] = x.length * ce * sa - e.length * se * sa * x.elevation + e.length * ce * ca * x.azimuth;
      jacobian[n + i] = x.length * se + e.length * ce * x.elevation;
      jacobian[2 * n + i] = x.length * ce * ca - e.length * se * ca * x.elevation - e.length * ce * sa * x.azimuth;
    }
  }

  [[nodiscard]] blend::ExamplePoints points() const {
    blend::ExamplePoints points{3, {}};
    std::vector<float> weights(examples());
    for (std::size_t i = 0; i < examples(); ++i) {
      std::fill(weights.begin(), weights.end(), 0.0f);
      weights[i] = 1;
      points.values.resize(points.values.size() + 3);
      evaluate(weights, {points.values.data() + 3 * i, 3});
    }
    return points;
  }

 private:
  [[nodiscard]] Example mean(std::span<const float> weights) const {
    Example sum{0, 0, 0};
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      sum.azimuth += static_cast<double>(weights[i]) * examples_[i].azimuth;
      sum.elevation += static_cast<double>(weights[i]) * examples_[i].elevation;
      sum.length += static_cast<double>(weights[i]) * examples_[i].length;
    }
    return sum;
  }

  std::vector<Example> examples_;
};

/// Twenty-four reaches around a body, near and far.
inline std::shared_ptr<const ToyModel> toy_reaches() {
  std::vector<ToyModel::Example> examples;
  for (const double length : {0.4, 0.7}) {
    for (const double elevation : {-0.6, 0.0, 0.6}) {
      for (const double azimuth : {-0.9, -0.3, 0.3, 0.9}) examples.push_back({azimuth, elevation, length});
    }
  }
  return std::make_shared<const ToyModel>(std::move(examples));
}

/// Weights drawn uniformly from the simplex.
inline std::vector<float> uniform_weights(Random& random, std::size_t count) {
  std::vector<float> weights(count);
  double sum = 0;
  for (float& w : weights) sum += (w = static_cast<float>(-std::log(1 - random.uniform())));
  for (float& w : weights) w = static_cast<float>(w / sum);
  return weights;
}

}  // namespace loom::testing
