// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/sample/detail/foot_plan.h>

namespace loom::sample {
namespace {

/// A heel strike at 0.4 s after a swing, a stay of 0.6 s, a push off the toes.
FootTrack stepping() {
  Plant before, stay, after;
  before.print = {0.1f, 0.0f, 0.1f};
  before.up = 0.0;
  before.release = 0.7;
  before.release_time = 0.3;
  stay.print = {0.1f, 0.7f, 0.1f};
  stay.down = 0.4;
  stay.up = 1.0;
  stay.strike = 0.3;
  stay.strike_time = 0.15;
  stay.release = 0.7;
  stay.release_time = 0.3;
  after.print = {0.12f, 1.4f, 0.2f};
  after.down = 1.4;
  return FootTrack({before, stay, after});
}

Vec3 heel_of(const FootPose& foot) { return foot.ankle + rotate(foot.rotation(), {0, -kAnkleHeight, -kHeelBack}); }
Vec3 ball_of(const FootPose& foot) {
  return foot.ankle + rotate(foot.rotation(), {0, kBallHeight - kAnkleHeight, kBallForward});
}

TEST(FootTrack, RollsOverAHeelThatStays) {
  const FootTrack track = stepping();
  const Vec3 heel = heel_of(track.at(0.4, 0));
  EXPECT_NEAR(heel.y, 0, 1e-6f);
  for (double t = 0.4; t < 0.54; t += 0.01) EXPECT_LT(distance(heel_of(track.at(t, 0)), heel), 1e-5f) << t;
}

TEST(FootTrack, RisesOverABallThatStays) {
  const FootTrack track = stepping();
  const Vec3 ball = ball_of(track.at(0.6, 0));
  EXPECT_NEAR(ball.y, kBallHeight, 1e-6f);
  for (double t = 0.56; t <= 1.0; t += 0.01) {
    const FootPose foot = track.at(t, 0);
    EXPECT_LT(distance(ball_of(foot), ball), 1e-5f) << t;
    EXPECT_NEAR(foot.pitch, -foot.toe, 1e-9);  // the toes stay flat
  }
  EXPECT_NEAR(track.at(1.0, 0).pitch, -0.7, 1e-9);
}

TEST(FootTrack, MovesWithoutJumps) {
  const FootTrack track = stepping();
  for (double t = -0.2; t < 1.6; t += 0.001) {
    const FootPose a = track.at(t, 0), b = track.at(t + 0.001, 0);
    EXPECT_LT(distance(a.ankle, b.ankle), 0.008f) << t;  // 8 m/s
    EXPECT_LT(std::fabs(a.pitch - b.pitch), 0.02) << t;
    EXPECT_LT(std::fabs(a.toe - b.toe), 0.02) << t;
  }
}

TEST(FootTrack, VelocityIsContinuousWhereTheFootLeavesAndLands) {
  const FootTrack track = stepping();
  constexpr double h = 1e-3;
  for (const double t : {0.0, 0.4, 1.0, 1.4}) {
    const Vec3 before = track.at(t - h, 0).ankle - track.at(t - 2 * h, 0).ankle;
    const Vec3 after = track.at(t + 2 * h, 0).ankle - track.at(t + h, 0).ankle;
    EXPECT_LT(distance(before, after) / static_cast<float>(h), 0.25f) << t;
  }
}

TEST(FootTrack, SaysWhatIsFixedOnlyWhileItIs) {
  const FootTrack track = stepping();
  EXPECT_FALSE(track.at(0.2, 0).planted);
  EXPECT_FALSE(track.at(0.42, 0).heel_fixed);  // still rolling down
  EXPECT_TRUE(track.at(0.6, 0).heel_fixed);
  EXPECT_TRUE(track.at(0.6, 0).toe_fixed);
  EXPECT_FALSE(track.at(0.95, 0).heel_fixed);  // up
  EXPECT_TRUE(track.at(0.95, 0).toe_fixed);
  EXPECT_TRUE(track.planted(0.95));
  EXPECT_FALSE(track.planted(1.2));
}

TEST(FootTrack, StandsOnItsToesWhenRaised) {
  const FootTrack track({Plant{}});
  const FootPose flat = track.at(0, 0), raised = track.at(0, 0.4);
  EXPECT_LT(distance(ball_of(flat), ball_of(raised)), 1e-6f);
  EXPECT_GT(raised.ankle.y, flat.ankle.y + 0.03f);
  EXPECT_GT(raised.pressure.z, flat.pressure.z + 0.05f);  // on the ball
}

TEST(FootTrack, PassesThroughTheWayOfAKick) {
  Plant from, to;
  from.up = 0;
  to.down = 1;
  to.lift = 0;
  to.way = {{0.5, {0.1f, 0.9f, 0.6f}, 0.0, 0.3}};
  const FootTrack track({from, to});
  EXPECT_LT(distance(track.at(0.5, 0).ankle, {0.1f, 0.9f, 0.6f}), 1e-6f);
}

}  // namespace
}  // namespace loom::sample
