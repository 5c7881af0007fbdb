// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/blend/align/pair_alignment.h>
#include <loom/motion/kinematics.h>
#include <loom/report/pair_pictures.h>

#include "tests/make_walk.h"

namespace loom::blend {
namespace {

motion::Clip walk(const char* name, double cycle, double rate = 30) {
  testing::Gait gait;
  gait.rate = rate;
  gait.cycle = cycle;
  motion::Clip clip = testing::make_gait(gait).clip;
  clip.name = name;
  return clip;
}

bool passes(const PairWarp& warp, compare::WarpCell cell) {
  return std::find(warp.path.cells.begin(), warp.path.cells.end(), cell) != warp.path.cells.end();
}

TEST(PairAlignment, AClipAndItselfBelongTogetherMomentByMoment) {
  const PairAlignment pair = PairAlignment::create(walk("a", 1.1), walk("b", 1.1), 30).value();
  const PairWarp warp = pair.warp().value();
  EXPECT_NEAR(warp.path.cost, 0, 1e-6);
  for (const compare::WarpCell& cell : warp.path.cells) EXPECT_EQ(cell.row, cell.column);
}

TEST(PairAlignment, CostsAreDefinedForAllFrames) {
  const PairAlignment pair = PairAlignment::create(walk("a", 1.1), walk("b", 1.3, 60), 30).value();
  EXPECT_EQ(pair.costs().rows, pair.clip(0).frames());
  EXPECT_EQ(pair.costs().columns, pair.clip(1).frames());
  EXPECT_TRUE(std::all_of(pair.costs().values.begin(), pair.costs().values.end(),
                          [](float cost) { return std::isfinite(cost) && cost >= 0; }));
}

TEST(PairAlignment, PinsAndStrokesAreMetByPathAndCurve) {
  motion::Clip a = walk("a", 1.1), b = walk("b", 1.2);
  a.labels = {{"stroke", 30, 31}};
  b.labels = {{"stroke", 36, 37}};
  const PairAlignment pair = PairAlignment::create(a, b, 30).value();
  PairOptions options;
  options.pins = {{70, 60}};
  const PairWarp warp = pair.warp(options).value();
  EXPECT_EQ(warp.strokes, (std::vector<compare::WarpCell>{{30, 36}}));
  EXPECT_TRUE(passes(warp, {30, 36}));
  EXPECT_TRUE(passes(warp, {70, 60}));
  EXPECT_NEAR(warp.curve.at(1.0), 1.2, 1e-9);
  EXPECT_NEAR(warp.curve.at(70 / 30.0), 2.0, 1e-9);
  options.strokes = false;
  EXPECT_TRUE(pair.warp(options)->strokes.empty());
}

TEST(PairAlignment, BeginsAndEndsWhereItIsHeld) {
  const PairAlignment pair = PairAlignment::create(walk("a", 1.1), walk("b", 1.2), 30).value();
  PairOptions options;
  options.from = compare::WarpCell{5, 12};
  options.to = compare::WarpCell{100, 104};
  options.free_ends = true;
  const PairWarp warp = pair.warp(options).value();
  EXPECT_EQ(warp.path.cells.front(), *options.from);
  EXPECT_EQ(warp.path.cells.back(), *options.to);
  options.to = compare::WarpCell{4, 4};
  EXPECT_FALSE(pair.warp(options));
}

/// Whatever the warp, each frame of the retimed clip is the moment of the second clip that the curve names.
TEST(PairAlignment, TheRetimedClipShowsTheSecondInTheTimeOfTheFirst) {
  const PairAlignment pair = PairAlignment::create(walk("a", 1.1), walk("b", 1.3), 30).value();
  PairOptions options;
  options.from = compare::WarpCell{0, 20};
  const PairWarp warp = pair.warp(options).value();
  const motion::Recording made = pair.retimed(warp);
  ASSERT_EQ(made.clip.frames(), pair.clip(0).frames());
  ASSERT_EQ(made.contacts.planted.size(), made.clip.frames());
  motion::Pose pose;
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    motion::sample_pose(pair.clip(1), warp.curve.at(static_cast<double>(f) / 30), pose);
    EXPECT_LT(distance(pose.root, made.clip.roots[f]), 1e-5f) << f;
  }
}

TEST(PairAlignment, RefusesWhatCannotBeAligned) {
  motion::Clip one = walk("one", 1.1);
  one.roots.resize(1);
  one.rotations.resize(one.joints());
  EXPECT_FALSE(PairAlignment::create(one, walk("b", 1.1), 30));
  EXPECT_FALSE(PairAlignment::create(walk("a", 1.1), walk("b", 1.1), 0));
}

TEST(PairAlignment, IsDrawnWithItsPathAndPins) {
  const PairAlignment pair = PairAlignment::create(walk("a", 1.1), walk("b", 1.2), 30).value();
  const PairWarp warp = pair.warp().value();
  const std::vector<compare::WarpCell> pin{warp.path.cells[40]};
  const auto plain = report::draw_warp(pair, warp, {}), pinned = report::draw_warp(pair, warp, pin);
  EXPECT_EQ(pinned.shapes().size(), plain.shapes().size() + 2);
}

}  // namespace
}  // namespace loom::blend
