// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/time_warp.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::random_frame_set;

CostMatrix random_matrix(std::size_t rows, std::size_t columns, Random& random) {
  CostMatrix matrix{rows, columns, std::vector<float>(rows * columns)};
  for (float& value : matrix.values) value = static_cast<float>(random.uniform());
  return matrix;
}

/// The least mean cost of all paths, by trying every one of them: a diagonal move, then up to `slope` - 1 moves along
/// one clip, never both ways in a row.
class EveryPath {
 public:
  EveryPath(const CostMatrix& matrix, const WarpOptions& options) : matrix_(matrix), options_(options) {
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t j = 0; j < matrix.columns; ++j) {
        const bool start = (i == 0 && j <= options.free_start) || (j == 0 && i <= options.free_start);
        if (start) go(i, j, 2.0 * matrix.at(i, j), 2);
      }
    }
  }
  double least = std::numeric_limits<double>::infinity();

 private:
  void go(std::size_t i, std::size_t j, double sum, int length) {
    const std::size_t below = matrix_.rows - 1 - i, right = matrix_.columns - 1 - j;
    if ((below == 0 && right <= options_.free_end) || (right == 0 && below <= options_.free_end)) {
      least = std::min(least, sum / length);
    }
    if (below == 0 || right == 0) return;
    const double diagonal = sum + 2.0 * matrix_.at(i + 1, j + 1);
    go(i + 1, j + 1, diagonal, length + 2);
    double down = diagonal, along = diagonal;
    for (std::size_t n = 1; n < options_.max_slope; ++n) {
      if (n + 1 <= below) go(i + 1 + n, j + 1, down += matrix_.at(i + 1 + n, j + 1), length + 2 + static_cast<int>(n));
      if (n + 1 <= right) go(i + 1, j + 1 + n, along += matrix_.at(i + 1, j + 1 + n), length + 2 + static_cast<int>(n));
    }
  }

  const CostMatrix& matrix_;
  const WarpOptions& options_;
};

TEST(TimeWarp, FindsTheLeastMeanCostOfAllPaths) {
  Random random(1);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const CostMatrix matrix = random_matrix(1 + random.index(8), 1 + random.index(8), random);
    WarpOptions options;
    options.max_slope = 1 + random.index(kMaxWarpSlope);
    options.free_start = random.index(3);
    options.free_end = random.index(3);
    const double least = EveryPath(matrix, options).least;
    const auto path = find_warp(matrix, options);
    ASSERT_EQ(path.has_value(), std::isfinite(least)) << matrix.rows << " × " << matrix.columns;
    if (!path) continue;
    ++found;
    EXPECT_NEAR(path->cost, least, 1e-6);
    for (std::size_t n = 1; n < path->cells.size(); ++n) {
      EXPECT_GT(path->cells[n].row, path->cells[n - 1].row);
      EXPECT_GT(path->cells[n].column, path->cells[n - 1].column);
    }
  }
  EXPECT_GT(found, 100);
}

TEST(TimeWarp, CrossesOnlyThePartAskedFor) {
  Random random(2);
  const CostMatrix matrix = random_matrix(20, 25, random);
  WarpOptions options;
  options.from_row = 3, options.from_column = 5, options.to_row = 12, options.to_column = 17;
  const auto path = find_warp(matrix, options).value();
  EXPECT_EQ(path.cells.front(), (WarpCell{3, 5}));
  EXPECT_EQ(path.cells.back(), (WarpCell{12, 17}));
}

/// Pins cut a path into parts that have nothing to do with each other: each is the best by itself.
TEST(TimeWarp, PassesThroughPinsAndIsTheBestBetweenThem) {
  Random random(4);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const CostMatrix matrix = random_matrix(9, 9, random);
    const WarpCell pin{static_cast<std::uint32_t>(2 + random.index(5)),
                       static_cast<std::uint32_t>(2 + random.index(5))};
    const auto path = find_warp_through(matrix, std::vector{pin});
    const auto part = [&](std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) {
      CostMatrix cut{rows, columns, {}};
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) cut.values.push_back(matrix.at(row + i, column + j));
      }
      return EveryPath(cut, {}).least;
    };
    const double before = part(0, 0, pin.row + 1, pin.column + 1);
    const double after = part(pin.row, pin.column, 9 - pin.row, 9 - pin.column);
    ASSERT_EQ(path.has_value(), std::isfinite(before) && std::isfinite(after)) << pin.row << ":" << pin.column;
    if (!path) continue;
    ++found;
    EXPECT_NE(std::find(path->cells.begin(), path->cells.end(), pin), path->cells.end());
    const double share = (pin.row + pin.column) / 16.0;
    EXPECT_NEAR(path->cost, share * before + (1 - share) * after, 1e-6);
  }
  EXPECT_GT(found, 100);
}

TEST(TimeWarp, WithoutPinsIsTheWarpOfTheWhole) {
  Random random(5);
  const CostMatrix matrix = random_matrix(30, 34, random);
  WarpOptions options;
  options.free_start = options.free_end = 4;
  const WarpPath whole = find_warp(matrix, options).value(), through = find_warp_through(matrix, {}, options).value();
  EXPECT_EQ(through.cells, whole.cells);
  EXPECT_NEAR(through.cost, whole.cost, 1e-12);
  const std::vector<WarpCell> corners{{0, 0}, {29, 33}};
  EXPECT_TRUE(find_warp_through(matrix, corners)) << "pins on the corners say nothing more";
}

TEST(TimeWarp, ReadsCells) {
  EXPECT_EQ(parse_warp_cell("40:12").value(), (WarpCell{40, 12}));
  for (const char* bad :
       {"", ":", "4", "4:", ":4", "4:-1", "-4:1", "4:5x", "nan:1", "99999999999:1", "4:5:6", " 4:5"}) {
    EXPECT_FALSE(parse_warp_cell(bad)) << bad;
  }
}

TEST(TimeWarp, RefusesPinsThatNoPathPasses) {
  Random random(6);
  const CostMatrix matrix = random_matrix(30, 30, random);
  const auto refuses = [&](std::vector<WarpCell> pins, const char* why) {
    const auto path = find_warp_through(matrix, pins);
    return !path && path.error().message.find(why) != std::string::npos;
  };
  EXPECT_TRUE(refuses({{10, 10}, {12, 9}}, "12:9 does not come after 10:10"));
  EXPECT_TRUE(refuses({{30, 4}}, "30:4 does not lie before the end"));
  EXPECT_TRUE(refuses({{10, 10}, {12, 20}}, "from 10:10 to 12:20"));
  EXPECT_TRUE(refuses({{0, 12}}, "0:12"));
  const auto stretched = find_warp_through(matrix, std::vector<WarpCell>{{10, 10}, {12, 20}}, {}, SteepParts::kStretch);
  ASSERT_TRUE(stretched);
  for (std::size_t n = 1; n < stretched->cells.size(); ++n) {
    EXPECT_GT(stretched->cells[n].column, stretched->cells[n - 1].column);
  }
}

TEST(TimeWarp, RefusesWhatCannotBeAligned) {
  Random random(3);
  EXPECT_FALSE(find_warp({}));
  const auto unequal = find_warp(random_matrix(10, 60, random));
  ASSERT_FALSE(unequal);
  EXPECT_NE(unequal.error().message.find("10 and 60 frames"), std::string::npos);
  WarpOptions steep;
  steep.max_slope = kMaxWarpSlope + 1;
  EXPECT_FALSE(find_warp(random_matrix(5, 5, random), steep));
  WarpOptions backwards;
  backwards.from_row = 4, backwards.to_row = 3;
  EXPECT_FALSE(find_warp(random_matrix(5, 5, random), backwards));
}

/// Two plays of one gesture, the second at another pace: a signal whose warp is known.
TEST(TimeWarp, FollowsAKnownChangeOfPace) {
  constexpr std::size_t kFrames = 120;
  const auto signal = [](double t) { return std::sin(9 * t) + 0.5 * std::cos(23 * t); };
  const auto warped = [](double t) { return t + 0.1 * std::sin(std::numbers::pi * t); };
  CostMatrix matrix{kFrames, kFrames, std::vector<float>(kFrames * kFrames)};
  for (std::size_t i = 0; i < kFrames; ++i) {
    for (std::size_t j = 0; j < kFrames; ++j) {
      const double difference =
          signal(warped(static_cast<double>(i) / (kFrames - 1))) - signal(static_cast<double>(j) / (kFrames - 1));
      matrix.values[i * kFrames + j] = static_cast<float>(difference * difference);
    }
  }
  const WarpPath path = find_warp(matrix).value();
  for (const WarpCell& cell : path.cells) {
    EXPECT_NEAR(cell.column, (kFrames - 1) * warped(cell.row / (kFrames - 1.0)), 2.5);
  }
}

TEST(CostMatrix, HoldsTheDistancesOfEitherMetric) {
  // Lengths beyond a tile and a band, and the clips either way round and against themselves.
  const auto set = random_frame_set({140, 20, 330}, 7);
  const auto check = [&](const Metric& metric, std::size_t a, std::size_t b) {
    const CostMatrix matrix = cost_matrix(metric, a, b).value();
    ASSERT_EQ(matrix.rows, set->starts[a + 1] - set->starts[a]);
    ASSERT_EQ(matrix.columns, set->starts[b + 1] - set->starts[b]);
    for (std::size_t i = 0; i < matrix.rows; i += 3) {
      for (std::size_t j = 0; j < matrix.columns; j += 5) {
        const std::size_t f = set->starts[a] + i, g = set->starts[b] + j;
        ASSERT_TRUE(std::isfinite(matrix.at(i, j)) && matrix.at(i, j) >= 0);
        if (!metric.comparable(f) || !metric.comparable(g)) continue;
        const double exact = metric.distance(f, g);
        ASSERT_NEAR(matrix.at(i, j), exact, 1e-5 + 1e-4 * exact) << i << ", " << j;
      }
    }
  };
  const PointCloud cloud = PointCloud::create(set).value();
  const JointAngles angles = JointAngles::create(set).value();
  for (const Metric* metric : std::initializer_list<const Metric*>{&cloud, &angles}) {
    check(*metric, 0, 2);
    check(*metric, 2, 0);
    check(*metric, 1, 1);
    check(*metric, 2, 2);
  }
}

TEST(CostMatrix, EndsOfAClipTakeTheNearestComparableFrame) {
  const auto set = random_frame_set({30, 40}, 9);
  const PointCloud cloud = PointCloud::create(set).value();
  const CostMatrix matrix = cost_matrix(cloud, 0, 1).value();
  EXPECT_EQ(matrix.at(0, 0), matrix.at(5, 5));
  EXPECT_EQ(matrix.at(29, 20), matrix.at(24, 20));
  EXPECT_EQ(matrix.at(12, 39), matrix.at(12, 34));
}

}  // namespace
}  // namespace loom::compare
