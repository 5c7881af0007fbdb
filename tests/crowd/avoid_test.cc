// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/avoid.h>
#include <loom/crowd/turn_filter.h>

namespace loom::crowd {
namespace {

TEST(TurnFilter, IsTheCriticallyDampedSpringTakenInTinySteps) {
  TurnFilter filter{0.3f, -1};
  double value = 0.3, velocity = -1, wanted = 1.2;
  constexpr double kStiffness = 25, kTiny = 1e-5;
  for (int n = 0; n < 40; ++n) {
    if (n == 7) wanted = -0.4;
    filter.step(static_cast<float>(wanted), static_cast<float>(kStiffness), 1.0f / 15);
    for (double t = 0; t < 1.0 / 15; t += kTiny) {
      const double force = kStiffness * (wanted - value) - 2 * std::sqrt(kStiffness) * velocity;
      velocity += force * kTiny;
      value += velocity * kTiny;
    }
    EXPECT_NEAR(filter.value, value, 2e-3);
    EXPECT_NEAR(filter.velocity, velocity, 2e-2);
  }
  EXPECT_NEAR(filter.value, -0.4, 0.05);
}

TEST(SteerToAvoid, IsEquations67And68) {
  const AvoidOptions options;
  const Seen self{{0, 0}, {}, 0.25f};
  const std::array others = {Seen{{0.8f, 3}, {}, 0.75f}, Seen{{-1, 5}, {}, 0.75f}};
  Flat force;
  for (const Seen& o : others) {
    const double far = std::hypot(o.place.x, o.place.z), gap = far - 1;
    force += Flat{static_cast<float>(-o.place.x / far / gap / gap), static_cast<float>(-o.place.z / far / gap / gap)};
  }
  const Flat expected = normalized(Flat{0, 1} + force * 0.25f);
  const Flat heading = steer_to_avoid(self, {0, 1}, {0, 1}, others, options);
  EXPECT_NEAR(heading.x, expected.x, 1e-5);
  EXPECT_NEAR(heading.z, expected.z, 1e-5);
}

TEST(SteerToAvoid, HeedsOnlyWhatIsInSightAndTurnsRightBeforeWhatIsStraightAhead) {
  const Seen self{{0, 0}, {}, 0.25f};
  const auto with = [&](Flat place) {
    const Seen other{place, {}, 0.5f};
    return steer_to_avoid(self, {0, 1}, {0, 1}, std::span(&other, 1));
  };
  EXPECT_EQ(with({0.1f, -2}), (Flat{0, 1})) << "behind";
  EXPECT_EQ(with({2, 2}), (Flat{0, 1})) << "45 degrees aside, beyond 30";
  EXPECT_EQ(with({0.5f, 9}), (Flat{0, 1})) << "beyond the look-ahead";
  EXPECT_LT(with({0.5f, 2}).x, -0.01f) << "away from what is on the left";
  EXPECT_GT(with({-0.5f, 2}).x, 0.01f);
  EXPECT_LT(with({0, 2}).x, -0.01f) << "to the right";
}

TEST(ClosestApproach, IsTheNearestOfManyMoments) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    const auto some = [&] { return static_cast<float>(random.uniform(-3, 3)); };
    const Flat apart{some(), some()}, velocity{some(), some()};
    float nearest = 1e9f;
    for (int n = 0; n <= 2000; ++n)
      nearest = std::min(nearest, length(apart + velocity * (2.5f * static_cast<float>(n) / 2000)));
    EXPECT_NEAR(closest_approach(apart, velocity, 2.5f).distance, nearest, 1e-3);
  }
}

TEST(SafeSpeed, WaitsForWhoCrossesAndNotForWhoLeaves) {
  const Seen self{{0, 0}, {0, 1.3f}, 0.3f};
  AvoidOptions options;
  options.horizon = 2.5f;
  const auto with = [&](const Seen& other) { return safe_speed(self, {0, 1}, 1.3f, std::span(&other, 1), options); };
  EXPECT_EQ(with({{0, 20}, {}, 0.3f}), 1.3f) << "far";
  EXPECT_EQ(with({{0, 2}, {0, 1.4f}, 0.3f}), 1.3f) << "ahead and faster";
  EXPECT_EQ(with({{0.1f, -1}, {0, 0.5f}, 0.3f}), 1.3f) << "behind";
  EXPECT_EQ(with({{0, 0.75f}, {}, 0.3f}), 0) << "stands right ahead";
  // Somebody crosses from the left: at full speed they meet, slower they do not.
  const Seen crossing{{2, 2}, {-1.3f, 0}, 0.3f};
  const float slower = with(crossing);
  EXPECT_LT(slower, 1.3f);
  for (int n = 0; n <= 100; ++n) {
    const float t = 2.5f * static_cast<float>(n) / 100;
    EXPECT_GT(length(crossing.place + crossing.velocity * t - Flat{0, slower * t}), 0.6f);
  }
}

}  // namespace
}  // namespace loom::crowd
