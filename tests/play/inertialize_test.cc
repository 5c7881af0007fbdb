// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/play/inertialize.h>

#include "tests/make_clip.h"

namespace loom::play {
namespace {

constexpr float kStep = 1.0f / 60;

/// Two unrelated smooth motions of one body: one plays until it jumps into the other.
struct TwoMotions {
  motion::Clip from = testing::random_clip(testing::small_person(), 40, 60, 1);
  motion::Clip to = testing::random_clip(from.skeleton, 40, 60, 2);
};

PoseStep step_of(const motion::Clip& clip, std::size_t frame) {
  return {clip.roots[frame - 1], clip.roots[frame], clip.pose(frame - 1), clip.pose(frame)};
}

/// `frames` poses of `clip` from `begin` on, shown through the offsets.
motion::Clip shown(Inertializer& offsets, const motion::Clip& clip, std::size_t begin, std::size_t frames) {
  motion::Clip out = *motion::cut(clip, begin, begin + frames);
  for (std::size_t f = 0; f < frames; ++f) {
    offsets.apply(out.roots[f], out.pose(f));
    offsets.step(kStep);
  }
  return out;
}

TEST(Inertializer, TheFirstPoseAfterAJoinIsTheOneThatWouldHaveCome) {
  const TwoMotions motions;
  Inertializer offsets(motions.from.joints(), 0.1f);
  offsets.join(step_of(motions.from, 20), step_of(motions.to, 10), kStep);
  const motion::Clip after = shown(offsets, motions.to, 10, 1);
  EXPECT_LT(distance(after.roots[0], motions.from.roots[20]), 1e-5f);
  for (std::size_t j = 0; j < after.joints(); ++j) {
    EXPECT_LT(angle_between(after.pose(0)[j], motions.from.pose(20)[j]), 2e-3f) << j;
  }
}

TEST(Inertializer, SpeedsGoOnAcrossAJoin) {
  const TwoMotions motions;
  Inertializer offsets(motions.from.joints(), 0.1f);
  offsets.join(step_of(motions.from, 20), step_of(motions.to, 10), kStep);
  const motion::Clip after = shown(offsets, motions.to, 10, 2);
  const Vec3 before = motions.from.roots[20] - motions.from.roots[19];
  const Vec3 jump = motions.to.roots[11] - motions.from.roots[20];
  // A plain cut would move the root by `jump` in one frame; the step shown is the one before but for what a spring of
  // 0.1 s can do in a frame.
  EXPECT_LT(length(after.roots[1] - after.roots[0] - before), 0.1f * length(jump - before) + 1e-3f);
  for (std::size_t j = 0; j < after.joints(); ++j) {
    const float was = angle_between(motions.from.pose(19)[j], motions.from.pose(20)[j]);
    EXPECT_LT(angle_between(after.pose(0)[j], after.pose(1)[j]), was + 0.1f) << j;
  }
}

TEST(Inertializer, OffsetsDieAway) {
  const TwoMotions motions;
  Inertializer offsets(motions.from.joints(), 0.05f);
  offsets.join(step_of(motions.from, 5), step_of(motions.to, 5), kStep);
  for (int i = 0; i < 60; ++i) offsets.step(kStep);
  const motion::Clip after = shown(offsets, motions.to, 10, 1);
  EXPECT_LT(distance(after.roots[0], motions.to.roots[10]), 1e-4f);
  for (std::size_t j = 0; j < after.joints(); ++j) {
    EXPECT_LT(angle_between(after.pose(0)[j], motions.to.pose(10)[j]), 1e-3f);
  }
}

TEST(Inertializer, AJoinIntoTheTailOfAnotherIsContinuousToo) {
  const TwoMotions motions;
  Inertializer offsets(motions.from.joints(), 0.1f);
  offsets.join(step_of(motions.from, 20), step_of(motions.to, 10), kStep);
  const motion::Clip before = shown(offsets, motions.to, 10, 4);
  Inertializer unjoined = offsets;
  const motion::Clip would = shown(unjoined, motions.to, 14, 1);
  offsets.join(step_of(motions.to, 14), step_of(motions.from, 30), kStep);
  const motion::Clip now = shown(offsets, motions.from, 30, 1);
  EXPECT_LT(distance(would.roots[0], now.roots[0]), 1e-4f);
  for (std::size_t j = 0; j < now.joints(); ++j) EXPECT_LT(angle_between(would.pose(0)[j], now.pose(0)[j]), 2e-3f);
}

/// The largest change of speed from pose to pose that one joint shows after a join, as an acceleration.
float hardest_turn(const motion::Clip& clip, std::size_t joint) {
  float hardest = 0;
  for (std::size_t f = 1; f + 1 < clip.frames(); ++f) {
    const Vec3 before = log_vector(clip.pose(f)[joint] * conjugate(clip.pose(f - 1)[joint]));
    const Vec3 after = log_vector(clip.pose(f + 1)[joint] * conjugate(clip.pose(f)[joint]));
    hardest = std::max(hardest, length(after - before) / (kStep * kStep));
  }
  return hardest;
}

TEST(Inertializer, WhatIsKeptSteadyIsNotJerked) {
  // Two poses that are held, a radian and a half apart in every joint: all that moves is the join.
  motion::Clip from = *motion::cut(TwoMotions().from, 0, 20), to = from;
  for (std::size_t f = 0; f < from.frames(); ++f) {
    from.roots[f] = to.roots[f] = {};
    for (std::size_t j = 0; j < from.joints(); ++j) {
      from.pose(f)[j] = {};
      to.pose(f)[j] = exp_vector({1.5f, 0, 0});
    }
  }
  std::vector<std::uint8_t> steady(from.joints(), 1);
  steady[2] = 0;
  Inertializer offsets(from.joints(), 0.07f);
  offsets.keep_steady(steady);
  offsets.join(step_of(from, 10), step_of(to, 1), kStep);
  const motion::Clip after = shown(offsets, to, 1, 18);
  EXPECT_GT(hardest_turn(after, 2), 120.0f) << "a leg keeps up";
  EXPECT_LT(hardest_turn(after, 1), 55.0f);
}

TEST(Inertializer, ResetForgets) {
  const TwoMotions motions;
  Inertializer offsets(motions.from.joints(), 0.1f);
  offsets.join(step_of(motions.from, 20), step_of(motions.to, 10), kStep);
  offsets.reset();
  EXPECT_EQ(shown(offsets, motions.to, 10, 1).roots[0], motions.to.roots[10]);
}

}  // namespace
}  // namespace loom::play
