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

namespace loom::play {
namespace {

using testing::Gliders;
using testing::make_gliders;

Result<motion::Recording> play(const Gliders& gliders, std::vector<Segment> segments) {
  SegmentPlayer player(gliders.motion, std::make_unique<SegmentList>(std::move(segments)));
  return motion::record(player, 1000);
}

TEST(SegmentPlayer, OneSegmentPlaysAsItWasRecorded) {
  const Gliders gliders = make_gliders();
  const auto recording = play(gliders, {{1, 5, 40, {}}}).value();
  ASSERT_EQ(recording.clip.frames(), 35u);
  for (std::size_t f = 0; f < 35; ++f) {
    EXPECT_LT(distance(recording.clip.roots[f], gliders.motion->clips[1].roots[f + 5]), 1e-6f);
    EXPECT_EQ(recording.sources[f].clip, 1u);
    EXPECT_EQ(recording.sources[f].frame, f + 5);
  }
}

TEST(SegmentPlayer, AClipCutInTwoAndJoinedAgainIsTheClip) {
  // Going on from frame 29 to frame 30 of the same clip blends every frame with itself.
  const Gliders gliders = make_gliders();
  const auto recording = play(gliders, {{2, 0, 30, {}}, {2, 30, 61, {}}}).value();
  ASSERT_EQ(recording.clip.frames(), 61u);
  for (std::size_t f = 0; f < 61; ++f) {
    EXPECT_LT(distance(recording.clip.roots[f], gliders.motion->clips[2].roots[f]), 1e-5f) << f;
    EXPECT_LT(angle_between(recording.clip.pose(f)[0], gliders.motion->clips[2].pose(f)[0]), 1e-3f) << f;
  }
}

/// The largest second difference of the root: a jump in velocity between two frames.
float largest_jolt(const motion::Clip& clip) {
  float largest = 0;
  for (std::size_t f = 1; f + 1 < clip.frames(); ++f) {
    largest = std::max(largest, length(clip.roots[f + 1] - 2.0f * clip.roots[f] + clip.roots[f - 1]));
  }
  return largest;
}

TEST(SegmentPlayer, TransitionsAreSmoothInPlaceAndSpeed) {
  const Gliders gliders = make_gliders();
  // From a metre a second to two: without a blend the velocity would jump by 1 m/s, 33 mm a frame.
  const graph::MotionGraph& graph = *gliders.graph;
  const graph::Node leave = graph.node_at(0, 30).value();
  std::vector<graph::Node> path;
  for (graph::Node n = leave - 20; n <= leave; ++n) path.push_back(n);
  for (const graph::Transition& t : graph.transitions_of(leave)) {
    if (graph.clip_of(t.to) != 3 || path.size() > 21) continue;
    for (graph::Node n = t.to; n < t.to + 15; ++n) path.push_back(n);
  }
  ASSERT_EQ(path.size(), 36u);
  const auto recording = play(gliders, graph::to_segments(*gliders.graph, *gliders.motion, path)).value();
  EXPECT_LT(largest_jolt(recording.clip), 0.012f);
  EXPECT_GT(largest_jolt(recording.clip), 0.001f);  // the speed does change
  const auto hard = [&] {
    SegmentPlayer player(gliders.motion,
                         std::make_unique<SegmentList>(graph::to_segments(*gliders.graph, *gliders.motion, path)), 0);
    return motion::record(player, 1000).value();
  }();
  EXPECT_GT(largest_jolt(hard.clip), 0.03f);
}

TEST(SegmentPlayer, PiecesOfAFewFramesAreBlendedAllAtOnce) {
  // A clip cut into pieces far shorter than a blend, down to a single frame: each frame is blended with itself, several
  // times over, whatever the weights are.
  const Gliders gliders = make_gliders();
  const auto whole = play(gliders, {{2, 0, 61, {}}}).value();
  const auto pieces =
      play(gliders, {{2, 0, 20, {}}, {2, 20, 21, {}}, {2, 21, 24, {}}, {2, 24, 25, {}}, {2, 25, 61, {}}}).value();
  ASSERT_EQ(pieces.clip.frames(), whole.clip.frames());
  for (std::size_t f = 0; f < 61; ++f) {
    EXPECT_LT(distance(pieces.clip.roots[f], whole.clip.roots[f]), 1e-5f) << f;
    EXPECT_LT(angle_between(pieces.clip.pose(f)[0], whole.clip.pose(f)[0]), 1e-3f) << f;
    EXPECT_EQ(pieces.sources[f].frame, f);
  }
}

TEST(SegmentPlayer, APieceOfOneFrameElsewhereMakesNoJolt) {
  // A single frame of a clip that lies half a metre aside, in the middle of another.
  const Gliders gliders = make_gliders();
  const std::vector<Segment> segments = {{2, 0, 30, {}}, {2, 30, 31, {0.5f, 0, 0}}, {2, 31, 61, {}}};
  const auto blended = play(gliders, segments).value();
  SegmentPlayer cutting(gliders.motion, std::make_unique<SegmentList>(segments), 0);
  const auto cut = motion::record(cutting, 1000).value();
  EXPECT_GT(largest_jolt(cut.clip), 0.9f);
  EXPECT_LT(largest_jolt(blended.clip), 0.03f);
  float furthest = 0;
  for (std::size_t f = 0; f < 61; ++f) {
    furthest = std::max(furthest, distance(blended.clip.roots[f], gliders.motion->clips[2].roots[f]));
  }
  EXPECT_GT(furthest, 0.01f) << "it is let in a little";
  EXPECT_LT(furthest, 0.2f);
}

}  // namespace
}  // namespace loom::play
