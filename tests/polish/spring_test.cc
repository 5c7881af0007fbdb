// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/polish/gentle_ease.h>
#include <loom/polish/spring.h>

namespace loom::polish {
namespace {

TEST(Spring, AgreesWithSmallStepsOfTheEquationOfMotion) {
  Spring spring{{1, -2, 0.5f}, {3, 0, -1}};
  double x = 1, v = 3;  // x'' = -2 x' / T - x / T², T = 0.1 s
  constexpr int kSteps = 100000;
  for (int i = 0; i < kSteps; ++i) {
    const double step = 0.2 / kSteps;
    v += (-2 * v / 0.1 - x / 0.01) * step;
    x += v * step;
  }
  for (int i = 0; i < 6; ++i) spring.step({}, 0.2f / 6, 0.1f);
  EXPECT_NEAR(spring.value.x, x, 1e-4);
  EXPECT_NEAR(spring.velocity.x, v, 1e-3);
}

TEST(Spring, DoesNotSwingPastItsGoal) {
  Spring spring{{1, 0, 0}, {}};
  for (int i = 0; i < 100; ++i) {
    spring.step({}, 1.0f / 30, 0.1f);
    EXPECT_GE(spring.value.x, 0);
  }
  EXPECT_LT(spring.value.x, 1e-6f);
}

TEST(Spring, StartsNoHarderThanItMayWithAGentleEase) {
  constexpr float kMost = 10, kStep = 1e-4f;
  for (const Spring& start :
       {Spring{{0.2f, 0, 0}, {}}, Spring{{0, 0.05f, 0}, {0, 0.4f, 0}}, Spring{{}, {0, 0, 0.7f}}}) {
    const float ease = gentle_ease(start.value, start.velocity, kMost, 0.05f, 1);
    EXPECT_GT(ease, 0.05f) << "else the test says nothing";
    Spring spring = start;
    spring.step({}, kStep, ease);
    const float begins = length(spring.velocity - start.velocity) / kStep;
    EXPECT_LT(begins, 1.001f * kMost);
    EXPECT_GT(begins, 0.95f * kMost) << "and takes no longer than it has to";
  }
  EXPECT_EQ(gentle_ease({0.001f, 0, 0}, {}, kMost, 0.05f, 1), 0.05f);
  EXPECT_EQ(gentle_ease({5, 0, 0}, {}, kMost, 0.05f, 0.2f), 0.2f);
}

}  // namespace
}  // namespace loom::polish
