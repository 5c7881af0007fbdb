// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/polish/detail/swing_lift.h>

namespace loom::polish {
namespace {

constexpr double kRate = 30;

/// A foot that stands for ten frames, goes a metre along the floor in ten, `high` above it, and stands again.
struct Swing {
  std::vector<FootPlace> path;
  std::vector<float> soles;
  std::vector<std::uint8_t> planted;

  explicit Swing(float high) {
    for (int f = 0; f < 30; ++f) {
      const float z = 0.1f * static_cast<float>(std::clamp(f - 10, 0, 10));
      const bool swings = f > 10 && f < 20;
      const float y = swings ? high : 0;
      path.push_back({{0, 0.06f + y, z}, {0, 0.02f + y, z + 0.15f}});
      soles.push_back(y);
      planted.push_back(swings ? 0 : 1);
    }
  }
};

TEST(LiftDrags, AFootThatIsDrawnOverTheFloorIsCarriedAboveIt) {
  const Swing swing(0);
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) {
    const float lift = path[f].heel.y - swing.path[f].heel.y;
    EXPECT_NEAR(lift, path[f].toe.y - swing.path[f].toe.y, 1e-6f) << "a foot is lifted as a whole";
    if (swing.planted[f]) {
      EXPECT_EQ(lift, 0) << f;
    } else {
      EXPECT_GT(lift, f > 12 && f < 18 ? 0.015f : 0.003f) << f;
      EXPECT_LT(lift, 0.025f) << f;
    }
    EXPECT_EQ(path[f].toe.z, swing.path[f].toe.z);
    if (f > 0) {
      EXPECT_LT(std::abs(path[f].heel.y - path[f - 1].heel.y), 0.016f) << f;
    }
  }
}

TEST(LiftDrags, ASwingThatIsHighEnoughStaysAsItIs) {
  const Swing swing(0.03f);
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_EQ(path[f].heel, swing.path[f].heel);
}

TEST(LiftDrags, AFootThatShufflesGoesOnDoingSo) {
  Swing swing(0);
  swing.planted.assign(swing.planted.size(), 1);
  for (FootPlace& place : swing.path) place.heel.z *= 0.2f, place.toe.z = place.heel.z + 0.15f;  // 0.6 m/s
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_EQ(path[f].toe, swing.path[f].toe);
}

TEST(LiftDrags, AFootToldToStandThatGoesFasterThanFeetShuffleIsLifted) {
  Swing swing(0);
  swing.planted.assign(swing.planted.size(), 1);
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) {
    const float lift = path[f].toe.y - swing.path[f].toe.y;
    if (f <= 10 || f >= 20) {
      EXPECT_EQ(lift, 0) << f << ": there it stands";
    } else {
      EXPECT_GT(lift, f > 12 && f < 18 ? 0.015f : 0.003f) << f;
    }
  }
}

TEST(LiftDrags, AFootThatRollsOverItsToesIsNotDragged) {
  Swing swing(0);
  swing.planted.assign(swing.planted.size(), 0);
  for (FootPlace& place : swing.path) place.toe = {0, 0.02f, 0.15f};
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_EQ(path[f].heel, swing.path[f].heel);
}

TEST(LiftSunkenSoles, WhatIsPutDeeperThanTheMotionHadItComesOut) {
  const std::vector<float> soles = {0.02f, 0, -0.01f, -0.04f, -0.04f, -0.04f, -0.2f};
  const std::vector<float> recorded = {0.02f, 0.01f, 0.01f, 0.03f, -0.04f, -0.02f, 0};
  std::vector<FootPlace> path(soles.size(), FootPlace{{0, 0.06f, 0}, {0, 0.02f, 0.15f}});
  lift_sunken_soles(path, soles, recorded);
  std::vector<float> left;
  for (std::size_t f = 0; f < path.size(); ++f) {
    EXPECT_NEAR(path[f].heel.y - 0.06f, path[f].toe.y - 0.02f, 1e-6f) << "as a whole";
    left.push_back(soles[f] + path[f].toe.y - 0.02f);
  }
  EXPECT_EQ(left[0], 0.02f) << "above the floor";
  EXPECT_EQ(left[1], 0);
  EXPECT_GT(left[2], soles[2]);
  EXPECT_GT(left[3], -0.015f);
  EXPECT_FLOAT_EQ(left[4], -0.04f) << "as deep as it was";
  EXPECT_GT(left[5], -0.032f);
  EXPECT_LT(left[5], left[3]);
  EXPECT_GT(left[6], -0.02f) << "whatever the depth";
}

TEST(StandingHeight, IsTheMedianOfSolesThatStandOnTheFloor) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> soles, stands;
    std::vector<std::uint8_t> planted;
    for (int f = 0; f < 40; ++f) {
      soles.push_back(static_cast<float>(random.uniform(-0.05, 0.1)));
      planted.push_back(random.uniform(0, 1) < 0.5 ? 1 : 0);
      if (planted.back() && std::abs(soles.back()) < 0.025f) stands.push_back(soles.back());
    }
    std::sort(stands.begin(), stands.end());
    EXPECT_EQ(standing_height(soles, planted), stands.empty() ? 0 : stands[stands.size() / 2]) << round;
  }
  EXPECT_EQ(standing_height(std::vector<float>{0.01f, 0.3f}, std::vector<std::uint8_t>{0, 1}), 0);
}

}  // namespace
}  // namespace loom::polish
