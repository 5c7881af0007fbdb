// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/graph/clip_pair.h>

#include "tests/make_walk.h"

namespace loom::graph {
namespace {

motion::Clip walk(const char* name, double cycle, float floor = 0) {
  testing::Gait gait;
  gait.cycle = cycle;
  gait.floor = floor;
  motion::Clip clip = testing::make_gait(gait).clip;
  clip.name = name;
  return clip;
}

TEST(ClipPair, DistancesAreThoseOfSinglePairsAndUndefinedNearTheEnds) {
  const ClipPair pair = ClipPair::create(walk("a", 1.1), walk("b", 1.3), 30).value();
  const compare::CostMatrix all = pair.distances().value();
  ASSERT_EQ(all.rows, pair.frames(0));
  ASSERT_EQ(all.columns, pair.frames(1));
  std::size_t defined = 0;
  for (std::size_t i = 0; i < all.rows; i += 3) {
    for (std::size_t j = 0; j < all.columns; j += 7) {
      const double one = pair.distance(i, j);
      ASSERT_EQ(std::isfinite(one), std::isfinite(all.at(i, j))) << i << " " << j;
      if (std::isfinite(one)) {
        EXPECT_NEAR(all.at(i, j), one, 1e-5);
        ++defined;
      }
    }
  }
  EXPECT_GT(defined, 300U);
  EXPECT_FALSE(std::isfinite(pair.distance(0, 50)));
  EXPECT_FALSE(std::isfinite(pair.distance(50, 99999)));
}

TEST(ClipPair, FloorsOfDifferentHeightMakeNoDifference) {
  const ClipPair level = ClipPair::create(walk("a", 1.1), walk("b", 1.3), 30).value();
  const ClipPair raised = ClipPair::create(walk("a", 1.1), walk("b", 1.3, 0.4f), 30).value();
  EXPECT_NEAR(level.distance(40, 50), raised.distance(40, 50), 1e-4);
}

TEST(ClipPair, LocalMinimaAreThoseFoundByLookingAtEveryNeighbour) {
  Random random(3);
  compare::CostMatrix matrix{30, 40, std::vector<float>(30 * 40)};
  for (float& value : matrix.values) value = static_cast<float>(random.uniform());
  matrix.values[5 * 40 + 5] = INFINITY;
  const auto found = local_minima(matrix, 1000);
  std::size_t expected = 0;
  for (int r = 1; r < 29; ++r) {
    for (int c = 1; c < 39; ++c) {
      bool lowest = true;
      for (int n = 0; n < 9; ++n) {
        const float other = matrix.values[static_cast<std::size_t>((r + n / 3 - 1) * 40 + c + n % 3 - 1)];
        lowest = lowest && std::isfinite(other) && matrix.values[static_cast<std::size_t>(r * 40 + c)] <= other;
      }
      expected += lowest;
    }
  }
  EXPECT_EQ(found.size(), expected);
  EXPECT_TRUE(std::is_sorted(
      found.begin(), found.end(),
      [](const compare::SimilarPair& a, const compare::SimilarPair& b) { return a.distance < b.distance; }));
  EXPECT_EQ(local_minima(matrix, 3), std::vector(found.begin(), found.begin() + 3));
}

TEST(ClipPair, TheTransitionComesFromOneClipAndGoesOnInTheOther) {
  const ClipPair pair = ClipPair::create(walk("a", 1.1), walk("b", 1.3), 30).value();
  const PairTransition made = pair.transition(60, 40, 1.0).value();
  EXPECT_EQ(made.change, 31U);
  EXPECT_EQ(made.motion.sources.front().clip, 0U);
  EXPECT_EQ(made.motion.sources.front().frame, 30U);
  EXPECT_EQ(made.motion.sources.back().clip, 1U);
  EXPECT_EQ(made.motion.sources.back().frame, 70U);
  EXPECT_EQ(made.distance, pair.distance(60, 40));
  for (std::size_t f = 1; f < made.motion.clip.frames(); ++f) {
    EXPECT_LT(distance(made.motion.clip.roots[f], made.motion.clip.roots[f - 1]), 0.12f) << f;
  }
  const auto refused = pair.transition(2, 40);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("third of a second"), std::string::npos);
}

}  // namespace
}  // namespace loom::graph
