// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/sample/detail/curve.h>

namespace loom::sample {
namespace {

/// A curve through a few random keys, free and fixed.
Curve random_curve(Random& random, int keys) {
  Curve curve;
  double time = 0;
  for (int i = 0; i < keys; ++i) {
    time += random.uniform(0.1, 0.6);
    const double value = random.uniform(-1, 1);
    if (random.uniform() < 0.3) {
      curve.key(time, value, random.uniform(-2, 2), random.uniform(-5, 5));
    } else {
      curve.key(time, value);
    }
  }
  return curve;
}

TEST(Curve, WithoutKeysIsZeroAndWithOneIsConstant) {
  EXPECT_EQ(Curve()(3.0), 0);
  EXPECT_EQ(Curve(0.7)(-5.0), 0.7);
  EXPECT_EQ(Curve(0.7)(5.0), 0.7);
}

TEST(Curve, GoesThroughItsKeysInWhateverOrderTheyCame) {
  Curve curve;
  curve.key(2, 5).key(0, 1).key(1, -3);
  EXPECT_DOUBLE_EQ(curve(0), 1);
  EXPECT_DOUBLE_EQ(curve(1), -3);
  EXPECT_DOUBLE_EQ(curve(2), 5);
}

TEST(Curve, IsSmoothUpToItsAcceleration) {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Curve curve = random_curve(random, 6);
    // Second differences just before and just after any time agree: nothing jumps.
    constexpr double h = 1e-4;
    for (double t = 0.02; t < 3; t += 0.0137) {
      const auto bend = [&](double at) { return (curve(at + h) - 2 * curve(at) + curve(at - h)) / (h * h); };
      EXPECT_NEAR(bend(t - 2 * h), bend(t + 2 * h), 40) << i << " at " << t;
    }
  }
}

TEST(Curve, StaysNearTheRangeOfTheKeysAroundIt) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    Curve curve;
    std::vector<double> values;
    for (int k = 0; k < 5; ++k) {
      values.push_back(random.uniform(-1, 1));
      curve.key(k, values.back());
    }
    for (double t = 0; t <= 4; t += 0.01) {
      const auto k = std::min<std::size_t>(3, static_cast<std::size_t>(t));
      const auto [low, high] = std::minmax(values[k], values[k + 1]);
      EXPECT_GT(curve(t), low - 0.05 * (high - low) - 1e-9);
      EXPECT_LT(curve(t), high + 0.05 * (high - low) + 1e-9);
    }
  }
}

TEST(Curve, HoldsBetweenEqualKeys) {
  const Curve curve = hump(1, 2, 3, 4, 0.5);
  for (double t = 2; t <= 3; t += 0.1) EXPECT_DOUBLE_EQ(curve(t), 0.5);
  EXPECT_EQ(curve(0.5), 0);
  EXPECT_EQ(curve(4.5), 0);
  EXPECT_NEAR(curve(1.5), 0.25, 1e-12);
}

TEST(Curve, FreeFallBetweenTwoFixedKeysIsAParabola) {
  // Thrown up at 3 m/s, caught at the same height: what jumps rely on.
  const double g = 9.81, v = 3, time = 2 * v / g;
  Curve curve;
  curve.key(0, 0, v, -g).key(time, 0, -v, -g);
  for (double t = 0; t < time; t += 0.01) EXPECT_NEAR(curve(t), v * t - 0.5 * g * t * t, 1e-12);
}

TEST(Curve, ScalesAndDifferentiates) {
  Random random(7);
  const Curve curve = random_curve(random, 5), twice = curve.scaled(2);
  for (double t = 0; t < 3; t += 0.1) {
    EXPECT_NEAR(twice(t), 2 * curve(t), 1e-12);
    EXPECT_NEAR(twice.velocity(t), 2 * curve.velocity(t), 1e-6);
  }
}

TEST(Ease, RestsAtBothEndsAndIsSymmetric) {
  EXPECT_EQ(ease(-1), 0);
  EXPECT_EQ(ease(2), 1);
  for (double u = 0; u <= 1; u += 0.05) EXPECT_NEAR(ease(u) + ease(1 - u), 1, 1e-12);
}

}  // namespace
}  // namespace loom::sample
