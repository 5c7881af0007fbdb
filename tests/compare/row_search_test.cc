// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/row_search.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::random_frame_set;

std::shared_ptr<const FrameSet> awkward_rows() { return random_frame_set({90, 7, 11, 1, 280, 12, 70}, 1); }

/// Row ranges that cover all of `frames`, of random lengths, some of one row and some empty.
std::vector<RowRange> random_rows(std::size_t frames, Random& random) {
  std::vector<RowRange> rows;
  for (std::size_t begin = 0; begin < frames;) {
    const std::size_t end = std::min(frames, begin + random.index(150));
    rows.push_back({begin, end});
    begin = end;
  }
  return rows;
}

TEST(RowSearch, RowsJoinedAreTheWholeAnswerWhateverTheWayAndTheRows) {
  const auto set = awkward_rows();
  const PointCloud cloud = PointCloud::create(set).value();
  const JointAngles angles = JointAngles::create(set).value();
  Random random(7);
  for (const Metric* metric : {static_cast<const Metric*>(&cloud), static_cast<const Metric*>(&angles)}) {
    PairQuery query;
    const double share = 0.3;
    query.threshold = distance_quantiles(*metric, std::span(&share, 1)).value()[0];
    for (const PairSearch way : {PairSearch::kEveryPair, PairSearch::kNearPairs}) {
      if (way == PairSearch::kNearPairs && metric != &cloud) continue;
      query.search = way;
      for (const bool minima : {false, true}) {
        const auto whole =
            minima ? find_local_minima(*metric, query).value() : find_pairs_under(*metric, query).value();
        ASSERT_FALSE(whole.pairs.empty());
        const auto search = RowSearch::create(*metric, query, minima).value();
        EXPECT_EQ(search.way(), way);
        for (int round = 0; round < 3; ++round) {
          PairsFound joined;
          for (const RowRange& rows : random_rows(set->frames(), random)) {
            const PairsFound part = search.find(rows).value();
            for (const SimilarPair& pair : part.pairs) {
              EXPECT_GE(pair.a, rows.begin);
              EXPECT_LT(pair.a, rows.end);
            }
            joined.pairs.insert(joined.pairs.end(), part.pairs.begin(), part.pairs.end());
            joined.stats.compared += part.stats.compared;
            joined.stats.skipped += part.stats.skipped;
          }
          EXPECT_EQ(joined.pairs, whole.pairs);
          EXPECT_EQ(joined.stats.compared + joined.stats.skipped, whole.stats.compared + whole.stats.skipped);
          EXPECT_EQ(joined.stats.compared, whole.stats.compared);
        }
      }
    }
  }
}

TEST(RowSearch, RowsThatAreNotThereHoldNothing) {
  const PointCloud cloud = PointCloud::create(awkward_rows()).value();
  PairQuery query;
  query.threshold = 10;
  const auto search = RowSearch::create(cloud, query, false).value();
  EXPECT_TRUE(search.find({40, 40}).value().pairs.empty());
  EXPECT_TRUE(search.find({100000, 200000}).value().pairs.empty());
}

}  // namespace
}  // namespace loom::compare
