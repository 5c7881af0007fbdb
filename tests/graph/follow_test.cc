// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/graph/follow.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

#include "tests/graph/gliders.h"

namespace loom::graph {
namespace {

using testing::Gliders;
using ::testing::HasSubstr;
using testing::make_gliders;

Result<motion::Recording> play(const Gliders& gliders, std::vector<play::Segment> segments) {
  play::SegmentPlayer player(gliders.motion, std::make_unique<play::SegmentList>(std::move(segments)));
  return motion::record(player, 1000);
}

FloorPath bend() {
  FloorPath path;
  for (int i = 0; i <= 40; ++i) {
    const auto t = static_cast<float>(i) / 40;
    path.points.push_back({6 * std::sin(3 * t), 0, 8 * t});
  }
  return path;
}

TEST(Follow, KeepsToABendingPath) {
  const Gliders gliders = make_gliders();
  const auto followed = follow(*gliders.graph, *gliders.motion, bend()).value();
  EXPECT_LT(followed.mean_error_m, 0.15);
  EXPECT_LT(followed.max_error_m, 0.5);
  const auto recording = play(gliders, followed.segments).value();
  EXPECT_NEAR(recording.clip.roots.front().x, 0, 0.2);
  EXPECT_LT(distance(Vec3{recording.clip.roots.back().x, 0, recording.clip.roots.back().z}, bend().points.back()),
            0.6f);
}

TEST(Follow, HeedsLabelsOnStretches) {
  const Gliders gliders = make_gliders();
  FloorPath path{{{0, 0, 0}, {0, 0, 8}, {0, 0, 20}}, {"walk", "run", ""}};
  const auto followed = follow(*gliders.graph, *gliders.motion, path).value();
  EXPECT_LT(followed.off_label_share, 0.1);
  path.labels = {"run", "walk", ""};
  const auto otherwise = follow(*gliders.graph, *gliders.motion, path).value();
  EXPECT_LT(otherwise.off_label_share, 0.1);
  EXPECT_GT(otherwise.seconds, followed.seconds);  // walking the longer stretch takes longer
}

/// Clips and frames of a motion that a range was performed in, whole or nearly.
std::size_t times_performed(const std::vector<play::Segment>& segments, std::uint32_t clip, std::uint32_t begin,
                            std::uint32_t end) {
  return static_cast<std::size_t>(std::count_if(segments.begin(), segments.end(), [&](const play::Segment& s) {
    return s.clip == clip && s.begin <= begin + 3 && s.end + 3 >= end;
  }));
}

TEST(Follow, PerformsTheActionOfAStretchFromBeginningToEnd) {
  Gliders gliders = make_gliders();
  gliders.graph->clips[3].labels = {{"run", 0, 61}, {"leap", 12, 48}};
  FloorPath path{{{0, 0, 0}, {0, 0, 6}, {0, 0, 10}, {0, 0, 16}}, {"walk", "leap", "walk", ""}};
  const auto followed = follow(*gliders.graph, *gliders.motion, path).value();
  EXPECT_EQ(followed.actions_skipped, 0u);
  EXPECT_GE(times_performed(followed.segments, 3, 12, 48), 1u);
  for (const play::Segment& s : followed.segments) {
    if (s.clip != 3 || s.begin > 15 || s.end <= 12) continue;
    EXPECT_GE(s.end + 4, 48u) << "what was begun is ended";
  }
  EXPECT_LT(followed.end_error_m, 0.5);
  // Two metres are covered while leaping: on a stretch of a hand's breadth there is no room, and it says so.
  FollowOptions options;
  options.skipped = 1e-3;
  path.points[2] = {0.1f, 0, 6};
  path.points[3] = {6, 0, 6};
  const auto skipped = follow(*gliders.graph, *gliders.motion, path, options).value();
  EXPECT_EQ(skipped.actions_skipped + (times_performed(skipped.segments, 3, 12, 48) > 0 ? 1 : 0), 1u);
}

TEST(Follow, TellsHowFarFromTheEndItEnded) {
  const Gliders gliders = make_gliders();
  const FloorPath path{{{0, 0, 0}, {0, 0, 4}, {4, 0, 4}, {4, 0, 0}}, {}};  // turns no glider can take
  const auto followed = follow(*gliders.graph, *gliders.motion, path).value();
  const auto recording = play(gliders, followed.segments).value();
  const Vec3 last = recording.clip.roots.back();
  EXPECT_NEAR(followed.end_error_m, static_cast<double>(distance(Vec3{last.x, 0, last.z}, path.points.back())), 0.01);
  EXPECT_GE(followed.max_error_m + 0.16, followed.end_error_m) << "15 cm before the end count as having arrived";
}

TEST(Follow, RefusesPathsThatAreNone) {
  const Gliders gliders = make_gliders();
  const auto error = [&](const FloorPath& path) {
    const auto result = follow(*gliders.graph, *gliders.motion, path);
    return result ? std::string() : result.error().message;
  };
  EXPECT_NE(error({{{0, 0, 0}}, {}}).find("two points"), std::string::npos);
  EXPECT_NE(error({{{0, 0, 0}, {std::nanf(""), 0, 1}}, {}}).find("point 2"), std::string::npos);
  EXPECT_NE(error({{{0, 0, 0}, {0, 0, 0}}, {}}).find("long"), std::string::npos);
  EXPECT_NE(error({{{0, 0, 0}, {0, 0, 5}}, {"swim", ""}}).find("swim"), std::string::npos);
}

FloorPath wave() {
  FloorPath path;
  for (int i = 0; i <= 60; ++i) {
    const auto t = static_cast<float>(i) / 60;
    path.points.push_back({3 * std::sin(9 * t), 0, 14 * t});
  }
  return path;
}

TEST(Follow, WidensByItselfAndSaysSo) {
  const testing::Gliders gliders = testing::make_gliders();
  FollowOptions once;
  once.beam = 1;
  once.seconds = 0;
  FollowOptions patient = once;
  patient.seconds = 10;
  const auto narrow = follow(*gliders.graph, *gliders.motion, wave(), once);
  const auto wide = follow(*gliders.graph, *gliders.motion, wave(), patient);
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_GT(wide->searches, 1u);
  EXPECT_GT(wide->beam, 1u);
  if (narrow) {
    EXPECT_EQ(narrow->searches, 1u);
    EXPECT_LT(wide->mean_error_m, narrow->mean_error_m);
    EXPECT_GT(wide->states, narrow->states);
  }
  const auto again = follow(*gliders.graph, *gliders.motion, wave(), patient);
  EXPECT_EQ(again->states, wide->states);
  EXPECT_EQ(again->mean_error_m, wide->mean_error_m);
}

TEST(Follow, WhatIsGoodAtOnceIsNotLookedForAgain) {
  const testing::Gliders gliders = testing::make_gliders();
  const FloorPath line{{{0, 0, 0}, {0, 0, 10}}, {}};
  const auto followed = follow(*gliders.graph, *gliders.motion, line);
  ASSERT_TRUE(followed) << followed.error().message;
  EXPECT_EQ(followed->searches, 1u);
  EXPECT_EQ(followed->beam, FollowOptions{}.beam);
}

TEST(Follow, ProgressOfWiderAndWiderSearchesNeverGoesBack) {
  const testing::Gliders gliders = testing::make_gliders();
  FollowOptions options;
  options.beam = 1;
  double before = 0;
  bool forwards = true;
  static_cast<void>(
      follow(*gliders.graph, *gliders.motion, wave(), options, Progress([&](double share, std::string_view) {
        forwards = forwards && share >= before && share <= 1;
        before = share;
        return true;
      })));
  EXPECT_TRUE(forwards);
  EXPECT_GT(before, 0.4);
}

TEST(Follow, SaysHowFarItLookedWhereNothingArrives) {
  // Nobody moves.
  testing::Gliders gliders = testing::make_gliders();
  take::TakeSet still = *gliders.motion;
  for (motion::Clip& clip : still.clips) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      clip.roots[f] = clip.roots[0];
      clip.pose(f)[0] = clip.pose(0)[0];
    }
  }
  MotionGraph graph = *gliders.graph;
  for (Transition& t : graph.transitions) t.alignment = {};
  FollowOptions options;
  options.beam = 2;
  options.seconds = 0;
  const auto followed = follow(graph, still, wave(), options);
  ASSERT_FALSE(followed);
  EXPECT_THAT(followed.error().message, HasSubstr("up to 2 kept a stretch"));
  EXPECT_THAT(followed.error().message, HasSubstr("more time"));
}

}  // namespace
}  // namespace loom::graph
