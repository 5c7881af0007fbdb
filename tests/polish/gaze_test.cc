// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/gaze.h>
#include <loom/sample/sample.h>

#include "tests/allocations.h"
#include "tests/make_skeleton.h"

namespace loom::polish {
namespace {

constexpr float kDegrees = 57.2958f;

float angle_to(Vec3 a, Vec3 b) {
  return kDegrees * std::acos(std::clamp(dot(a, b) / (length(a) * length(b)), -1.0f, 1.0f));
}

class GazeTest : public ::testing::Test {
 protected:
  GazeTest() : clip_(sample::make_sample("idle-1", {1, 30}).value().clip) {}

  [[nodiscard]] Gaze gaze(const GazeOptions& options = {}) const {
    return Gaze::create(*clip_.skeleton, options).value();
  }
  /// Where the body faces in a frame, and a place so far to its left and so high, metres away.
  [[nodiscard]] Vec3 place(std::size_t frame, float degrees, float away, float height) const {
    const motion::GroundFrame ground =
        motion::GroundFrameFinder(*clip_.skeleton).find(clip_.roots[frame], clip_.pose(frame)[0]);
    const float heading = ground.heading + degrees / kDegrees;
    return {ground.x + away * std::sin(heading), height, ground.z + away * std::cos(heading)};
  }
  /// Plays the clip once round and round, looking at what `target` says; gives the sight of each frame.
  template <class Target>
  std::vector<Gaze::Sight> look(Gaze gaze, std::size_t frames, Target target) {
    std::vector<Gaze::Sight> sights;
    std::vector<Quat> pose(clip_.skeleton->size());
    for (std::size_t i = 0; i < frames; ++i) {
      const std::size_t f = i % clip_.frames();
      std::copy_n(clip_.pose(f).begin(), pose.size(), pose.begin());
      target(gaze, i);
      gaze.apply(static_cast<float>(1 / clip_.rate), clip_.roots[f], pose);
      sights.push_back(gaze.sight(clip_.roots[f], pose));
    }
    return sights;
  }

  motion::Clip clip_;
};

TEST_F(GazeTest, TheHeadComesToPointAtWhatIsLookedAt) {
  for (const float degrees : {-50.0f, -20.0f, 0.0f, 35.0f, 60.0f}) {
    for (const float height : {0.8f, 1.6f, 2.2f}) {
      const Vec3 target = place(0, degrees, 2.5f, height);
      const auto sights = look(gaze(), 60, [&](Gaze& gaze, std::size_t i) {
        if (i == 0) gaze.look_at(target);
      });
      EXPECT_LT(angle_to(sights.back().direction, target - sights.back().eyes), 2.5f) << degrees << " " << height;
    }
  }
}

TEST_F(GazeTest, SightIsWhereKinematicsHaveTheHead) {
  const auto body = motion::find_body(*clip_.skeleton);
  const motion::WorldPoses poses = motion::forward_kinematics(clip_);
  const auto sight = gaze().sight(clip_.roots[7], clip_.pose(7));
  EXPECT_LT(distance(sight.eyes, poses.position(7, static_cast<std::size_t>(body.head))), 1e-4f);
}

TEST_F(GazeTest, NothingIsLookedAtUntilSomethingIs) {
  std::vector<Quat> pose(clip_.pose(5).begin(), clip_.pose(5).end());
  Gaze none = gaze();
  none.apply(0.1f, clip_.roots[5], pose);
  EXPECT_TRUE(std::equal(pose.begin(), pose.end(), clip_.pose(5).begin()));
}

TEST_F(GazeTest, NowhereIsNotLookedAt) {
  for (const float nowhere : {std::nanf(""), 3e38f, -INFINITY}) {
    Gaze one = gaze();
    one.look_at(Vec3{nowhere, 1, 0});
    std::vector<Quat> pose(clip_.pose(5).begin(), clip_.pose(5).end());
    for (int i = 0; i < 9; ++i) one.apply(0.1f, clip_.roots[5], pose);
    EXPECT_TRUE(std::equal(pose.begin(), pose.end(), clip_.pose(5).begin())) << nowhere;
  }
}

TEST_F(GazeTest, OnlyNeckHeadAndEyesTurn) {
  const auto body = motion::find_body(*clip_.skeleton);
  std::vector<Quat> pose(clip_.pose(5).begin(), clip_.pose(5).end());
  Gaze one = gaze();
  one.look_at(place(5, 40, 2, 1));
  for (int i = 0; i < 40; ++i) {
    std::copy_n(clip_.pose(5).begin(), pose.size(), pose.begin());
    one.apply(0.05f, clip_.roots[5], pose);
  }
  std::size_t changed = 0;
  for (std::size_t j = 0; j < pose.size(); ++j) {
    const bool may = static_cast<int>(j) == body.neck || static_cast<int>(j) == body.head;
    if (angle_between(pose[j], clip_.pose(5)[j]) > 1e-3f) {
      EXPECT_TRUE(may) << clip_.skeleton->joints()[j].name;
      ++changed;
    }
  }
  EXPECT_GE(changed, 1u);
}

TEST_F(GazeTest, TurnsAlongABellOfVelocity) {
  const auto still = clip_.pose(0);
  std::vector<Quat> pose(still.size());
  Gaze one = gaze();
  one.look_at(place(0, 60, 3, 1.6f));
  std::vector<float> turned{0};
  Vec3 first = one.sight(clip_.roots[0], still).direction;
  for (int i = 0; i < 120; ++i) {
    std::copy_n(still.begin(), pose.size(), pose.begin());
    one.apply(0.01f, clip_.roots[0], pose);
    turned.push_back(angle_to(first, one.sight(clip_.roots[0], pose).direction));
  }
  float quickest = 0;
  std::size_t when = 0;
  for (std::size_t i = 1; i < turned.size(); ++i) {
    EXPECT_GE(turned[i], turned[i - 1] - 0.05f) << i;
    if (turned[i] - turned[i - 1] > quickest) {
      quickest = turned[i] - turned[i - 1];
      when = i;
    }
  }
  const float whole = turned.back(), seconds = 0.3f + 0.3f * whole / kDegrees;
  EXPECT_GT(whole, 45);
  EXPECT_NEAR(quickest / 0.01f, 1.875f * whole / seconds, 0.1f * 1.875f * whole / seconds);  // minimum jerk
  EXPECT_NEAR(static_cast<float>(when) * 0.01f, seconds / 2, 0.06f);
}

TEST_F(GazeTest, AChangeOfMindMakesNoJerk) {
  const auto largest_change = [&](const std::vector<Gaze::Sight>& sights) {
    float most = 0;
    for (std::size_t i = 2; i < sights.size(); ++i) {
      const Vec3 a = sights[i].direction - sights[i - 1].direction,
                 b = sights[i - 1].direction - sights[i - 2].direction;
      most = std::max(most, length(a - b));
    }
    return most;
  };
  const Vec3 left = place(0, 50, 3, 1.6f), right = place(0, -50, 3, 1.4f);
  const float once = largest_change(look(gaze(), 90, [&](Gaze& gaze, std::size_t i) {
    if (i == 0) gaze.look_at(left);
    if (i == 45) gaze.look_at(right);
  }));
  const float often = largest_change(look(gaze(), 90, [&](Gaze& gaze, std::size_t i) {
    if (i == 0) gaze.look_at(left);
    if (i == 9) gaze.look_at(right);
    if (i == 20) gaze.look_at({});
    if (i == 24) gaze.look_at(left);
  }));
  EXPECT_LT(often, 3 * once);  // three turns at once at most
}

TEST_F(GazeTest, WhatGoesRoundTheBackIsGivenUpSmoothly) {
  const auto sights = look(gaze(), 400, [&](Gaze& gaze, std::size_t i) {
    gaze.look_at(place(0, static_cast<float>(i) * 0.9f, 3, 1.6f), i > 0);
  });
  for (std::size_t i = 1; i < sights.size(); ++i) {
    EXPECT_LT(angle_to(sights[i].direction, sights[i - 1].direction), 6) << i;
  }
  // Farther than a head turns it does not turn.
  const Vec3 front = place(0, 0, 10, 1.6f);
  for (const Gaze::Sight& sight : sights) {
    EXPECT_LT(angle_to({sight.direction.x, 0, sight.direction.z}, {front.x, 0, front.z}), 1.2f * kDegrees + 15);
  }
}

TEST_F(GazeTest, ItIsALayerThatAnyStreamCanWear) {
  auto stream = GazeStream::create(std::make_unique<motion::RecordedStream>(clip_, motion::Contacts{})).value();
  stream->look_at(place(0, 40, 2, 1.2f));
  std::vector<Quat> pose(clip_.skeleton->size()), copied(pose.size());
  motion::StreamPose shown{{}, pose, 0, {}}, other{{}, copied, 0, {}};
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(stream->next({}, shown));
  const auto twin = stream->clone();
  const std::size_t before = testing::allocations.load();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(stream->next({}, shown));
  EXPECT_EQ(testing::allocations.load(), before);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(twin->next({}, other));
  EXPECT_EQ(pose, copied);
  EXPECT_GT(angle_between(pose[static_cast<std::size_t>(motion::find_body(*clip_.skeleton).head)],
                          clip_.pose(14)[static_cast<std::size_t>(motion::find_body(*clip_.skeleton).head)]),
            0.05f);
}

TEST(Gaze, NeedsAHead) {
  const auto stick = motion::Skeleton::create({{"root", motion::kNoParent, {}}, {"tip", 0, {0, 1, 0}}}, {});
  ASSERT_TRUE(stick);
  const auto made = Gaze::create(*stick);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, ::testing::HasSubstr("head"));
}

}  // namespace
}  // namespace loom::polish
