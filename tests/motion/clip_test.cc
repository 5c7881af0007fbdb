// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"

namespace loom::motion {
namespace {

using testing::random_clip;
using testing::small_person;

TEST(Resample, ByFourPicksEveryFourthFrame) {
  const Clip clip = random_clip(small_person(), 41, 120, 1);
  const Clip down = resample(clip, 30).value();
  ASSERT_EQ(down.frames(), 11u);
  for (std::size_t f = 0; f < down.frames(); ++f) {
    EXPECT_EQ(down.roots[f], clip.roots[4 * f]);
    for (std::size_t j = 0; j < clip.joints(); ++j) EXPECT_EQ(down.pose(f)[j], clip.pose(4 * f)[j]);
  }
}

TEST(Resample, UpThenDownGivesTheSameClip) {
  const Clip clip = random_clip(small_person(), 20, 30, 2);
  const Clip back = resample(resample(clip, 120).value(), 30).value();
  ASSERT_EQ(back.frames(), clip.frames());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    EXPECT_LT(distance(back.roots[f], clip.roots[f]), 1e-5f);
    for (std::size_t j = 0; j < clip.joints(); ++j) EXPECT_LT(angle_between(back.pose(f)[j], clip.pose(f)[j]), 1e-3f);
  }
}

TEST(Resample, HalfwayRotationIsHalfTheAngleAcrossHemispheres) {
  Clip clip = random_clip(small_person(), 2, 1, 3);
  clip.pose(0)[1] = axis_angle({0, 0, 1}, 0.2f);
  clip.pose(1)[1] = -axis_angle({0, 0, 1}, 1.0f);  // the same rotation, written with the other sign
  const Clip up = resample(clip, 2).value();
  EXPECT_LT(angle_between(up.pose(1)[1], axis_angle({0, 0, 1}, 0.6f)), 1e-4f);
}

TEST(Resample, EverySecondFrameOfAWalkIsMadeUpNearlyAsItWasRecorded) {
  const Clip recorded = sample::make_sample("walk-normal-1")->clip;  // at 60 Hz
  const Clip again = resample(resample(recorded, 30).value(), 60).value();
  double cubic = 0, straight = 0;
  for (std::size_t f = 1; f + 1 < again.frames(); f += 2) {
    for (std::size_t j = 0; j < again.joints(); ++j) {
      const Quat truth = recorded.pose(f)[j];
      cubic += static_cast<double>(angle_between(truth, again.pose(f)[j]));
      straight +=
          static_cast<double>(angle_between(truth, slerp(recorded.pose(f - 1)[j], recorded.pose(f + 1)[j], 0.5f)));
    }
  }
  EXPECT_LT(cubic, 0.5 * straight);
}

TEST(Resample, AngularVelocityIsContinuousAtTheFrames) {
  const Clip clip = random_clip(small_person(), 12, 30, 21);
  constexpr double kDense = 960;  // 32 new frames between two
  const Clip dense = resample(clip, kDense).value();
  const auto step = [&](std::size_t f, std::size_t j) {
    return log_vector(conjugate(dense.pose(f)[j]) * dense.pose(f + 1)[j]);
  };
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    for (std::size_t f = 1; f + 1 < clip.frames(); ++f) {
      const std::size_t at = 32 * f;
      // Two neighbouring steps differ as much across a frame as they do beside it: no kink, only bending.
      const float across = distance(step(at - 1, j), step(at, j));
      const float turned = length(log_vector(conjugate(clip.pose(f - 1)[j]) * clip.pose(f)[j])) +
                           length(log_vector(conjugate(clip.pose(f)[j]) * clip.pose(f + 1)[j]));
      EXPECT_LT(across, 0.01f * turned + 1e-5f) << "frame " << f << " joint " << j;
    }
  }
}

TEST(Resample, LabelsKeepTheirPlaceInTime) {
  Clip clip = random_clip(small_person(), 121, 120, 4);
  clip.labels = {{"whole", 0, 121}, {"part", 40, 80}, {"tiny", 120, 121}};
  const Clip down = resample(clip, 30).value();
  EXPECT_EQ(down.labels[0], (Label{"whole", 0, 31}));
  EXPECT_EQ(down.labels[1], (Label{"part", 10, 20}));
  EXPECT_TRUE(validate(down));
}

TEST(Resample, RefusesARateOfZeroNanOrMillions) {
  const Clip clip = random_clip(small_person(), 3, 30, 5);
  for (const double rate : {0.0, -30.0, std::nan(""), 1e6}) EXPECT_FALSE(resample(clip, rate)) << rate;
}

TEST(Cut, TakesTheFramesAndTheLabelsThatReachIn) {
  Clip clip = random_clip(small_person(), 30, 30, 6);
  clip.labels = {{"a", 0, 12}, {"b", 25, 30}};
  const Clip piece = cut(clip, 10, 20).value();
  EXPECT_EQ(piece.frames(), 10u);
  EXPECT_EQ(piece.roots[0], clip.roots[10]);
  ASSERT_EQ(piece.labels.size(), 1u);
  EXPECT_EQ(piece.labels[0], (Label{"a", 0, 2}));
  EXPECT_FALSE(cut(clip, 5, 5));
  EXPECT_FALSE(cut(clip, 5, 31));
}

TEST(Join, TheSecondClipStartsWhereTheFirstEnds) {
  const Clip a = random_clip(small_person(), 10, 30, 7), b = random_clip(a.skeleton, 10, 30, 8);
  const Clip both[] = {a, b};
  const Clip joined = join(both).value();
  ASSERT_EQ(joined.frames(), 20u);
  const GroundFrameFinder finder(*a.skeleton);
  const auto frames = finder.find(joined);
  EXPECT_NEAR(frames[9].x, frames[10].x, 1e-4);
  EXPECT_NEAR(frames[9].z, frames[10].z, 1e-4);
  EXPECT_NEAR(wrap_angle(frames[9].heading - frames[10].heading), 0, 1e-3);
  // The second part moves as it did, seen from its own first frame.
  const auto before = finder.find(b);
  const GroundFrame step = inverse(before[0]) * before[9], now = inverse(frames[10]) * frames[19];
  EXPECT_NEAR(step.x, now.x, 1e-3);
  EXPECT_NEAR(step.z, now.z, 1e-3);
}

TEST(Join, RefusesAnotherRateOrBodyAndSaysHow) {
  const Clip a = random_clip(small_person(), 10, 30, 9);
  Clip b = random_clip(a.skeleton, 10, 60, 10);
  const Clip rates[] = {a, b};
  EXPECT_NE(join(rates).error().message.find("60 Hz"), std::string::npos);
  b.rate = 30;
  b.skeleton = std::make_shared<Skeleton>(a.skeleton->scaled(2));
  const Clip bodies[] = {a, b};
  EXPECT_NE(join(bodies).error().message.find("length"), std::string::npos);
}

TEST(Validate, NamesTheFrameAndJointOfANan) {
  Clip clip = random_clip(small_person(), 5, 30, 11);
  EXPECT_TRUE(validate(clip));
  clip.pose(3)[2].x = std::nanf("");
  const auto result = validate(clip);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("frame 3"), std::string::npos);
  EXPECT_NE(result.error().message.find(clip.skeleton->joint(2).name), std::string::npos);
}

TEST(GroundFrame, BendingForwardDoesNotTurnTheHeading) {
  const auto skeleton = small_person();
  const GroundFrameFinder finder(*skeleton);
  for (const float heading : {0.0f, 0.7f, -2.5f}) {
    for (const float bend : {-1.2f, 0.0f, 0.5f, 1.5f}) {
      const Quat turned = axis_angle({0, 1, 0}, heading) * axis_angle({1, 0, 0}, bend);
      EXPECT_NEAR(wrap_angle(finder.find({1, 1, 2}, turned).heading - heading), 0, 1e-3);
    }
  }
}

TEST(GroundFrame, InverseUndoes) {
  const GroundFrame frame{1.5f, -2.0f, 2.2f};
  const GroundFrame nothing = frame * inverse(frame);
  EXPECT_NEAR(nothing.x, 0, 1e-5);
  EXPECT_NEAR(nothing.z, 0, 1e-5);
  EXPECT_NEAR(nothing.heading, 0, 1e-5);
}

TEST(Clip, RatesThatNoRecordingHasAreRefused) {
  Clip clip = random_clip(small_person(), 3, 30, 1);
  for (const double rate : {0.0, -30.0, std::nan(""), 1e-9, 1e6, 1e300, std::numeric_limits<double>::infinity()}) {
    clip.rate = rate;
    EXPECT_FALSE(validate(clip)) << rate;
  }
  clip = random_clip(small_person(), 1000, 30, 1);
  clip.rate = 1e-3;  // 11 days
  EXPECT_TRUE(validate(clip));
  EXPECT_NE(resample(clip, 1000).error().message.find("999000001 frames"), std::string::npos);
}

}  // namespace
}  // namespace loom::motion
