// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/motion/turn_between.h>

namespace loom::motion {
namespace {

TEST(TurnBetween, IsTheCubicOfTheAnglesAboutOneAxis) {
  const Vec3 axis = normalized(Vec3{1, -2, 0.5f});
  for (const float t : {0.0f, 0.2f, 0.5f, 0.9f, 1.0f}) {
    const float from = 0.3f, to = 1.1f, slope_from = 0.4f, slope_to = 1.5f;
    // Hermite's basis, written out.
    const float angle = (1 + 2 * t) * (1 - t) * (1 - t) * from + t * (1 - t) * (1 - t) * slope_from +
                        t * t * (3 - 2 * t) * to + t * t * (t - 1) * slope_to;
    const Quat turned =
        turn_between(axis_angle(axis, from), -axis_angle(axis, to), slope_from * axis, slope_to * axis, t);
    EXPECT_LT(angle_between(turned, axis_angle(axis, angle)), 1e-5f) << t;
  }
}

TEST(TurnBetween, HasTheVelocitiesItIsGivenAtItsEnds) {
  const Quat a = axis_angle({1, 2, 3}, 0.7f), b = axis_angle({0, 2, -1}, -0.4f);
  const Vec3 at_a{0.5f, -0.3f, 0.9f}, at_b{-0.2f, 0.6f, 0.1f};
  constexpr float kStep = 1e-2f;
  const auto at = [&](float t) { return turn_between(a, b, at_a, at_b, t); };
  EXPECT_LT(angle_between(at(0), a), 1e-5f);
  EXPECT_LT(angle_between(at(1), b), 1e-5f);
  // A one-sided difference of second order.
  const Vec3 first =
      (1 / kStep) * (2.0f * log_vector(conjugate(a) * at(kStep)) - 0.5f * log_vector(conjugate(a) * at(2 * kStep)));
  const Vec3 last = (-1 / kStep) * (2.0f * log_vector(conjugate(b) * at(1 - kStep)) -
                                    0.5f * log_vector(conjugate(b) * at(1 - 2 * kStep)));
  EXPECT_LT(distance(first, at_a), 5e-3f);
  EXPECT_LT(distance(last, at_b), 5e-3f);
}

}  // namespace
}  // namespace loom::motion
