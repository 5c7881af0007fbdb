// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <loom/graph/keys.h>
#include <loom/graph/walk.h>
#include <loom/play/segment_player.h>

#include "tests/graph/gliders.h"

namespace loom::graph {
namespace {

using play::Segment;
using play::SegmentPlayer;
using testing::Gliders;
using testing::make_gliders;

TEST(Walk, GoesOnForAnHourAndComesByEveryClip) {
  const Gliders gliders = make_gliders();
  auto walk = Walk::create(gliders.graph, *gliders.motion, {}).value();
  std::set<std::uint32_t> clips;
  double frames = 0;
  while (frames < 3600 * 30) {
    Segment segment;
    ASSERT_TRUE(walk->next({}, segment));
    ASSERT_LT(segment.begin, segment.end);
    ASSERT_LE(segment.end, gliders.graph->runs_of(segment.clip).front().end);
    clips.insert(segment.clip);
    frames += segment.end - segment.begin;
  }
  EXPECT_EQ(clips.size(), 4u);
}

TEST(Walk, TheSameSeedIsTheSameWalkAndAnotherIsNot) {
  const Gliders gliders = make_gliders();
  const auto sequence = [&](std::uint64_t seed) {
    WalkOptions options;
    options.seed = seed;
    SegmentPlayer player(gliders.motion, Walk::create(gliders.graph, *gliders.motion, options).value());
    return motion::record(player, 30).value().clip.roots;
  };
  EXPECT_EQ(sequence(5), sequence(5));
  EXPECT_NE(sequence(5), sequence(6));
}

TEST(Walk, StaysWithTheWantedLabel) {
  const Gliders gliders = make_gliders();
  WalkOptions options;
  options.wanted = {"run"};
  SegmentPlayer player(gliders.motion, Walk::create(gliders.graph, *gliders.motion, options).value());
  const auto recording = motion::record(player, 60).value();
  std::size_t wanted = 0;
  for (const auto& source : recording.sources) wanted += source.clip == 3 ? 1 : 0;
  EXPECT_GT(wanted, recording.sources.size() * 9 / 10);
  options.wanted = {"swim"};
  const auto none = Walk::create(gliders.graph, *gliders.motion, options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("run, walk"), std::string::npos);
}

/// Frames of a walk of some minutes that were played less than three seconds before.
double share_seen_again(const Gliders& gliders, Walk& walk) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> played;
  double frames = 0, again = 0;
  while (frames < 300 * 30) {
    Segment segment;
    if (!walk.next({}, segment)) break;
    for (std::uint32_t f = segment.begin; f < segment.end; ++f, ++frames) {
      const auto [at, is_new] = played.try_emplace({segment.clip, f}, frames);
      if (!is_new && frames - at->second < 3 * gliders.graph->rate) ++again;
      at->second = frames;
    }
  }
  return again / frames;
}

TEST(Walk, LeavesTwoTakesThatLeadToEachOther) {
  // The first two clips are short and alike: every way out of their last third leads to the other. Ways to the long
  // clips begin soon after one has come in, earlier than a piece should end.
  const Gliders gliders = make_gliders();
  std::vector<GraphClip> clips(gliders.graph->clips.begin(), gliders.graph->clips.end());
  clips[0].frames = clips[1].frames = 30;
  const FrameNumbers numbers(clips);
  const std::uint32_t a = numbers.first(0), b = numbers.first(1), c = numbers.first(2), d = numbers.first(3);
  const std::vector<SimilarPair> pairs = {{a + 27, b + 9, 0.1f}, {a + 9, b + 27, 0.1f},  {a + 13, c + 10, 0.3f},
                                          {a + 3, d + 55, 0.3f}, {b + 13, d + 10, 0.3f}, {c + 50, d + 20, 0.2f},
                                          {c + 20, d + 50, 0.2f}};
  Gliders trap = gliders;
  trap.graph = std::make_shared<MotionGraph>(
      prune(clips, pairs, 1, 1, 30, [](std::uint32_t, std::uint32_t) { return motion::GroundFrame{}; }));
  ASSERT_GT(trap.graph->nodes(), 80u);
  auto walk = Walk::create(trap.graph, *trap.motion, {}).value();
  const double seen_again = share_seen_again(trap, *walk);
  WalkOptions careless;  // who does not mind what was played just now
  careless.variety_seconds = 1e-3;
  auto there = Walk::create(trap.graph, *trap.motion, careless).value();
  EXPECT_LT(seen_again, 0.7 * share_seen_again(trap, *there));
}

TEST(Walk, PerformsAWantedActionFromBeginningToEnd) {
  Gliders gliders = make_gliders();
  gliders.graph->clips[0].labels = {{"walk", 0, 61}, {"bow", 15, 45}};
  gliders.graph->clips[2].labels = {{"walk", 0, 61}, {"bow", 12, 48}};
  WalkOptions options;
  options.wanted = {"bow"};
  auto walk = Walk::create(gliders.graph, *gliders.motion, options).value();
  double frames = 0, bowing = 0;
  int bows = 0;
  while (frames < 120 * 30) {
    Segment segment;
    ASSERT_TRUE(walk->next({}, segment));
    frames += segment.end - segment.begin;
    const motion::Label* label =
        segment.clip == 0 || segment.clip == 2 ? &gliders.graph->clips[segment.clip].labels[1] : nullptr;
    if (label == nullptr || segment.begin > label->begin + 3 || segment.end <= label->begin) continue;
    EXPECT_GE(segment.end + 3, label->end) << "a bow that was begun is ended";
    bowing += static_cast<double>(std::min<std::size_t>(segment.end, label->end) - segment.begin);
    ++bows;
  }
  EXPECT_GT(bows, 40);
  EXPECT_GT(bowing, 0.6 * frames);
}

}  // namespace
}  // namespace loom::graph
