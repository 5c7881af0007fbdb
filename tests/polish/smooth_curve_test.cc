// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/polish/detail/smooth_curve.h>

namespace loom::polish {
namespace {

Pins random_pins(Random& random, std::size_t frames, double share) {
  Pins pins{std::vector<std::uint8_t>(frames), std::vector<double>(frames)};
  for (std::size_t f = 0; f < frames; ++f) {
    pins.held[f] = random.uniform() < share ? 1 : 0;
    pins.value[f] = random.normal();
  }
  return pins;
}

/// The rows ease² Δ² of `frames` values, each of `width` columns, on column `c`.
void add_bending(Eigen::MatrixXd& rows, Eigen::Index& at, std::size_t frames, Eigen::Index width, double ease) {
  for (Eigen::Index c = 0; c < width; ++c) {
    for (std::size_t f = 1; f + 1 < frames; ++f, ++at) {
      const auto middle = static_cast<Eigen::Index>(f) * width + c;
      rows(at, middle - width) = rows(at, middle + width) = ease * ease;
      rows(at, middle) = -2 * ease * ease;
    }
  }
}

/// The free values that minimise |rows · x|² with the pinned values given: plain dense least squares.
Eigen::VectorXd minimise_with_pins(const Eigen::MatrixXd& rows, const Eigen::VectorXd& pinned,
                                   const std::vector<bool>& held) {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!held[i]) free.push_back(static_cast<Eigen::Index>(i));
  }
  Eigen::VectorXd solution = pinned;
  if (free.empty()) return solution;
  const Eigen::VectorXd found = rows(Eigen::all, free).colPivHouseholderQr().solve(-rows * pinned);
  for (std::size_t i = 0; i < free.size(); ++i) solution[free[i]] = found[static_cast<Eigen::Index>(i)];
  return solution;
}

TEST(SmoothestCurves, AgreeWithDenseLeastSquares) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t frames = 1 + random.index(25);
    const double ease = random.uniform(0.5, 4), tie = random.uniform(0, 20);
    const Pins first = random_pins(random, frames, 0.3), second = random_pins(random, frames, 0.3);
    const auto n = static_cast<Eigen::Index>(2 * frames);
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(5 * n, n);
    Eigen::Index at = 0;
    add_bending(rows, at, frames, 2, ease);
    Eigen::VectorXd pinned = Eigen::VectorXd::Zero(n);
    std::vector<bool> held(static_cast<std::size_t>(n));
    for (std::size_t f = 0; f < frames; ++f) {
      const auto i = static_cast<Eigen::Index>(2 * f);
      rows(at++, i) = 1;
      rows(at++, i + 1) = 1;
      rows(at, i) = std::sqrt(tie);
      rows(at++, i + 1) = -std::sqrt(tie);
      held[2 * f] = first.held[f] != 0;
      held[2 * f + 1] = second.held[f] != 0;
      if (first.held[f]) pinned[i] = first.value[f];
      if (second.held[f]) pinned[i + 1] = second.value[f];
    }
    const Eigen::VectorXd expected = minimise_with_pins(rows, pinned, held);
    const CurvePair curves = smoothest_curves(first, second, ease, tie);
    for (std::size_t f = 0; f < frames; ++f) {
      EXPECT_NEAR(curves.first[f], expected[static_cast<Eigen::Index>(2 * f)], 1e-5) << "trial " << trial;
      EXPECT_NEAR(curves.second[f], expected[static_cast<Eigen::Index>(2 * f + 1)], 1e-5) << "trial " << trial;
    }
  }
}

TEST(SmoothestCurves, FallBackToZeroWithinThreeTimesTheEase) {
  Pins pins{std::vector<std::uint8_t>(100), std::vector<double>(100, 1.0)}, none = pins;
  pins.held[50] = 1;
  const CurvePair curves = smoothest_curves(pins, none, 4, 0);
  EXPECT_NEAR(curves.first[50], 1, 1e-6);
  EXPECT_LT(std::abs(curves.first[50 + 12]), 0.15);
  EXPECT_LT(std::abs(curves.first[50 - 24]), 0.02);
}

TEST(SmoothestCurves, LeaveAPinnedStretchWithoutACorner) {
  // Held on a slope up to frame 39, then free: the curve goes on along the slope before it turns back to zero.
  Pins pins{std::vector<std::uint8_t>(80), std::vector<double>(80)}, none = pins;
  for (std::size_t f = 0; f < 40; ++f) pins.held[f] = 1, pins.value[f] = 0.1 * static_cast<double>(f);
  const std::vector<double> curve = smoothest_curves(pins, none, 6, 0).first;
  double largest = 0;
  for (std::size_t f = 39; f + 1 < 80; ++f) {
    largest = std::max(largest, std::abs(curve[f + 1] - 2 * curve[f] + curve[f - 1]));
  }
  EXPECT_LT(largest, 0.2);  // dropping to zero at once would be 3.9
}

TEST(SmoothestCurves, ATiedCurveGoesAlong) {
  Pins pins{std::vector<std::uint8_t>(60, 1), std::vector<double>(60, 1.0)};
  const Pins none{std::vector<std::uint8_t>(60, 0), std::vector<double>(60, 0.0)};
  EXPECT_NEAR(smoothest_curves(pins, none, 3, 0).second[30], 0, 1e-9);
  EXPECT_NEAR(smoothest_curves(pins, none, 3, 10).second[30], 10.0 / 11.0, 1e-6);
}

TEST(SmoothestCompromise, AgreesWithDenseLeastSquares) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t frames = 1 + random.index(15);
    const double ease = random.uniform(0.5, 3);
    std::vector<AxisWish> wishes;
    for (std::size_t i = 0; i < 2 * frames; ++i) {
      const Vec3 direction = normalized(Vec3{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                                             static_cast<float>(random.normal())});
      wishes.push_back({random.index(frames), direction, random.normal(), random.uniform(0, 50)});
    }
    const auto n = static_cast<Eigen::Index>(3 * frames);
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(4 * n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(4 * n);
    Eigen::Index at = 0;
    add_bending(rows, at, frames, 3, ease);
    for (Eigen::Index i = 0; i < n; ++i) rows(at++, i) = 1;
    for (const AxisWish& wish : wishes) {
      const auto i = static_cast<Eigen::Index>(3 * wish.frame);
      const double root = std::sqrt(wish.weight);
      rows(at, i) = root * wish.direction.x;
      rows(at, i + 1) = root * wish.direction.y;
      rows(at, i + 2) = root * wish.direction.z;
      right[at++] = root * wish.amount;
    }
    const Eigen::VectorXd expected = rows.colPivHouseholderQr().solve(right);
    const std::vector<Vec3> curve = smoothest_compromise(frames, wishes, ease);
    for (std::size_t f = 0; f < frames; ++f) {
      const auto i = static_cast<Eigen::Index>(3 * f);
      EXPECT_NEAR(curve[f].x, expected[i], 1e-5);
      EXPECT_NEAR(curve[f].y, expected[i + 1], 1e-5);
      EXPECT_NEAR(curve[f].z, expected[i + 2], 1e-5);
    }
  }
}

}  // namespace
}  // namespace loom::polish
