// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/compare/clusters.h>
#include <loom/compare/k_means.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using motion::Stance;
using testing::random_frame_set;

std::vector<Stance> striped_stances(std::size_t frames) {
  std::vector<Stance> stances(frames);
  for (std::size_t f = 0; f < frames; ++f) stances[f] = static_cast<Stance>(f / 8 % 4);
  return stances;
}

TEST(KMeans, FindsGroupsThatLieApart) {
  Random random(1);
  std::vector<float> points;
  std::vector<int> truth;
  for (int n = 0; n < 300; ++n) {
    const int group = static_cast<int>(random.index(5));
    truth.push_back(group);
    for (int w = 0; w < 11; ++w) {
      points.push_back(static_cast<float>(10 * (group * (w + 1) % 7) + random.uniform(-0.5, 0.5)));
    }
  }
  const auto found = k_means(points, 11, 5, 50, 3);
  for (std::size_t a = 0; a < truth.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_EQ(found[a] == found[b], truth[a] == truth[b]);
  }
}

TEST(KMeans, EveryPointEndsWithItsNearestMean) {
  Random random(2);
  constexpr std::size_t kWidth = 9, kPoints = 400, kGroups = 7;
  std::vector<float> points(kWidth * kPoints);
  for (float& coordinate : points) coordinate = static_cast<float>(random.normal());
  const auto found = k_means(points, kWidth, kGroups, 1000, 4);
  std::vector<double> means(kGroups * kWidth), members(kGroups);
  for (std::size_t n = 0; n < kPoints; ++n) {
    ++members[found[n]];
    for (std::size_t w = 0; w < kWidth; ++w) means[found[n] * kWidth + w] += points[n * kWidth + w];
  }
  const auto squared = [&](std::size_t n, std::size_t c) {
    double sum = 0;
    for (std::size_t w = 0; w < kWidth; ++w) {
      const double d = points[n * kWidth + w] - means[c * kWidth + w] / members[c];
      sum += d * d;
    }
    return sum;
  };
  for (std::size_t n = 0; n < kPoints; ++n) {
    for (std::size_t c = 0; c < kGroups; ++c) EXPECT_LE(squared(n, found[n]), squared(n, c) + 1e-5);
  }
}

TEST(KMeans, SameGroupsWithOneAndTwoThreads) {
  Random random(3);
  std::vector<float> points(20000);
  for (float& coordinate : points) coordinate = static_cast<float>(random.normal());
  const auto many = k_means(points, 10, 12, 40, 5);
  const ThreadLimit one(1);
  EXPECT_EQ(k_means(points, 10, 12, 40, 5), many);
}

TEST(KMeans, FewerPointsThanGroups) {
  EXPECT_TRUE(k_means({}, 3, 4, 10, 1).empty());
  const std::vector<float> same(12, 1.0f);
  for (const std::uint32_t group : k_means(same, 3, 8, 10, 1)) EXPECT_EQ(group, 0u);
}

TEST(ClusterFrames, FramesOfDifferentStanceAreNeverTogether) {
  const auto set = random_frame_set({150, 100}, 1);
  const auto metric = PointCloud::create(set).value();
  const auto stances = striped_stances(set->frames());
  const Clusters clusters = cluster_frames(metric, stances, {3, 20, 1}).value();
  EXPECT_LE(clusters.count, 12u);
  EXPECT_GT(clusters.count, 4u);
  for (std::size_t i = 0; i < set->frames(); ++i) {
    EXPECT_EQ(clusters.of_frame[i] == kNoCluster, !metric.comparable(i));
    for (std::size_t j = 0; j < i; ++j) {
      if (clusters.of_frame[i] == kNoCluster || clusters.of_frame[i] != clusters.of_frame[j]) continue;
      EXPECT_EQ(stances[i], stances[j]);
    }
  }
}

TEST(ClusterFrames, BlindToPlaceAndHeading) {
  // A clip and the same clip elsewhere on the floor fall into the same clusters, frame by frame.
  const motion::Clip clip = testing::random_clip(testing::small_person(), 120, 30, 2);
  motion::Clip moved = clip;
  motion::move(moved, {5, 2, 1.5f});
  const auto metric = PointCloud::create(testing::frame_set({clip, moved})).value();
  const Clusters clusters = cluster_frames(metric, {}, {6, 30, 1}).value();
  std::size_t together = 0;
  for (std::size_t f = 5; f < 115; ++f) together += clusters.of_frame[f] == clusters.of_frame[120 + f];
  EXPECT_GE(together, 108u);  // a frame half-way between two means may go either way
}

TEST(FindPairsInClusters, FindsWhatComparingAllFindsWithinClusters) {
  const auto set = random_frame_set({300, 1, 200}, 3);
  const auto metric = PointCloud::create(set).value();
  const auto stances = striped_stances(set->frames());
  const Clusters clusters = cluster_frames(metric, stances, {3, 20, 1}).value();
  PairQuery query;
  query.threshold = distance_quantiles(metric, std::vector{0.4}).value()[0];
  for (const bool minima : {false, true}) {
    const auto all = minima ? find_local_minima(metric, query).value() : find_pairs_under(metric, query).value();
    std::vector<SimilarPair> within;
    for (const SimilarPair& pair : all.pairs) {
      if (clusters.of_frame[pair.a] == clusters.of_frame[pair.b]) within.push_back(pair);
    }
    const auto found = find_pairs_in_clusters(metric, clusters, query, minima).value();
    EXPECT_GT(within.size(), 0u);
    EXPECT_EQ(found.pairs, within);
    const ClusterMeasure measure = measure_clusters(clusters, all.pairs);
    EXPECT_EQ(measure.kept, within.size());
    EXPECT_EQ(measure.wanted, all.pairs.size());
    EXPECT_EQ(measure.all_pairs, all.stats.compared);
    EXPECT_EQ(measure.compared_pairs, found.stats.compared);
    EXPECT_LT(measure.recall(), 1.0);
  }
}

TEST(FindPairsInClusters, OneClusterMissesNothing) {
  const auto metric = PointCloud::create(random_frame_set({200, 150}, 4)).value();
  const Clusters clusters = cluster_frames(metric, {}, {1, 20, 1}).value();
  PairQuery query;
  query.threshold = distance_quantiles(metric, std::vector{0.1}).value()[0];
  const auto all = find_pairs_under(metric, query).value();
  EXPECT_EQ(find_pairs_in_clusters(metric, clusters, query).value().pairs, all.pairs);
  EXPECT_EQ(measure_clusters(clusters, all.pairs).recall(), 1.0);
}

TEST(FindPairsInClusters, RefusesWhatDoesNotFit) {
  const auto metric = PointCloud::create(random_frame_set({50}, 5)).value();
  EXPECT_FALSE(cluster_frames(metric, {}, {0, 20, 1}));
  EXPECT_FALSE(cluster_frames(metric, std::vector<Stance>(3), {}));
  PairQuery query;
  query.threshold = 1e6;
  EXPECT_FALSE(find_pairs_in_clusters(metric, {std::vector<std::uint32_t>(3), 1}, query));
  query.max_pairs = 10;
  EXPECT_FALSE(find_pairs_in_clusters(metric, cluster_frames(metric, {}, {1, 20, 1}).value(), query));
}

}  // namespace
}  // namespace loom::compare
