// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/measure/faulty_stretches.h>

#include "tests/make_walk.h"

namespace loom::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::make_gait;

std::size_t joint_of(const motion::Clip& clip, const char* name) {
  return static_cast<std::size_t>(clip.skeleton->find(name).value());
}

void turn(motion::Clip& clip, const char* name, Vec3 axis, float angle, std::size_t begin, std::size_t end) {
  for (std::size_t f = begin; f < end; ++f) {
    Quat& q = clip.pose(f)[joint_of(clip, name)];
    q = axis_angle(axis, angle) * q;
  }
}

/// 0.1 s of frames.
std::size_t margin(const motion::Clip& clip) { return static_cast<std::size_t>(std::ceil(0.1 * clip.rate)); }

TEST(FaultyStretches, GoodMotionHasNone) { EXPECT_THAT(find_faulty_stretches(make_gait({}).clip), IsEmpty()); }

TEST(FaultyStretches, ATeleportWithAMargin) {
  motion::Clip clip = make_gait({}).clip;
  for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f].x += 2;
  const auto faulty = find_faulty_stretches(clip);
  ASSERT_EQ(faulty.size(), 1u);
  EXPECT_EQ(faulty[0].frames, (motion::FrameRange{60 - margin(clip), 61 + margin(clip)}));
  EXPECT_THAT(faulty[0].why, HasSubstr("jumps"));
}

TEST(FaultyStretches, AJointThatFlipsBackIsWrongInBetween) {
  motion::Clip clip = make_gait({}).clip;
  turn(clip, "Chest", {0, 1, 0}, 3, 40, 60);
  const auto faulty = find_faulty_stretches(clip);
  ASSERT_EQ(faulty.size(), 1u);
  EXPECT_EQ(faulty[0].frames, (motion::FrameRange{40 - margin(clip), 61 + margin(clip)}));
}

TEST(FaultyStretches, AFootThatFlipsForGoodIsLeftOutToTheEnd) {
  motion::Clip clip = make_gait({}).clip;
  turn(clip, "RightFoot", {0, 1, 0}, 175 * kDegree, 70, clip.frames());
  const auto faulty = find_faulty_stretches(clip);
  ASSERT_EQ(faulty.size(), 1u);
  EXPECT_EQ(faulty[0].frames, (motion::FrameRange{70 - margin(clip), clip.frames()}));
}

TEST(FaultyStretches, WhatConcernsTheWholeClipLeavesNothingOut) {
  motion::Clip clip = make_gait({}).clip;
  clip.rate *= 2;  // walks tell a rate stamped too high
  for (const FaultyStretch& stretch : find_faulty_stretches(clip)) ADD_FAILURE() << stretch.why;
  const Fault rate{FaultKind::kFrameRate, {{0, clip.frames()}}, -1, 60, 0.8f, false, "too fast"};
  const Fault thumb{FaultKind::kJointFlip, {{3, 4}}, 1, 3, 0.15f, false, "a thumb"};
  EXPECT_THAT(faulty_stretches(clip, std::vector{rate, thumb}), IsEmpty());
}

TEST(FaultyStretches, LabelledTPosesCount) {
  motion::Clip clip = make_gait({}).clip;
  clip.labels = {{kTPoseLabel, 20, 30}, {"walk", 0, clip.frames()}};
  const auto faulty = find_faulty_stretches(clip);
  ASSERT_EQ(faulty.size(), 1u);
  EXPECT_EQ(faulty[0].frames, (motion::FrameRange{20 - margin(clip), 30 + margin(clip)}));
}

/// Frame by frame: what is in `range` and in no stretch, in runs.
std::vector<motion::FrameRange> slowly_without(motion::FrameRange range, const std::vector<FaultyStretch>& faulty) {
  std::vector<motion::FrameRange> left;
  for (std::size_t f = range.begin; f < range.end; ++f) {
    const bool bad = std::any_of(faulty.begin(), faulty.end(), [&](const FaultyStretch& stretch) {
      return f >= stretch.frames.begin && f < stretch.frames.end;
    });
    if (bad) continue;
    if (left.empty() || left.back().end != f) left.push_back({f, f});
    left.back().end = f + 1;
  }
  return left;
}

TEST(FaultyStretches, WithoutThemIsWhatALookAtEachFrameFinds) {
  std::uint32_t state = 7;
  const auto roll = [&](std::uint32_t most) { return (state = state * 1664525u + 1013904223u) / 65536u % most; };
  for (int round = 0; round < 500; ++round) {
    std::vector<FaultyStretch> faulty;
    for (std::size_t at = roll(5); at < 40; at += roll(6)) {
      const std::size_t end = at + 1 + roll(5);
      faulty.push_back({{at, end}, ""});
      at = end + 1;
    }
    const std::size_t begin = roll(20);
    const motion::FrameRange range{begin, begin + roll(25)};
    EXPECT_EQ(without(range, faulty), slowly_without(range, faulty)) << round;
  }
}

TEST(FaultyStretches, AtAnotherRateNoneIsShorter) {
  const std::vector<FaultyStretch> at_120{{{7, 9}, ""}, {{100, 121}, ""}};
  const auto at_30 = at_rate(at_120, 120, 30, 30);
  EXPECT_EQ(at_30[0].frames, (motion::FrameRange{1, 3}));
  EXPECT_EQ(at_30[1].frames, (motion::FrameRange{25, 30}));
  EXPECT_EQ(at_rate(at_120, 120, 120, 200)[1].frames, (motion::FrameRange{100, 121}));
}

}  // namespace
}  // namespace loom::measure
