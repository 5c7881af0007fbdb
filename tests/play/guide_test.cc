// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/play/guide.h>

namespace loom::play {
namespace {

motion::Control stick(Vec3 velocity, float turn_rate) {
  motion::Control control;
  control.velocity = velocity;
  control.turn_rate = turn_rate;
  return control;
}

TEST(Guide, OneLongStepIsManyShortOnes) {
  Guide once, often;
  once.velocity = often.velocity = {0.5f, 0, -1};
  const motion::Control control = stick({2, 9, 1}, 0);
  once.step(control, 0.5f);
  for (int i = 0; i < 50; ++i) often.step(control, 0.01f);
  EXPECT_NEAR(once.place.x, often.place.x, 1e-4f);
  EXPECT_NEAR(once.place.z, often.place.z, 1e-4f);
  EXPECT_LT(distance(once.velocity, often.velocity), 1e-4f);
}

TEST(Guide, IsTheIntegralOfItsOwnVelocity) {
  Guide guide;
  Vec3 sum;
  const motion::Control control = stick({1, 0, 3}, 0);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 before = guide.velocity;
    guide.step(control, 0.001f);
    sum += (before + guide.velocity) * 0.0005f;
  }
  EXPECT_LT(distance(guide.place.position(), sum), 1e-3f);
}

TEST(Guide, ComesToWhatIsWantedAndNeverPastIt) {
  Guide walker, turner;
  for (int i = 0; i < 120; ++i) {
    walker.step(stick({0, 0, 2}, 0), 1.0f / 60);
    turner.step(stick({}, 1), 1.0f / 60);
    EXPECT_LE(walker.velocity.z, 2.0001f);
    EXPECT_LE(turner.turn_rate, 1.0001f);
  }
  EXPECT_NEAR(walker.velocity.z, 2, 1e-3f);
  EXPECT_NEAR(turner.turn_rate, 1, 1e-3f);
}

TEST(Guide, WalkingWhileTurningIsPredictedAsACircle) {
  Guide guide;
  guide.velocity = {0, 0, 1.5f};
  guide.turn_rate = 1;
  std::array<motion::GroundFrame, 3> places;
  guide.predict(stick(guide.velocity, 1), 1.0f / 3, places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const float angle = static_cast<float>(i + 1) / 3;
    EXPECT_NEAR(places[i].heading, angle, 1e-3f);
    // A circle of radius 1.5 m to the left.
    EXPECT_NEAR(places[i].x, 1.5f * (1 - std::cos(angle)), 0.07f);
    EXPECT_NEAR(places[i].z, 1.5f * std::sin(angle), 0.07f);
  }
}

}  // namespace
}  // namespace loom::play
