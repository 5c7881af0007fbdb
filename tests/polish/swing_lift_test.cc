// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

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
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_EQ(path[f].toe, swing.path[f].toe);
}

TEST(LiftDrags, AFootThatRollsOverItsToesIsNotDragged) {
  Swing swing(0);
  swing.planted.assign(swing.planted.size(), 0);
  for (FootPlace& place : swing.path) place.toe = {0, 0.02f, 0.15f};
  std::vector<FootPlace> path = swing.path;
  lift_drags(path, swing.soles, swing.planted, kRate);
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_EQ(path[f].heel, swing.path[f].heel);
}

}  // namespace
}  // namespace loom::polish
