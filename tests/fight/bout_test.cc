// SPDX-License-Identifier: MIT
// Whole bouts as they are written: their feet at a close look.
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/fight/bout.h>
#include <loom/measure/body_measures.h>

#include "tests/fight/fighting.h"

namespace loom::fight {
namespace {

using testing::fighting;

TEST(Bout, FeetStandOrStepAndNeitherDragNorSink) {
  double drags = 0, glide = 0, lowest = 0;
  constexpr int kBouts = 3;
  for (int seed = 1; seed <= kBouts; ++seed) {
    BoutOptions options;
    options.seconds = 60;
    options.seed = static_cast<std::uint64_t>(seed);
    const auto bout = fight_bout(fighting().states, fighting().motion, options, {});
    ASSERT_TRUE(bout) << bout.error().to_string();
    for (const motion::Recording& recording : bout->recordings) {
      const measure::BodyMeasures m = measure::measure_body(recording.clip);
      drags += m.drags_per_minute;
      glide += m.glide_share;
      lowest = std::min(lowest, m.sole_lowest_m);
    }
  }
  EXPECT_LE(drags / (2 * kBouts), 0.5);
  EXPECT_LT(glide / (2 * kBouts), 0.01);
  EXPECT_GT(lowest, -0.012);
}

}  // namespace
}  // namespace loom::fight
