// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/family/local_coverage.h>

#include "tests/blend/toy_model.h"

namespace loom::blend {
namespace {

using testing::ToyModel;

/// Eight reaches: the corners of a block of directions and lengths.
std::shared_ptr<const ToyModel> block_model() {
  std::vector<ToyModel::Example> examples;
  for (const double length : {0.4, 0.7}) {
    for (const double elevation : {-0.4, 0.4}) {
      for (const double azimuth : {-0.5, 0.5}) examples.push_back({azimuth, elevation, length});
    }
  }
  return std::make_shared<const ToyModel>(std::move(examples));
}

std::shared_ptr<const Triangulation> tied(const ToyModel& model) {
  auto space = Triangulation::create(model.points());
  EXPECT_TRUE(space);
  return std::make_shared<const Triangulation>(std::move(*space));
}

TEST(LocalCoverage, IsWhatASurfaceOfTheSamePointsCovers) {
  const auto model = block_model();
  const LocalCoverage local(tied(*model), model, 0.05);
  const Subject subject{"toy", space_of(FamilyKind::kReach), model->points(), model};
  Random random(4);
  for (const PatchShape shape : kPatchShapes) {
    for (int trial = 0; trial < 5; ++trial) {
      const std::array<double, 3> centre{random.uniform(-0.4, 0.4), random.uniform(-0.3, 0.3),
                                         random.uniform(0.3, 0.8)};
      const Patch patch{shape, random.uniform(0.05, 0.5), 5};
      const Coverage here = local.at(centre, patch);
      CoverageOptions options;
      options.tolerance = 0.05;
      const auto there = cover_surface(subject, patch_around(centre, patch), patch.points, options);
      ASSERT_TRUE(there);
      EXPECT_EQ(here.targets, there->targets);
      EXPECT_EQ(here.errors, there->errors);
      EXPECT_EQ(here.columns, 5u);
      EXPECT_DOUBLE_EQ(here.covered, there->covered);
      EXPECT_FALSE(here.suggestion);
    }
  }
}

TEST(LocalCoverage, IsGoodAmongTheExamplesAndBadBeyondThem) {
  const auto model = block_model();
  const LocalCoverage local(tied(*model), model);
  EXPECT_GT(local.at(std::array{0.0, 0.0, 0.52}, {PatchShape::kBall, 0.05, 7}).covered, 0.95);
  EXPECT_EQ(local.at(std::array{0.0, 0.0, 1.2}, {PatchShape::kBall, 0.05, 7}).covered, 0);
}

/// Every point lies where the shape says, by its distance to the middle and its height.
TEST(PatchAround, TablesAreLevelWallsFaceTheBodyAndBallsAreRound) {
  const std::array<double, 3> centre{0.3, 1.1, 0.4};
  const auto each = [&](PatchShape shape, auto&& look) {
    const auto points = patch_around(centre, {shape, 0.2, 5});
    ASSERT_EQ(points.size(), 3u * 25);
    for (std::size_t i = 0; i < points.size(); i += 3) {
      look(std::array{points[i] - centre[0], points[i + 1] - centre[1], points[i + 2] - centre[2]});
    }
  };
  each(PatchShape::kTable, [](auto p) {
    EXPECT_DOUBLE_EQ(p[1], 0);
    EXPECT_LE(std::max(std::abs(p[0]), std::abs(p[2])), 0.1 + 1e-12);
  });
  each(PatchShape::kWall, [](auto p) {
    EXPECT_NEAR(0.3 * p[0] + 0.4 * p[2], 0, 1e-12);  // square to the way there
    EXPECT_LE(std::abs(p[1]), 0.1 + 1e-12);
    EXPECT_LE(std::hypot(p[0], p[2]), 0.1 + 1e-12);
  });
  each(PatchShape::kBall, [](auto p) { EXPECT_NEAR(std::hypot(p[0], p[1], p[2]), 0.1, 1e-12); });
}

TEST(PatchAround, AWallOverheadStandsStraightAhead) {
  const auto points = patch_around(std::array{0.0, 2.0, 0.0}, {PatchShape::kWall, 0.2, 3});
  for (std::size_t i = 0; i < points.size(); i += 3) EXPECT_DOUBLE_EQ(points[i + 2], 0);
}

TEST(Patch, HasASizeAndPoints) {
  EXPECT_TRUE(validate(Patch{}));
  EXPECT_FALSE(validate(Patch{PatchShape::kTable, 0, 9}));
  EXPECT_FALSE(validate(Patch{PatchShape::kTable, std::nan(""), 9}));
  EXPECT_FALSE(validate(Patch{PatchShape::kTable, 0.3, 1}));
  EXPECT_FALSE(validate(Patch{PatchShape::kTable, 0.3, kMaxPatchPoints + 1}));
  for (const PatchShape shape : kPatchShapes) EXPECT_EQ(patch_shape_named(to_string(shape)), shape);
  EXPECT_FALSE(patch_shape_named("cone"));
}

}  // namespace
}  // namespace loom::blend
