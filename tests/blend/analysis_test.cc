// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/blend/family/analysis.h>

#include "tests/blend/toy_model.h"

namespace loom::blend {
namespace {

Subject toy_subject() {
  const auto model = testing::toy_reaches();
  return {"toy", space_of(FamilyKind::kReach), model->points(), model};
}

ParameterGrid toy_grid(const Subject& subject, std::size_t side, std::size_t layers = 3) {
  const auto space = Triangulation::create(subject.points);
  return make_grid(subject.space, *space, {side, layers}).value();
}

/// Huang 2012 §4.4.2 as it is written down: nine differences, weight by weight.
double slow_curvature(const std::vector<float>& w, std::size_t columns, std::size_t examples, int x, int y) {
  double length = 0;
  for (std::size_t e = 0; e < examples; ++e) {
    double sum = 0;
    for (int a = -1; a <= 1; ++a) {
      for (int b = -1; b <= 1; ++b) {
        const auto value = [&](int px, int py) {
          return static_cast<double>(
              w[(static_cast<std::size_t>(py) * columns + static_cast<std::size_t>(px)) * examples + e]);
        };
        sum += value(x, y) - value(x + a, y + b);
      }
    }
    length += sum * sum;
  }
  return std::sqrt(length) / 8;
}

TEST(Curvature, AgreesWithTheFormulaWrittenOut) {
  constexpr std::size_t kColumns = 7, kRows = 6, kExamples = 4;
  Random random(3);
  std::vector<float> weights(kColumns * kRows * kExamples);
  for (float& w : weights) w = static_cast<float>(random.uniform(-1, 1));
  std::vector<std::uint8_t> known(kColumns * kRows, 1);
  known[1 * kColumns + 1] = 0;
  const std::vector<float> found = curvature(weights, known, kColumns, kExamples);
  for (int y = 0; y < static_cast<int>(kRows); ++y) {
    for (int x = 0; x < static_cast<int>(kColumns); ++x) {
      const float value = found[static_cast<std::size_t>(y) * kColumns + static_cast<std::size_t>(x)];
      const bool edge = x == 0 || y == 0 || x == static_cast<int>(kColumns) - 1 || y == static_cast<int>(kRows) - 1;
      if (edge || (x <= 2 && y <= 2)) {
        EXPECT_TRUE(std::isnan(value)) << x << ", " << y;
      } else {
        EXPECT_NEAR(value, slow_curvature(weights, kColumns, kExamples, x, y), 1e-6) << x << ", " << y;
      }
    }
  }
}

TEST(Curvature, WeightsThatChangeEvenlyHaveNone) {
  constexpr std::size_t kSide = 5;
  std::vector<float> weights;
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const float w = 0.1f * static_cast<float>(x) + 0.05f * static_cast<float>(y);
      weights.insert(weights.end(), {w, 1 - w});
    }
  }
  const std::vector<float> found = curvature(weights, std::vector<std::uint8_t>(kSide * kSide, 1), kSide, 2);
  EXPECT_NEAR(found[2 * kSide + 2], 0, 1e-6);
}

TEST(Curvature, OnALineItIsTheBendBetweenTwoNeighbours) {
  const std::vector<float> weights = {0, 1, 0.5f, 0.5f, 0, 1};
  const std::vector<float> found = curvature(weights, std::vector<std::uint8_t>(3, 1), 3, 2);
  EXPECT_TRUE(std::isnan(found[0]));
  EXPECT_NEAR(found[1], std::sqrt(2.0) / 2, 1e-6);
}

TEST(MakeGrid, LaysShellsThroughReachesAndKnowsWhatLiesBetweenThem) {
  const Subject subject = toy_subject();
  const auto space = Triangulation::create(subject.points);
  const ParameterGrid grid = toy_grid(subject, 9);
  ASSERT_EQ(grid.size(), 9u * 9 * 3);
  EXPECT_EQ(grid.column_axis.name, "azimuth");
  // The toy has near examples and far ones.
  EXPECT_LT(innermost_share(*space), 0.65);
  EXPECT_EQ(grid.layer_axis.low, innermost_share(*space));
  std::size_t inside = 0;
  std::vector<double> shares(subject.points.size());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    EXPECT_EQ(grid.inside[i] != 0, space->project(grid.at(i), shares) == 0) << i;
    inside += grid.inside[i];
  }
  EXPECT_GT(inside, grid.size() * 3 / 4);
  // The middle of the outermost shell lies straight ahead, just within the hull.
  const auto ahead = grid.at(grid.index(2, 4, 4));
  EXPECT_NEAR(ahead[0], 0, 1e-9);
  const std::array outward = {1.2 * ahead[0], 1.2 * ahead[1], 1.2 * ahead[2]};
  EXPECT_GT(space->project(outward, shares), 0);
}

TEST(Triangulation, CrossFindsWhereALineEntersAndLeaves) {
  Random random(8);
  ExamplePoints points{3, {}};
  for (int i = 0; i < 60; ++i) points.values.push_back(random.uniform(-1, 1));
  const auto space = Triangulation::create(points);
  ASSERT_TRUE(space);
  std::vector<double> shares(points.size());
  for (int n = 0; n < 50; ++n) {
    std::array<double, 3> from{}, way{};
    for (double& v : from) v = random.uniform(-1.5, 1.5);
    for (double& v : way) v = random.uniform(-1, 1);
    const auto outside = [&](double t) {
      const std::array at = {from[0] + t * way[0], from[1] + t * way[1], from[2] + t * way[2]};
      return space->project(at, shares) > 1e-7;
    };
    if (const auto hull = space->cross(from, way)) {
      const auto [begin, end] = *hull;
      EXPECT_FALSE(outside(begin + 0.01 * (end - begin)));
      EXPECT_FALSE(outside(end - 0.01 * (end - begin)));
      EXPECT_TRUE(outside(begin - 0.01));
      EXPECT_TRUE(outside(end + 0.01));
    } else {
      for (int t = -40; t <= 40; ++t) EXPECT_TRUE(outside(0.1 * t));
    }
  }
}

TEST(MakeGrid, TellsJumpsInMetresAndTurnsInDegrees) {
  Random random(5);
  ExamplePoints points{3, {}};
  for (int i = 0; i < 36; ++i) points.values.push_back(random.uniform(-1, 1));
  const auto space = Triangulation::create(points);
  ASSERT_TRUE(space);
  const auto jumps = make_grid(space_of(FamilyKind::kJump), *space, {12, 3});
  ASSERT_TRUE(jumps);
  EXPECT_EQ(jumps->column_axis.name, "ahead");
  EXPECT_EQ(jumps->row_axis.unit, "m");
  EXPECT_EQ(jumps->layer_axis.name, "height");
  const auto walks = make_grid(space_of(FamilyKind::kLocomotion), *space, {12, 3});
  ASSERT_TRUE(walks);
  EXPECT_EQ(walks->row_axis.unit, "deg/s");
  EXPECT_NEAR(walks->row_axis.high, jumps->row_axis.high * 180 / 3.14159265358979, 1e-6);
}

TEST(MakeGrid, ExamplesInAPlaneAreRefusedWithTheReason) {
  // y = 0.37 x + 0.61 z, which few points of a grid meet.
  ExamplePoints points{3, {0, 0, 0, 1, 0.37, 0, 0, 0.61, 1, 1, 0.98, 1}};
  const auto space = Triangulation::create(points);
  ASSERT_TRUE(space);
  const auto grid = make_grid(space_of(FamilyKind::kLocomotion), *space, {20, 2});
  ASSERT_FALSE(grid);
  EXPECT_NE(grid.error().message.find("2 of 3 dimensions"), std::string::npos) << grid.error().message;
}

TEST(MakeGrid, RefusesSidesAndLayersOutOfRange) {
  const auto space = Triangulation::create(toy_subject().points);
  EXPECT_FALSE(make_grid(space_of(FamilyKind::kReach), *space, {2, 5}));
  EXPECT_FALSE(make_grid(space_of(FamilyKind::kReach), *space, {kMaxGridSide + 1, 5}));
  EXPECT_FALSE(make_grid(space_of(FamilyKind::kReach), *space, {10, 0}));
}

TEST(Analyse, ErrorsAreWhereTheBlendComesOutFromWhatWasAsked) {
  const Subject subject = toy_subject();
  const auto analysis = analyse(subject, {{8, 2}, 10, 10});
  ASSERT_TRUE(analysis);
  ASSERT_EQ(analysis->methods.size(), kMethods.size());
  const auto space = std::make_shared<const Triangulation>(Triangulation::create(subject.points).value());
  for (const MethodAnalysis& found : analysis->methods) {
    const auto weighting = make_weighting(found.method, space, subject.model);
    double sum = 0, worst = 0;
    std::size_t count = 0, met = 0;
    for (std::size_t i = 0; i < analysis->grid.size(); ++i) {
      EXPECT_EQ(std::isnan(found.errors[i]), analysis->grid.inside[i] == 0);
      if (analysis->grid.inside[i] == 0) continue;
      std::vector<float> weights(subject.points.size());
      std::vector<double> at(3);
      const auto asked = analysis->grid.at(i);
      weighting->weigh(asked, Outside::kClamp, weights);
      subject.model->evaluate(weights, at);
      const double error = std::hypot(at[0] - asked[0], at[1] - asked[1], at[2] - asked[2]);
      EXPECT_NEAR(found.errors[i], error, 1e-6) << to_string(found.method);
      sum += error;
      worst = std::max(worst, error);
      met += error <= kMetWithin ? 1 : 0;
      ++count;
    }
    EXPECT_NEAR(found.error, sum / static_cast<double>(count), 1e-6);
    EXPECT_NEAR(found.error_worst, worst, 1e-6);
    EXPECT_NEAR(found.met, static_cast<double>(met) / static_cast<double>(count), 1e-9);
    EXPECT_GT(found.query_ms, 0);
    EXPECT_GT(found.precompute_ms, 0);
  }
}

TEST(Analyse, FindsWhatHuangFound) {
  const auto analysis = analyse(toy_subject(), {{20, 3}, 10, 10});
  ASSERT_TRUE(analysis);
  const auto of = [&](Method m) { return analysis->methods[static_cast<std::size_t>(m)]; };
  // Inverse blending is the most exact of the four, radial bases the smoothest, and ours is both.
  for (const Method other : {Method::kBarycentric, Method::kRadialBasis, Method::kNeighbours}) {
    EXPECT_LT(of(Method::kInverse).error, of(other).error) << to_string(other);
    EXPECT_LE(of(Method::kRadialBasis).smoothness, of(other).smoothness) << to_string(other);
  }
  EXPECT_LT(of(Method::kCorrected).error, 0.001);
  EXPECT_LT(of(Method::kCorrected).smoothness, 1.2 * of(Method::kRadialBasis).smoothness);
}

TEST(Analyse, ReachableTargetsAreReachedByInverseBlending) {
  const auto analysis = analyse(toy_subject(), {{5, 1}, 200, 5});
  ASSERT_TRUE(analysis);
  const auto of = [&](Method m) { return analysis->methods[static_cast<std::size_t>(m)]; };
  EXPECT_GT(of(Method::kInverse).reachable_met, 0.95);
  EXPECT_LT(of(Method::kInverse).reachable_error, of(Method::kBarycentric).reachable_error);
  EXPECT_EQ(of(Method::kInverse).extrapolation, 0);
  EXPECT_GT(of(Method::kRadialBasis).extrapolation, 0);
  EXPECT_EQ(reachable_targets(toy_subject(), 20, 4), reachable_targets(toy_subject(), 20, 4));
  EXPECT_NE(reachable_targets(toy_subject(), 20, 4), reachable_targets(toy_subject(), 20, 5));
}

TEST(Analyse, ThreadsChangeNothing) {
  const auto all = analyse(toy_subject(), {{10, 2}, 5, 5});
  const ThreadLimit one(1);
  const auto single = analyse(toy_subject(), {{10, 2}, 5, 5});
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    EXPECT_EQ(all->methods[m].error, single->methods[m].error);
    EXPECT_EQ(all->methods[m].smoothness, single->methods[m].smoothness);
  }
}

TEST(Analyse, StopsWhenToldTo) {
  const Progress stop([](double, std::string_view) { return false; });
  EXPECT_FALSE(analyse(toy_subject(), {{5, 1}, 5, 5}, stop));
  EXPECT_FALSE(analyse(toy_subject(), {{5, 1}, 5, 0}));
}

}  // namespace
}  // namespace loom::blend
