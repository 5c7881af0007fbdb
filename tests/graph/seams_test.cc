// SPDX-License-Identifier: MIT
// What is told of seams, against the graph and the poses themselves.
#include <cmath>

#include <gtest/gtest.h>

#include <loom/graph/seams.h>
#include <loom/graph/walk.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/play/segment_player.h>

#include "tests/graph/gliders.h"

namespace loom::graph {
namespace {

using testing::Gliders;
using testing::make_gliders;

motion::Recording walked(const Gliders& gliders, double seconds) {
  play::SegmentPlayer player(gliders.motion, Walk::create(gliders.graph, *gliders.motion, {}).value());
  return motion::record(player, seconds).value();
}

/// Root mean square distance of joints of two frames, each seen from where its body stands.
double apart(const motion::Clip& a, std::size_t i, const motion::Clip& b, std::size_t j) {
  const auto seen = [](const motion::Clip& clip, std::size_t frame) {
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    const auto ground = motion::GroundFrameFinder(*clip.skeleton).find(clip.roots[frame], clip.pose(frame)[0]);
    std::vector<Vec3> places;
    for (std::size_t k = 0; k < clip.joints(); ++k) {
      places.push_back(motion::transform(motion::inverse(ground), poses.position(frame, k)));
    }
    return places;
  };
  const auto p = seen(a, i), q = seen(b, j);
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += dot(p[k] - q[k], p[k] - q[k]);
  return std::sqrt(sum / static_cast<double>(p.size()));
}

TEST(Seams, EachIsATransitionOfTheGraphAndWeighedByItsPoses) {
  const Gliders gliders = make_gliders();
  const auto recording = walked(gliders, 60);
  const auto seams = find_seams(*gliders.graph, *gliders.motion, recording, 3);
  const auto runs = motion::source_runs(recording);
  ASSERT_EQ(seams.size() + 1, runs.size());
  ASSERT_GT(seams.size(), 3U);
  std::size_t explained = 0;
  for (std::size_t i = 0; i < seams.size(); ++i) {
    const Seam& seam = seams[i];
    EXPECT_EQ(seam.frame, runs[i + 1].begin);
    const motion::Clip &left = gliders.motion->clips[seam.from_clip], &entered = gliders.motion->clips[seam.to_clip];
    if (seam.from_frame + 1 < left.frames() && seam.to_frame + 1 < entered.frames()) {
      EXPECT_NEAR(seam.gap.places_m, apart(left, seam.from_frame, entered, seam.to_frame), 1e-5);
    }
    const Seam alone = seam_between(*gliders.graph, *gliders.motion, {seam.from_clip, seam.from_frame},
                                    {seam.to_clip, seam.to_frame}, 3);
    EXPECT_EQ(alone.taken.has_value(), seam.taken.has_value()) << "one seam alone is told as it is among others";
    EXPECT_EQ(alone.others.size(), seam.others.size());
    EXPECT_LE(seam.others.size(), 3U);
    for (std::size_t k = 1; k < seam.others.size(); ++k) EXPECT_LE(seam.others[k - 1].cost, seam.others[k].cost);
    if (!seam.taken) continue;
    ++explained;
    EXPECT_EQ(seam.taken->clip, seam.to_clip);
    EXPECT_LE(seam.taken->distance, gliders.graph->threshold);
    EXPECT_LT(seam.taken->gap.places_m, 0.5) << "what the graph takes for alike is alike";
  }
  EXPECT_GT(explained, seams.size() * 3 / 4);
}

TEST(Seams, AMotionOfOnePieceHasNone) {
  const Gliders gliders = make_gliders();
  motion::Recording recording;
  recording.clip = motion::cut(gliders.motion->clips[0], 0, 4).value();
  recording.sources = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  recording.source_names = gliders.motion->titles();
  EXPECT_TRUE(find_seams(*gliders.graph, *gliders.motion, recording).empty());
}

}  // namespace
}  // namespace loom::graph
