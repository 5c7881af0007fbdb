// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/weights/triangulation.h>

namespace loom::blend {
namespace {

ExamplePoints random_points(Random& random, std::size_t count, std::size_t dimensions) {
  ExamplePoints points{dimensions, {}};
  for (std::size_t i = 0; i < count * dimensions; ++i) points.values.push_back(random.uniform(-1, 1));
  return points;
}

std::vector<double> random_member(Random& random, const ExamplePoints& points) {
  std::vector<double> at(points.dimensions);
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = -std::log(1 - random.uniform());
    sum += share;
    for (std::size_t d = 0; d < points.dimensions; ++d) at[d] += share * points[i][d];
  }
  for (double& v : at) v /= sum;
  return at;
}

TEST(Triangulation, EveryPointInsideIsTheBlendOfItsSimplex) {
  Random random(1);
  for (const std::size_t dimensions : {1, 2, 3, 4, 5}) {
    const auto points = random_points(random, 14, dimensions);
    const auto made = Triangulation::create(points);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->rank(), dimensions);
    for (int trial = 0; trial < 100; ++trial) {
      const auto at = random_member(random, points);
      std::vector<double> shares(dimensions + 1);
      const auto corners = made->corners(made->locate(at, shares));
      for (std::size_t d = 0; d < dimensions; ++d) {
        double sum = 0;
        for (std::size_t c = 0; c < corners.size(); ++c) sum += shares[c] * points[corners[c]][d];
        EXPECT_NEAR(sum, at[d], 1e-9);
      }
      for (const double share : shares) EXPECT_GT(share, -1e-9);
      std::vector<double> weights(points.size());
      EXPECT_EQ(made->project(at, weights), 0);
    }
  }
}

/// The centre of the circle through three points is as far from all of them; no other point may be nearer.
TEST(Triangulation, CirclesThroughTrianglesAreEmpty) {
  Random random(2);
  const auto points = random_points(random, 25, 2);
  const auto made = Triangulation::create(points);
  ASSERT_TRUE(made);
  for (std::size_t s = 0; s < made->simplices(); ++s) {
    const auto corners = made->corners(s);
    const double ax = points[corners[0]][0], ay = points[corners[0]][1];
    const double bx = points[corners[1]][0] - ax, by = points[corners[1]][1] - ay;
    const double cx = points[corners[2]][0] - ax, cy = points[corners[2]][1] - ay;
    const double area = 2 * (bx * cy - by * cx);
    const double x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / area;
    const double y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / area;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_GE(std::hypot(points[i][0] - ax - x, points[i][1] - ay - y), std::hypot(x, y) - 1e-9);
    }
  }
}

/// What makes a point of a convex set the nearest: no corner lies further in the direction of the outside point.
TEST(Triangulation, ProjectionIsTheNearestPointOfTheHull) {
  Random random(3);
  for (const std::size_t dimensions : {1, 2, 3, 5}) {
    const auto points = random_points(random, 20, dimensions);
    const auto made = Triangulation::create(points);
    ASSERT_TRUE(made);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> at(dimensions), nearest(dimensions), weights(points.size());
      for (double& v : at) v = random.uniform(-4, 4);
      const double away = made->project(at, weights);
      if (away == 0) continue;
      double sum = 0, squared = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_GE(weights[i], 0);
        sum += weights[i];
        for (std::size_t d = 0; d < dimensions; ++d) nearest[d] += weights[i] * points[i][d];
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      for (std::size_t d = 0; d < dimensions; ++d) squared += std::pow(at[d] - nearest[d], 2);
      EXPECT_NEAR(std::sqrt(squared), away, 1e-9);
      for (std::size_t i = 0; i < points.size(); ++i) {
        double along = 0;
        for (std::size_t d = 0; d < dimensions; ++d) along += (at[d] - nearest[d]) * (points[i][d] - nearest[d]);
        EXPECT_LT(along, 1e-9);
      }
    }
  }
}

TEST(Triangulation, FlatSetsAreTriangulatedInTheirPlane) {
  Random random(4);
  ExamplePoints plane{3, {}}, line{3, {}};
  for (int i = 0; i < 12; ++i) {
    const double u = random.uniform(-1, 1), v = random.uniform(-1, 1);
    plane.values.insert(plane.values.end(), {u, v, 0.3 * u - 0.7 * v + 0.2});
    line.values.insert(line.values.end(), {u, 2 * u, 1 - u});
  }
  const auto flat = Triangulation::create(plane), thin = Triangulation::create(line);
  ASSERT_TRUE(flat && thin);
  EXPECT_EQ(flat->rank(), 2U);
  EXPECT_EQ(thin->rank(), 1U);
  const auto inside = random_member(random, plane);
  std::vector<double> weights(12);
  EXPECT_EQ(flat->project(inside, weights), 0);
  const std::vector<double> above = {inside[0] + 0.3, inside[1] - 0.7, inside[2] - 1};  // along the plane's normal
  EXPECT_NEAR(flat->project(above, weights), std::sqrt(0.09 + 0.49 + 1), 1e-9);
}

TEST(Triangulation, ExamplesInOnePlaceAndOnAGridAreNoTrouble) {
  ExamplePoints grid{3, {}};
  for (const double x : {0.0, 1.0, 2.0}) {
    for (const double y : {0.0, 1.0}) {
      for (const double z : {0.0, 1.0}) {
        grid.values.insert(grid.values.end(), {x, y, z});
        grid.values.insert(grid.values.end(), {x, y, z});
      }
    }
  }
  const auto made = Triangulation::create(grid);
  ASSERT_TRUE(made) << made.error().message;
  std::vector<double> shares(4);
  const std::vector<double> at = {1.7, 0.2, 0.9};
  const auto corners = made->corners(made->locate(at, shares));
  for (std::size_t d = 0; d < 3; ++d) {
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += shares[c] * grid[corners[c]][d];
    EXPECT_NEAR(sum, at[d], 1e-9);
  }
}

TEST(Triangulation, RefusesWhatIsNoSpace) {
  EXPECT_FALSE(Triangulation::create({2, {1, 2}}));
  EXPECT_FALSE(Triangulation::create({0, {}}));
  EXPECT_FALSE(Triangulation::create({2, {1, 2, 1, 2, 1, 2}}));
  EXPECT_FALSE(Triangulation::create({1, {1, std::numeric_limits<double>::quiet_NaN()}}));
  EXPECT_FALSE(Triangulation::create({9, std::vector<double>(90, 1.0)}));
  EXPECT_TRUE(Triangulation::create({3, {1, 2, 3, 4, 5, 6}}));
}

}  // namespace
}  // namespace loom::blend
