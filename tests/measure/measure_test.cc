// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::measure {
namespace {

using testing::Gait;
using testing::make_gait;
using testing::random_clip;
using testing::random_skeleton;
using testing::small_person;

TEST(Measure, AWalkOnPlantedFeetDoesNotSlideOrSink) {
  const Measures m = measure(make_gait({}).clip);
  EXPECT_TRUE(m.has_feet);
  EXPECT_LT(m.foot_slide_mean_mps, 0.005);
  EXPECT_LT(m.foot_slide_max_mps, 0.25);  // where it starts to lift
  EXPECT_LT(m.penetration_max_m, 0.002);
  EXPECT_NEAR(m.mean_speed_mps, 1.2, 0.01);
  EXPECT_NEAR(m.path_m, 4.8, 0.05);
  EXPECT_EQ(m.flight_s, 0);
}

TEST(Measure, TellsHowFastFeetSlide) {
  for (const float slide : {0.05f, 0.1f, 0.2f}) {
    Gait gait;
    gait.slide = slide;
    EXPECT_NEAR(measure(make_gait(gait).clip).foot_slide_mean_mps, slide, 0.01 + 0.1 * slide);
  }
}

TEST(Measure, DoesNotDependOnRateOrOnWhereAndWhichWay) {
  Gait gait;
  gait.slide = 0.1f;
  const Measures slow = measure(make_gait(gait).clip);
  gait.rate = 120;
  motion::Clip moved = make_gait(gait).clip;
  motion::move(moved, {3, -7, 1.1f});
  const Measures fast = measure(moved);
  EXPECT_NEAR(fast.foot_slide_mean_mps, slow.foot_slide_mean_mps, 0.01);
  EXPECT_NEAR(fast.path_m, slow.path_m, 0.01);
  EXPECT_NEAR(fast.mean_speed_mps, slow.mean_speed_mps, 0.01);
}

TEST(Measure, FindsTheFrameOfAJumpOfAFootThatSinksAndOfTheWorstSlide) {
  motion::Clip clip = make_gait({}).clip;
  motion::Clip jumping = clip;
  jumping.roots[50].x += 0.1f;
  EXPECT_NEAR(measure(jumping).largest_jump_m, 0.2, 0.05);  // both ways within one second difference
  EXPECT_EQ(measure(jumping).largest_jump_frame, 50u);
  motion::Clip sinking = clip;
  sinking.roots[70].y -= 0.05f;
  EXPECT_NEAR(measure(sinking).penetration_max_m, 0.05, 0.005);
  EXPECT_EQ(measure(sinking).penetration_max_frame, 70u);
}

/// The same figures from their definitions, in the plainest way.
TEST(Measure, JumpAndJerkAreTheDifferencesOfJointPositions) {
  const motion::Clip clip = random_clip(random_skeleton(9, 4), 30, 60, 5);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  double jump = 0, jerk = 0;
  std::size_t count = 0;
  for (std::size_t j = 0; j < 9; ++j) {
    for (std::size_t f = 0; f + 2 < 30; ++f) {
      const Vec3 second = poses.position(f, j) - poses.position(f + 1, j) * 2 + poses.position(f + 2, j);
      jump = std::max(jump, static_cast<double>(length(second)));
      if (f + 6 >= 30) continue;  // jerk is taken over 1/30 s: two frames
      const Vec3 third =
          poses.position(f + 6, j) - poses.position(f, j) + (poses.position(f + 2, j) - poses.position(f + 4, j)) * 3;
      jerk += dot(third, third) * std::pow(30.0, 6);
      ++count;
    }
  }
  const Measures m = measure(clip);
  EXPECT_NEAR(m.largest_jump_m, jump, 1e-5);
  EXPECT_NEAR(m.jerk_rms, std::sqrt(jerk / static_cast<double>(count)), 0.01 * m.jerk_rms + 0.5);
  EXPECT_FALSE(m.has_feet);
  EXPECT_EQ(m.foot_slide_mean_mps, 0);
}

TEST(Measure, TheSameMotionIsAsRoughAtAnyRate) {
  const motion::Clip clip = make_gait({.rate = 30}).clip;
  const double at_30 = measure(clip).jerk_rms;
  for (const double rate : {60.0, 120.0}) {
    EXPECT_NEAR(measure(motion::resample(clip, rate).value()).jerk_rms, at_30, 0.2 * at_30) << rate;
  }
}

TEST(Measure, TurnRateIsSigned) {
  const auto person = small_person();
  motion::Clip clip{
      "turn", person, 30, std::vector<Vec3>(61, Vec3{0, 0.97f, 0}), std::vector<Quat>(61 * person->size()), {}};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.pose(f)[0] = axis_angle({0, 1, 0}, -4.0f * static_cast<float>(f) / 60);  // to the right, past half a turn
  }
  EXPECT_NEAR(measure(clip).mean_turn_rate_rps, -2, 1e-3);
}

TEST(Measure, FlightIsTheTimeWithNoFootDown) {
  Gait run;
  run.cycle = 0.7, run.duty = 0.36, run.speed = 3.0, run.lift = 0.2f, run.seconds = 3.5;
  // Two flights a cycle, each of (0.5 - duty) cycles; rolling on and off belongs to the plants found.
  const double made = 3.5 * 2 * (0.5 - 0.36);
  EXPECT_NEAR(measure(make_gait(run).clip).flight_s, made, 0.35);
  EXPECT_GT(measure(make_gait(run).clip).flight_s, 0.4);
}

TEST(Measure, TakesASynthesisersOwnContacts) {
  const auto made = make_gait({});
  motion::Contacts contacts;
  contacts.planted.assign(made.clip.frames(), 0);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    contacts.planted[f] = static_cast<std::uint8_t>((made.left_planted[f] ? motion::kLeftFoot : 0) |
                                                    (made.right_planted[f] ? motion::kRightFoot : 0));
  }
  const Measures m = measure(made.clip, contacts);
  EXPECT_TRUE(m.has_feet);
  EXPECT_LT(m.foot_slide_max_mps, 1e-3);
  EXPECT_LT(m.penetration_max_m, 1e-4);
}

TEST(Measure, TakesEmptyAndTinyClips) {
  const auto person = small_person();
  for (std::size_t frames = 0; frames < 5; ++frames) {
    const motion::Clip clip = random_clip(person, frames, 30, 1);
    const Measures m = measure(clip);
    EXPECT_TRUE(std::isfinite(m.jerk_rms) && std::isfinite(m.mean_speed_mps)) << frames;
  }
}

TEST(RealCaptureMeasure, CapturedWalksSlideAFewCentimetresASecond) {
  LOOM_REQUIRE_MOCAP();
  for (const char* file : {"cmu30/02_01.bvh", "cmu30/07_01.bvh", "cmu30/08_01.bvh", "cmu30/39_01.bvh"}) {
    const auto read = io::read_motion((testing::mocap_folder() / file).string());
    ASSERT_TRUE(read) << read.error().to_string();
    const Measures m = measure(read->front().clip);
    EXPECT_GT(m.foot_slide_mean_mps, 0.01) << file;
    EXPECT_LT(m.foot_slide_mean_mps, 0.12) << file;
    EXPECT_LT(m.penetration_max_m, 0.05) << file;
    EXPECT_EQ(m.flight_s, 0) << file;
  }
}

}  // namespace
}  // namespace loom::measure
