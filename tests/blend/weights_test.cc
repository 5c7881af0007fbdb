// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <loom/blend/weights/corrected_basis.h>
#include <loom/blend/weights/neighbours.h>
#include <loom/blend/weights/radial_basis.h>
#include <loom/blend/weights/simplex_least_squares.h>

#include "tests/blend/toy_model.h"

namespace loom::blend {
namespace {

using testing::toy_reaches;
using testing::ToyModel;
using testing::uniform_weights;

std::shared_ptr<const Triangulation> space_of(const ExamplePoints& points) {
  auto made = Triangulation::create(points);
  EXPECT_TRUE(made) << made.error().message;
  return std::make_shared<const Triangulation>(std::move(*made));
}

double miss(const BlendModel& model, std::span<const float> weights, std::span<const double> wanted) {
  std::array<double, kMaxDimensions> at{};
  model.evaluate(weights, {at.data(), wanted.size()});
  double sum = 0;
  for (std::size_t d = 0; d < wanted.size(); ++d) sum += (at[d] - wanted[d]) * (at[d] - wanted[d]);
  return std::sqrt(sum);
}

TEST(Weighting, AllMethodsGiveAnExampleAtItsOwnPointAndSumToOneElsewhere) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  Random random(1);
  for (const Method method : kMethods) {
    const auto weighting = make_weighting(method, space, model);
    std::vector<float> weights(model->examples());
    for (std::size_t i = 0; i < model->examples(); ++i) {
      weighting->weigh(space->points()[i], Outside::kClamp, weights);
      EXPECT_NEAR(weights[i], 1, 0.02) << to_string(method) << " at example " << i;
    }
    for (int trial = 0; trial < 50; ++trial) {
      const std::vector<double> at = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      for (const Outside outside : {Outside::kClamp, Outside::kExtrapolate}) {
        const Weighed how = weighting->weigh(at, outside, weights);
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-4) << to_string(method);
        EXPECT_EQ(how.clamped, how.distance > kHullMargin * space->radius() && outside == Outside::kClamp);
        EXPECT_EQ(how.outside, how.distance > 0);
      }
    }
    EXPECT_EQ(method_named(to_string(method)), method);
  }
  EXPECT_FALSE(method_named("magic"));
}

TEST(Weighting, ClampedWeightsAreThoseOfThePointAtTheMargin) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  const std::vector<double> far = {2, 0.5, 1};
  std::vector<double> shares(model->examples()), nearest(3);
  const double away = space->project(far, shares);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) nearest[d] += shares[i] * space->points()[i][d];
  }
  const double margin = kHullMargin * space->radius();
  for (std::size_t d = 0; d < 3; ++d) nearest[d] += (far[d] - nearest[d]) * margin / away;
  for (const Method method : kMethods) {
    const auto weighting = make_weighting(method, space, model);
    std::vector<float> clamped(model->examples()), there(model->examples());
    const Weighed how = weighting->weigh(far, Outside::kClamp, clamped);
    weighting->weigh(nearest, Outside::kExtrapolate, there);
    EXPECT_NEAR(how.distance, away, 1e-12);
    for (std::size_t i = 0; i < clamped.size(); ++i) EXPECT_NEAR(clamped[i], there[i], 1e-4) << to_string(method);
  }
}

TEST(Barycentric, IsExactForParametersLinearInTheWeights) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  const auto weighting = make_weighting(Method::kBarycentric, space, model);
  std::vector<float> weights(model->examples());
  for (const Outside outside : {Outside::kClamp, Outside::kExtrapolate}) {
    const std::vector<double> at =
        outside == Outside::kClamp ? std::vector{0.1, 0.05, 0.5} : std::vector{1.1, 0.4, 0.9};
    weighting->weigh(at, outside, weights);
    EXPECT_EQ(std::count_if(weights.begin(), weights.end(), [](float w) { return w != 0; }), 4);
    for (std::size_t d = 0; d < 3; ++d) {
      double sum = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) sum += static_cast<double>(weights[i]) * space->points()[i][d];
      EXPECT_NEAR(sum, at[d], 1e-5);
    }
  }
}

TEST(RadialBasis, ExamplesInOnePlaceShareTheirWeight) {
  const ExamplePoints points{2, {0, 0, 1, 0, 0, 1, 1, 1, 1, 1}};
  const RadialBasis basis(space_of(points), {2, 1e-6});
  std::vector<float> weights(5);
  basis.evaluate(points[4], weights);
  EXPECT_NEAR(weights[3], 0.5, 1e-3);
  EXPECT_NEAR(weights[4], 0.5, 1e-3);
  EXPECT_NEAR(weights[0], 0, 1e-3);
}

TEST(Neighbours, FollowTheFormulaOfDistances) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  const Neighbours weighting(space, *model, {4, 0, 1});
  const std::vector<double> at = {0.07, 0.11, 0.52};
  std::vector<std::pair<double, std::size_t>> by_distance;
  for (std::size_t i = 0; i < model->examples(); ++i) {
    const auto p = space->points()[i];
    by_distance.emplace_back(std::hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]), i);
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<double> expected(model->examples());
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const auto& [away, which] = by_distance[static_cast<std::size_t>(i)];
    sum += expected[which] = 1 / away - 1 / by_distance[3].first;
  }
  std::vector<float> weights(model->examples());
  weighting.weigh(at, Outside::kClamp, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(weights[i], expected[i] / sum, 1e-6);
}

TEST(Neighbours, PseudoExamplesMakeThemMoreAccurate) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  const Neighbours bare(space, *model, {8, 0, 1}), dense(space, *model, {8, 2000, 1});
  Random random(5);
  double bare_sum = 0, dense_sum = 0;
  std::vector<float> weights(model->examples());
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> at(3);
    model->evaluate(uniform_weights(random, model->examples()), at);
    bare.weigh(at, Outside::kClamp, weights);
    bare_sum += miss(*model, weights, at);
    dense.weigh(at, Outside::kClamp, weights);
    dense_sum += miss(*model, weights, at);
  }
  EXPECT_LT(dense_sum, 0.6 * bare_sum);
}

TEST(InverseAndCorrected, ComeOutWhereTheyAreAsked) {
  const auto model = toy_reaches();
  const auto space = space_of(model->points());
  Random random(6);
  for (const Method method : {Method::kInverse, Method::kCorrected}) {
    const auto weighting = make_weighting(method, space, model);
    std::vector<float> weights(model->examples());
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> at(3);
      const auto mixed = uniform_weights(random, 8);
      std::vector<float> wide(model->examples());
      std::copy(mixed.begin(), mixed.end(), wide.begin() + 4);
      model->evaluate(wide, at);
      const Weighed how = weighting->weigh(at, Outside::kExtrapolate, weights);
      EXPECT_LT(miss(*model, weights, at), 2e-3) << to_string(method);
      ASSERT_TRUE(how.error);
      EXPECT_NEAR(*how.error, miss(*model, weights, at), 1e-5);
      if (method == Method::kInverse) {
        EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 0);
      }
    }
  }
}

/// Residuals linear in the weights: a convex problem, whose solution is known by its conditions.
class LinearResiduals final : public Residuals {
 public:
  LinearResiduals(Random& random, std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {
    for (std::size_t i = 0; i < rows * columns; ++i) matrix_.push_back(random.normal());
    for (std::size_t i = 0; i < rows; ++i) right_.push_back(2 * random.normal());
  }
  [[nodiscard]] std::size_t size() const override { return rows_; }
  void evaluate(std::span<const float> weights, std::span<double> residuals) const override {
    for (std::size_t r = 0; r < rows_; ++r) {
      residuals[r] = -right_[r];
      for (std::size_t c = 0; c < columns_; ++c)
        residuals[r] += matrix_[r * columns_ + c] * static_cast<double>(weights[c]);
    }
  }
  void differentiate(std::span<const float> weights, std::span<double> residuals,
                     std::span<double> jacobian) const override {
    evaluate(weights, residuals);
    std::copy(matrix_.begin(), matrix_.end(), jacobian.begin());
  }

 private:
  std::size_t rows_, columns_;
  std::vector<double> matrix_, right_;
};

/// At the shortest residuals no weight can be shifted to where the slope is less: all weights in use have the same
/// slope, and it is the least of all.
TEST(SimplexLeastSquares, EndsWhereNoShiftOfWeightHelps) {
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t rows = 1 + random.index(6), columns = 2 + random.index(28);
    const LinearResiduals problem(random, rows, columns);
    std::vector<float> weights(columns, 1.0f / static_cast<float>(columns));
    const auto solution = solve_on_simplex(problem, {1e-6, 1e-9, 500}, {}, weights);
    std::vector<double> residuals(rows), jacobian(rows * columns), slope(columns);
    problem.differentiate(weights, residuals, jacobian);
    for (std::size_t c = 0; c < columns; ++c) {
      EXPECT_GE(weights[c], 0);
      for (std::size_t r = 0; r < rows; ++r) slope[c] += residuals[r] * jacobian[r * columns + c];
    }
    const double least = *std::min_element(slope.begin(), slope.end());
    double gain = 0;  // what shifting all weight to the steepest way down would win, to first order
    for (std::size_t c = 0; c < columns; ++c) gain += static_cast<double>(weights[c]) * (slope[c] - least);
    EXPECT_LT(gain, 2e-3 * (1 + solution.length * solution.length)) << rows << " x " << columns;
  }
}

TEST(SimplexLeastSquares, FindsWhatADenseGridOfWeightsFinds) {
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<ToyModel::Example> examples(4);
    for (auto& e : examples) e = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.3, 0.8)};
    const auto model = std::make_shared<const ToyModel>(examples);
    const std::vector<double> at = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0, 0.8)};
    double best = 1e9;
    constexpr int kGrid = 24;
    for (int a = 0; a <= kGrid; ++a) {
      for (int b = 0; a + b <= kGrid; ++b) {
        for (int c = 0; a + b + c <= kGrid; ++c) {
          const std::vector<float> w = {a / 24.0f, b / 24.0f, c / 24.0f, (kGrid - a - b - c) / 24.0f};
          best = std::min(best, miss(*model, w, at));
        }
      }
    }
    const auto weighting = make_weighting(Method::kInverse, space_of(model->points()), model);
    std::vector<float> weights(4);
    weighting->weigh(at, Outside::kExtrapolate, weights);
    EXPECT_LT(miss(*model, weights, at), best + 2e-3);
  }
}

TEST(SimplexLeastSquares, LeavesExcludedWeightsAlone) {
  Random random(9);
  const LinearResiduals problem(random, 2, 6);
  std::vector<float> weights = {0.5f, 0, 0.5f, 0, 0, 0};
  const std::array<bool, 6> excluded = {false, true, false, false, true, true};
  solve_on_simplex(problem, {}, excluded, weights);
  EXPECT_EQ(weights[1], 0);
  EXPECT_EQ(weights[4], 0);
  EXPECT_EQ(weights[5], 0);
}

}  // namespace
}  // namespace loom::blend
