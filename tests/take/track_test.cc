// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/take/track.h>

#include "tests/make_clip.h"

namespace loom::take {
namespace {

TEST(SmoothTrack, SteadyMotionIsKeptToItsEnds) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 60, 30, 3);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = {0.05f * static_cast<float>(f), 1, -0.1f * static_cast<float>(f)};
    clip.pose(f)[0] = axis_angle({0, 1, 0}, 3.0f + 0.02f * static_cast<float>(f));
  }
  const auto exact = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  const auto track = smooth_track(clip);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    EXPECT_NEAR(track[f].x, exact[f].x, 1e-4f);
    EXPECT_NEAR(track[f].z, exact[f].z, 1e-4f);
    EXPECT_NEAR(wrap_angle(track[f].heading - exact[f].heading), 0, 1e-4f);
  }
}

TEST(SmoothTrack, TheSwayOfStepsIsTakenOut) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 120, 30, 3);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const auto t = static_cast<float>(f) / 30;
    clip.roots[f] = {0.04f * std::sin(2 * kPi * t), 1, 1.3f * t};
    clip.pose(f)[0] = axis_angle({0, 1, 0}, 0.15f * std::sin(2 * kPi * t));
  }
  const auto track = smooth_track(clip, 0.3);
  for (std::size_t f = 30; f < 90; ++f) EXPECT_LT(std::abs(track[f].heading), 0.04f);
}

TEST(TrackAt, BetweenFramesLiesOnTheWayAndIsClampedBeyondTheEnds) {
  const Track track = {{0, 0, 3}, {1, 2, -3}};
  const motion::GroundFrame half = track_at(track, 0.5);
  EXPECT_FLOAT_EQ(half.x, 0.5f);
  EXPECT_FLOAT_EQ(half.z, 1);
  EXPECT_NEAR(std::abs(half.heading), kPi, 1e-5f) << "the short way round";
  EXPECT_FLOAT_EQ(track_at(track, -4).x, 0);
  EXPECT_FLOAT_EQ(track_at(track, 7).x, 1);
}

}  // namespace
}  // namespace loom::take
