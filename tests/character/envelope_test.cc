// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/math.h>
#include <loom/base/random.h>
#include <loom/character/detail/envelope.h>

namespace loom::character {
namespace {

/// Entry `f` of what goes on beyond its ends as it ends.
float beyond(const std::vector<float>& values, int f) {
  return values[static_cast<std::size_t>(std::clamp(f, 0, static_cast<int>(values.size()) - 1))];
}

/// As the header tells it, every frame by itself and in double.
double slow_envelope(const std::vector<float>& values, int f, int reach, int bell) {
  double sum = 0, weights = 0;
  for (int k = -bell; k <= bell; ++k) {
    const int at = std::clamp(f + k, 0, static_cast<int>(values.size()) - 1);
    double least = static_cast<double>(beyond(values, at));
    for (int g = at - reach; g <= at + reach; ++g) least = std::min(least, static_cast<double>(beyond(values, g)));
    const double weight = 1 + std::cos(3.14159265358979 * k / (bell + 1));
    sum += weight * least;
    weights += weight;
  }
  return sum / weights;
}

TEST(Envelope, IsWhatTheSlowOneSays) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> values(1 + random.index(40));
    for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
    const std::size_t reach = random.index(7), bell = random.index(7);
    const std::vector<float> lower = lower_envelope(values, reach, bell);
    for (std::size_t f = 0; f < values.size(); ++f) {
      const int at = static_cast<int>(f);
      EXPECT_NEAR(static_cast<double>(lower[f]),
                  slow_envelope(values, at, static_cast<int>(reach), static_cast<int>(bell)), 1e-5);
      EXPECT_NEAR(static_cast<double>(smoothed(values, bell)[f]), slow_envelope(values, at, 0, static_cast<int>(bell)),
                  1e-5);
    }
    std::vector<float> turned(values.size());
    std::transform(values.begin(), values.end(), turned.begin(), std::negate<>());
    const std::vector<float> upper = upper_envelope(turned, reach, bell);
    for (std::size_t f = 0; f < values.size(); ++f) EXPECT_EQ(upper[f], -lower[f]);
  }
}

TEST(Envelope, StaysBelowWhereTheBellIsNoWider) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<float> values(1 + random.index(40));
    for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
    const std::size_t reach = random.index(7);
    const std::vector<float> lower = lower_envelope(values, reach, random.index(reach + 1));
    for (std::size_t f = 0; f < values.size(); ++f) EXPECT_LE(lower[f], values[f] + 1e-5f);
  }
}

TEST(Envelope, WhatRisesForLessThanItsWidthIsLeftOut) {
  std::vector<float> values(40, 1.0f);
  for (std::size_t f = 20; f < 26; ++f) values[f] = 2;
  for (const float value : lower_envelope(values, 3, 3)) EXPECT_NEAR(value, 1, 1e-6f);
}

TEST(Envelope, AStepIsMadeReadyForAndIsSmooth) {
  constexpr std::size_t kReach = 4;
  std::vector<float> values(40, 1.0f);
  std::fill(values.begin() + 20, values.end(), 0.0f);
  const std::vector<float> lower = lower_envelope(values, kReach, kReach);
  EXPECT_NEAR(lower[20 - 2 * kReach - 1], 1, 1e-6f);
  EXPECT_NEAR(lower[20 - kReach], 0.5f, 0.15f);
  EXPECT_NEAR(lower[20], 0, 1e-6f);
  for (std::size_t f = 1; f + 1 < lower.size(); ++f) {
    EXPECT_LT(std::abs(lower[f + 1] - 2 * lower[f] + lower[f - 1]), 0.1f) << f;
  }
}

TEST(Envelope, NothingComesOfNothing) {
  EXPECT_TRUE(lower_envelope({}, 3, 3).empty());
  EXPECT_EQ(upper_envelope(std::vector<float>{2.0f}, 3, 3), std::vector<float>{2.0f});
}

}  // namespace
}  // namespace loom::character
