// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <loom/compare/all_pairs.h>
#include <loom/compare/cpu/cpu_tile.h>
#include <loom/io/read.h>

#include "tests/compare/make_set.h"
#include "tests/shared_data.h"

namespace loom::compare::cpu {
namespace {

using testing::random_frame_set;

struct Error {
  double largest = 0;          ///< of a distance, against the metric's own
  double share_of_margin = 0;  ///< the largest part of its margin an error takes
  std::size_t pairs = 0;
};

/// Compares a filled tile with the metric, pair by pair; what is not comparable must be infinite.
void check_tile(const Metric& metric, const Tile& tile, Error& error) {
  const std::size_t frames = metric.frames().frames();
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t lane = 0; lane < kBandLanes; ++lane) {
      const std::size_t i = tile.row + r, j = i + tile.diagonal + lane;
      const float distance = tile.at(static_cast<std::ptrdiff_t>(r))[lane];
      const bool outside = r >= tile.rows || lane >= kBandWidth || j >= frames;
      if (outside || !metric.comparable(i) || !metric.comparable(j)) {
        ASSERT_EQ(distance, kInfinity);
        continue;
      }
      const double exact = metric.distance(i, j), wrong = std::abs(distance - exact);
      error.largest = std::max(error.largest, wrong);
      error.share_of_margin =
          std::max(error.share_of_margin, wrong / (tile.absolute_margin + tile.relative_margin * exact + 1e-30));
      ++error.pairs;
    }
  }
}

Error cloud_error(const PointCloud& metric, std::size_t row_step, std::size_t diagonal_step) {
  Tile tile;
  CloudPanel panel;
  Error error;
  const std::size_t frames = metric.frames().frames();
  for (std::size_t diagonal = 1; diagonal < frames; diagonal += diagonal_step) {
    for (std::size_t row = 0; row + diagonal < frames; row += row_step) {
      tile.row = row;
      tile.rows = std::min(kTileRows, frames - row);
      tile.diagonal = diagonal;
      pack_cloud(metric.table(), tile, panel);
      fill_cloud_tile(panel, tile);
      check_tile(metric, tile, error);
    }
  }
  return error;
}

TEST(CloudTile, ErrorsStayWithinTheMargin) {
  const auto set = random_frame_set({200, 30, 90}, 1);
  for (const std::size_t half : {0, 2, 5}) {
    const Error error = cloud_error(PointCloud::create(set, {half, 0, {}}).value(), 77, 100);
    EXPECT_GT(error.pairs, 10000u);
    EXPECT_LT(error.share_of_margin, 1);
    EXPECT_LT(error.largest, 1e-5);
  }
}

TEST(CloudTile, ErrorsStayWithinTheMarginFarFromTheOriginAndAtSpeed) {
  const auto skeleton = testing::small_person();
  std::vector<motion::Clip> clips;
  for (std::uint64_t n = 0; n < 3; ++n) {
    clips.push_back(testing::random_clip(skeleton, 150, 30, n));
    for (std::size_t f = 0; f < 150; ++f) clips.back().roots[f].x += 500.0f + 0.3f * static_cast<float>(f);  // 9 m/s
  }
  const Error error = cloud_error(PointCloud::create(testing::frame_set(clips)).value(), 96, kBandWidth);
  EXPECT_LT(error.share_of_margin, 1);
  EXPECT_LT(error.largest, 1e-3);
}

TEST(CloudTile, RealCaptureIsWrongByLessThanFiveSquareMillimetres) {
  LOOM_REQUIRE_MOCAP();
  std::vector<motion::Clip> clips;
  for (const char* file : {"16_22.bvh", "16_35.bvh", "69_02.bvh", "16_57.bvh"}) {
    auto read = io::read_motion((testing::mocap_folder() / "cmu30" / file).string());
    ASSERT_TRUE(read) << file;
    clips.push_back(read->front().clip);
    clips.back().skeleton = clips.front().skeleton;
    clips.back().rate = clips.front().rate;
  }
  const Error error = cloud_error(PointCloud::create(testing::frame_set(clips)).value(), 96, kBandWidth);
  RecordProperty("largest_error_per_billion", static_cast<int>(1e9 * error.largest));
  EXPECT_LT(error.share_of_margin, 1);
  EXPECT_LT(error.largest, 5e-6);  // and transitions are good up to some 1e-3 square metres
}

TEST(AngleTile, ErrorsStayWithinTheMargin) {
  const auto set = random_frame_set({200, 30, 90}, 2);
  const auto metric = JointAngles::create(set, {0.2, uniform_weights(*set->skeleton)}).value();
  Tile tile;
  AnglePanel panel;
  Error error;
  for (std::size_t diagonal = 1; diagonal < 320; diagonal += 60) {
    for (std::size_t row = 0; row + diagonal < 320; row += 90) {
      tile.row = row;
      tile.rows = std::min(kTileRows, 320 - row);
      tile.diagonal = diagonal;
      pack_angles(metric.table(), tile, panel);
      fill_angle_tile(panel, tile);
      check_tile(metric, tile, error);
    }
  }
  EXPECT_GT(error.pairs, 10000u);
  EXPECT_LT(error.share_of_margin, 1);
}

/// Runs `body` once for every vector unit this machine can pretend to have, then leaves all as it was.
template <typename Body>
void for_vector_units(const Body& body) {
  for (const std::int64_t unit : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(unit);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(VectorUnits, AllStayWithinTheMargin) {
  const auto metric = PointCloud::create(random_frame_set({130, 100}, 3)).value();
  std::vector<std::string> seen;
  for_vector_units([&] {
    seen.emplace_back(vector_target());
    EXPECT_LT(cloud_error(metric, 96, kBandWidth).share_of_margin, 1) << vector_target();
  });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(VectorUnits, FindTheSamePairsToTheLastBit) {
  const auto set = random_frame_set({300, 250}, 4);
  const auto cloud = PointCloud::create(set).value();
  const auto angles = JointAngles::create(set).value();
  for (const Metric* metric : {static_cast<const Metric*>(&cloud), static_cast<const Metric*>(&angles)}) {
    PairQuery query;
    query.threshold = distance_quantiles(*metric, std::vector{0.3}).value()[0];
    const auto minima = find_local_minima(*metric, query).value();
    const auto under = find_pairs_under(*metric, query).value();
    for_vector_units([&] {
      EXPECT_EQ(find_local_minima(*metric, query).value().pairs, minima.pairs) << vector_target();
      EXPECT_EQ(find_pairs_under(*metric, query).value().pairs, under.pairs) << vector_target();
    });
  }
}

TEST(VectorUnits, FindTheSameNearPairsToTheLastBit) {
  const auto cloud = PointCloud::create(random_frame_set({300, 250}, 5)).value();
  for (const double share : {0.1, 0.3}) {
    PairQuery query;
    query.threshold = distance_quantiles(cloud, std::vector{share}).value()[0];
    query.search = PairSearch::kEveryPair;
    const auto minima = find_local_minima(cloud, query).value();
    const auto under = find_pairs_under(cloud, query).value();
    query.search = PairSearch::kNearPairs;
    EXPECT_GT(under.pairs.size(), 0u);
    for_vector_units([&] {
      EXPECT_EQ(find_local_minima(cloud, query).value().pairs, minima.pairs) << vector_target();
      EXPECT_EQ(find_pairs_under(cloud, query).value().pairs, under.pairs) << vector_target();
    });
  }
}

}  // namespace
}  // namespace loom::compare::cpu
