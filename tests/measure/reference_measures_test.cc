// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>
#include <loom/measure/reference_measures.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::measure {
namespace {

using testing::make_gait;
using testing::random_clip;
using testing::small_person;

std::size_t joint_called(const motion::Clip& clip, const char* name) {
  return static_cast<std::size_t>(clip.skeleton->find(name).value());
}

TEST(TurnLimits, AreWhatAllButAThousandthOfTheFramesKeep) {
  const motion::Clip clip = random_clip(small_person(), 1001, 60, 3);
  const TurnLimits limits = learn_turn_limits(std::span(&clip, 1)).value();
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    std::vector<double> speeds;
    for (std::size_t f = 1; f < clip.frames(); ++f) {
      speeds.push_back(static_cast<double>(angle_between(clip.pose(f - 1)[j], clip.pose(f)[j])) * 60);
    }
    std::sort(speeds.begin(), speeds.end());
    EXPECT_DOUBLE_EQ(limits.speeds[j], std::max(1.0, speeds[998])) << j;
  }
}

TEST(TurnLimits, RefuseNothingAndOtherBodies) {
  EXPECT_FALSE(learn_turn_limits({}).has_value());
  const std::vector<motion::Clip> two{random_clip(small_person(), 5, 30, 1),
                                      random_clip(testing::random_skeleton(5, 2), 5, 30, 1)};
  const auto limits = learn_turn_limits(two);
  ASSERT_FALSE(limits.has_value());
  EXPECT_NE(limits.error().to_string().find("another skeleton"), std::string::npos);
}

TEST(JointTurns, AThighThatRollsHalfRoundMovesNoJointAndIsTold) {
  const motion::Clip good = make_gait({}).clip;
  const TurnLimits limits = learn_turn_limits(std::span(&good, 1)).value();
  EXPECT_LT(measure_turns(good, limits).ratio, 2);
  EXPECT_EQ(measure_turns(good, limits).frames, 0u);
  motion::Clip rolled = good;
  const Quat half = axis_angle({0, 1, 0}, kPi);
  for (std::size_t f = 50; f < 54; ++f) {
    Quat& thigh = rolled.pose(f)[joint_called(rolled, "LeftUpLeg")];
    Quat& shank = rolled.pose(f)[joint_called(rolled, "LeftLeg")];
    thigh = thigh * half;
    shank = conjugate(half) * shank;
  }
  EXPECT_NEAR(measure(rolled).largest_jump_m, measure(good).largest_jump_m, 1e-4);  // nothing to be seen there
  const TurnRatio turns = measure_turns(rolled, limits);
  EXPECT_GT(turns.ratio, 5);
  EXPECT_TRUE(turns.frame == 50 || turns.frame == 54) << turns.frame;
  EXPECT_EQ(turns.frames, 2u);  // there and back
}

TEST(JointTurns, DoNotDependOnTheRate) {
  testing::Gait gait;
  const motion::Clip slow = make_gait(gait).clip;
  gait.rate = 120;
  const motion::Clip fast = make_gait(gait).clip;
  const TurnLimits limits = learn_turn_limits(std::span(&slow, 1)).value();
  EXPECT_NEAR(measure_turns(fast, limits).ratio, measure_turns(slow, limits).ratio, 0.5);
}

TEST(StraightnessLost, TellsHowMuchLessKneesOpen) {
  const auto person = small_person();
  const motion::Clip source{
      "stand", person, 30, std::vector<Vec3>(60, Vec3{0, 0.97f, 0}), std::vector<Quat>(60 * person->size()), {}};
  std::vector<motion::SourceFrame> sources;
  for (std::uint32_t f = 0; f < 60; ++f) sources.push_back({0, f});
  EXPECT_NEAR(measure_straightness_lost(source, sources, std::span(&source, 1)).value(), 0, 1e-3);
  motion::Clip bent = source;
  for (std::size_t f = 0; f < 60; ++f) {
    for (const char* knee : {"LeftLeg", "RightLeg"}) {
      bent.pose(f)[joint_called(bent, knee)] = axis_angle({1, 0, 0}, 12 * kDegree);
    }
  }
  EXPECT_NEAR(measure_straightness_lost(bent, sources, std::span(&source, 1)).value(), 12, 0.01);
  EXPECT_NEAR(measure_straightness_lost(source, sources, std::span(&bent, 1)).value(), -12, 0.01);
}

TEST(StraightnessLost, RefusesSourcesOfAnotherMotion) {
  const motion::Clip clip = make_gait({}).clip;
  EXPECT_FALSE(measure_straightness_lost(clip, {}, std::span(&clip, 1)).has_value());
  const std::vector<motion::SourceFrame> strange(clip.frames(), motion::SourceFrame{3, 0});
  EXPECT_FALSE(measure_straightness_lost(clip, strange, std::span(&clip, 1)).has_value());
}

std::vector<motion::SourceFrame> played(std::size_t frames, std::uint32_t loop, std::uint32_t first = 0) {
  std::vector<motion::SourceFrame> sources;
  for (std::uint32_t f = 0; f < frames; ++f) sources.push_back({0, first + f % loop});
  return sources;
}

TEST(Stutter, IsTheSameHalfSecondOverAndOver) {
  EXPECT_EQ(measure_stutter(played(300, 1000), 30), 0);
  EXPECT_EQ(measure_stutter(played(300, 20), 30), 0);  // a short cycle is a cycle
  std::vector<motion::SourceFrame> mixed = played(100, 1000);
  for (const motion::SourceFrame& frame : played(100, 8, 100)) mixed.push_back(frame);  // a quarter second, to and fro
  for (const motion::SourceFrame& frame : played(100, 1000, 200)) mixed.push_back(frame);
  EXPECT_NEAR(measure_stutter(mixed, 30), 0.3, 0.07);
  // One frame held is the worst of stutters, and a source at half the rate is none.
  for (std::size_t f = 100; f < 200; ++f) mixed[f] = {0, 100};
  EXPECT_NEAR(measure_stutter(mixed, 30), 0.3, 0.07);
  std::vector<motion::SourceFrame> slow;
  for (std::uint32_t f = 0; f < 300; ++f) slow.push_back({0, f / 2});
  EXPECT_EQ(measure_stutter(slow, 60), 0);
  EXPECT_NEAR(measure_source_rate(slow, 60), 30, 0.2);
  // Two clips in turn, a quarter second of each.
  std::vector<motion::SourceFrame> turns = played(60, 1000);
  for (std::uint32_t f = 0; f < 300; ++f) turns.push_back({f / 6 % 2, 10 + f % 6});
  EXPECT_GT(measure_stutter(turns, 30), 0.7);
  EXPECT_EQ(measure_stutter({}, 30), 0);
}

/// Recordings of eight performers: walks, runs, turns, jumps, boxing, picking up.
TEST(RealCaptureBodies, GoodRecordingsAreQuiet) {
  LOOM_REQUIRE_MOCAP();
  std::vector<motion::Clip> clips;
  for (const char* name : {"02_01", "07_01", "08_02", "16_11", "16_35", "35_01", "69_02", "69_20", "118_10", "127_06",
                           "135_07", "144_05", "13_17"}) {
    auto read = io::read_motion((testing::mocap_folder() / "cmu30" / (std::string(name) + ".bvh")).string());
    ASSERT_TRUE(read) << read.error().to_string();
    clips.push_back(std::move(read->front().clip));
  }
  const TurnLimits limits = learn_turn_limits(clips).value();
  double seconds = 0, drags = 0, glide = 0, inside = 0;
  for (const motion::Clip& clip : clips) {
    const BodyMeasures m = measure_body(clip);
    EXPECT_LT(m.knee_backward_deg, 2) << clip.name;
    EXPECT_LT(m.elbow_backward_deg, 2) << clip.name;
    EXPECT_EQ(m.foot_reversed_frames, 0u) << clip.name;
    EXPECT_NEAR(m.sole_height_m, 0, 0.02) << clip.name;
    EXPECT_LT(measure_turns(clip, limits).ratio, kFlipRatio) << clip.name;
    seconds += clip.duration();
    drags += m.drags_per_minute * clip.duration() / 60;
    glide += m.glide_share * clip.duration();
    inside += m.self_inside_share * clip.duration();
  }
  EXPECT_LT(drags / seconds * 60, 6);
  EXPECT_LT(glide / seconds, 0.08);
  EXPECT_LT(inside / seconds, 0.1);
}

}  // namespace
}  // namespace loom::measure
