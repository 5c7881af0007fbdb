// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/family/coverage.h>

#include "tests/blend/toy_model.h"

namespace loom::blend {
namespace {

using testing::ToyModel;

Subject subject_of(std::vector<ToyModel::Example> examples) {
  const auto model = std::make_shared<const ToyModel>(std::move(examples));
  return {"toy", space_of(FamilyKind::kReach), model->points(), model};
}

/// Eight reaches: the corners of a block of directions and lengths.
std::vector<ToyModel::Example> block() {
  std::vector<ToyModel::Example> examples;
  for (const double length : {0.4, 0.7}) {
    for (const double elevation : {-0.4, 0.4}) {
      for (const double azimuth : {-0.5, 0.5}) examples.push_back({azimuth, elevation, length});
    }
  }
  return examples;
}

/// The least distance any convex blend of the toy comes within of a target: since the toy averages angles and lengths,
/// all blends together are all points of the block, tried one by one.
double brute_force(std::span<const double> target) {
  double best = std::numeric_limits<double>::infinity();
  constexpr int kSteps = 60;
  for (int a = 0; a <= kSteps; ++a) {
    for (int e = 0; e <= kSteps; ++e) {
      for (int l = 0; l <= kSteps; ++l) {
        const double azimuth = -0.5 + 1.0 * a / kSteps, elevation = -0.4 + 0.8 * e / kSteps,
                     length = 0.4 + 0.3 * l / kSteps;
        best = std::min(best, std::hypot(length * std::cos(elevation) * std::sin(azimuth) - target[0],
                                         length * std::sin(elevation) - target[1],
                                         length * std::cos(elevation) * std::cos(azimuth) - target[2]));
      }
    }
  }
  return best;
}

TEST(CoverVolume, AgreesWithBruteForceOverAllBlends) {
  CoverageOptions options;
  options.box = WorkspaceBox{{-0.5, -0.4, 0.2}, {0.5, 0.4, 0.9}};
  options.spacing = 0.25;
  const auto coverage = cover_volume(subject_of(block()), options);
  ASSERT_TRUE(coverage);
  ASSERT_EQ(coverage->size(), 4u * 4 * 3);
  double total = 0;
  for (std::size_t i = 0; i < coverage->size(); ++i) {
    const double best = brute_force(coverage->target(i));
    // Nothing is nearer than the nearest; the optimiser finds it but for local minima, of which the toy has few.
    EXPECT_GT(static_cast<double>(coverage->errors[i]), best - 0.012) << i;
    EXPECT_LT(static_cast<double>(coverage->errors[i]), best + 0.012) << i;
    total += 1 - std::min(1.0, static_cast<double>(coverage->errors[i]) / coverage->tolerance);
  }
  EXPECT_NEAR(coverage->covered, total / static_cast<double>(coverage->size()), 1e-9);
}

TEST(CoverVolume, CubesStayWithinReachAndAboveTheFloor) {
  Subject subject = subject_of(block());
  for (std::size_t i = 1; i < subject.points.values.size(); i += 3) subject.points.values[i] += 0.25;
  const auto coverage = cover_volume(subject);
  ASSERT_TRUE(coverage);
  for (std::size_t i = 0; i < coverage->size(); ++i) {
    const auto t = coverage->target(i);
    EXPECT_GE(t[1], 0);
    EXPECT_LT(std::hypot(t[0], t[1] - 0.25, t[2]), 0.7 + coverage->spacing);
  }
}

TEST(CoverVolume, SuggestsAnExampleWhereOneWasLeftOut) {
  auto examples = block();
  examples.pop_back();
  CoverageOptions options;
  options.box = WorkspaceBox{{-0.3, -0.25, 0.3}, {0.3, 0.25, 0.7}};
  const Subject subject = subject_of(examples);
  const auto coverage = cover_volume(subject, options);
  ASSERT_TRUE(coverage);
  ASSERT_TRUE(coverage->suggestion);
  const std::vector<double>& at = coverage->suggestion->at;
  // Left is +x, up +y, far +z: the corner that was left out.
  EXPECT_GT(at[0], 0.1);
  EXPECT_GT(at[1], 0.05);
  EXPECT_GT(at[2], 0.45);
  // An example there, whatever its angles, helps as much as was reckoned, about.
  examples.push_back(
      {std::atan2(at[0], at[2]), std::atan2(at[1], std::hypot(at[0], at[2])), std::hypot(at[0], at[1], at[2])});
  const auto after = cover_volume(subject_of(examples), options);
  ASSERT_TRUE(after);
  EXPECT_GT(after->covered, coverage->covered);
  EXPECT_NEAR(after->covered - coverage->covered, coverage->suggestion->covered_after - coverage->covered,
              0.5 * (after->covered - coverage->covered));
}

TEST(CoverVolume, WhereEverythingIsReachedNothingIsSuggested) {
  CoverageOptions options;
  options.box = WorkspaceBox{{-0.02, -0.02, 0.54}, {0.02, 0.02, 0.56}};
  const auto coverage = cover_volume(subject_of(block()), options);
  ASSERT_TRUE(coverage);
  EXPECT_GT(coverage->covered, 0.99);
  EXPECT_FALSE(coverage->suggestion);
}

TEST(CoverSurface, IsTheSameReachOverPointsGiven) {
  const Subject subject = subject_of(block());
  const std::vector<double> targets = {0, 0, 0.5, 0, 0, 0.9, 0.1, 0, 0.5, 0.1, 0, 0.9};
  const auto coverage = cover_surface(subject, targets, 2);
  ASSERT_TRUE(coverage);
  EXPECT_EQ(coverage->columns, 2u);
  EXPECT_LT(coverage->errors[0], 0.001f);
  EXPECT_NEAR(coverage->errors[1], 0.2, 0.01);
}

TEST(CoverSurface, TablesAreLevelAndSpheresRound) {
  const Subject subject = subject_of(block());
  const std::vector<double> table = table_surface(subject.points, 0.1, 5),
                            sphere = sphere_surface(subject.points, 0.5, 5);
  ASSERT_EQ(table.size(), 75u);
  ASSERT_EQ(sphere.size(), 75u);
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_EQ(table[3 * i + 1], 0.1);
    EXPECT_NEAR(std::hypot(sphere[3 * i], sphere[3 * i + 1], sphere[3 * i + 2]), 0.5, 1e-9);
  }
  // Half-way between near and far reaches, a sphere before the body is all reached.
  EXPECT_GT(cover_surface(subject, sphere, 5)->covered, 0.99);
}

TEST(Coverage, BadInputIsRefused) {
  const Subject subject = subject_of(block());
  const auto with = [&](auto change) {
    CoverageOptions options;
    change(options);
    return cover_volume(subject, options);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(with([](CoverageOptions& o) { o.tolerance = 0; }));
  EXPECT_FALSE(with([&](CoverageOptions& o) { o.spacing = nan; }));
  EXPECT_FALSE(with([](CoverageOptions& o) { o.spacing = -1; }));
  EXPECT_FALSE(with([](CoverageOptions& o) { o.spacing = 1e-9; }));
  EXPECT_FALSE(with([](CoverageOptions& o) { o.box = WorkspaceBox{{0, 0, 0}, {1, 1}}; }));
  EXPECT_FALSE(with([&](CoverageOptions& o) { o.box = WorkspaceBox{{0, 0, nan}, {1, 1, 1}}; }));
  EXPECT_FALSE(with([](CoverageOptions& o) { o.box = WorkspaceBox{{1, 0, 0}, {0, 1, 1}}; }));
  EXPECT_FALSE(cover_surface(subject, {0, 0, 0, 1}, 1));
  EXPECT_FALSE(cover_surface(subject, {0, 0, nan}, 1));
  EXPECT_FALSE(cover_surface(subject, {}, 0));
}

}  // namespace
}  // namespace loom::blend
