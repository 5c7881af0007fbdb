// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::random_frame_set;

/// Frames enough for several tiles and bands, with clips shorter than a window, of one frame, and of odd lengths.
std::shared_ptr<const FrameSet> awkward_set() { return random_frame_set({90, 7, 11, 1, 280, 12, 70}, 1); }

std::vector<SimilarPair> pairs_one_by_one(const Metric& metric, const PairQuery& query) {
  std::vector<SimilarPair> pairs;
  const std::size_t frames = metric.frames().frames();
  for (std::size_t i = 0; i < frames; ++i) {
    for (std::size_t j = i + 1; j < frames; ++j) {
      if (!metric.comparable(i) || !metric.comparable(j)) continue;
      const bool same = metric.frames().address(i).clip == metric.frames().address(j).clip;
      if (same && j - i < query.min_gap) continue;
      const double distance = metric.distance(i, j);
      if (distance <= query.threshold) {
        pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<float>(distance)});
      }
    }
  }
  return pairs;
}

/// The matrix of distances a clip pair at a time: every entry and its neighbours within the two clips.
std::vector<SimilarPair> minima_one_by_one(const Metric& metric, const PairQuery& query) {
  std::vector<SimilarPair> minima;
  for (const SimilarPair& pair : pairs_one_by_one(metric, query)) {
    const double distance = metric.distance(pair.a, pair.b);
    const FrameAddress at_i = metric.frames().address(pair.a), at_j = metric.frames().address(pair.b);
    bool least = true;
    for (int a = -1; a <= 1; ++a) {
      for (int b = -1; b <= 1; ++b) {
        const long i = static_cast<long>(pair.a) + a, j = static_cast<long>(pair.b) + b;
        if ((a == 0 && b == 0) || i < 0 || j >= static_cast<long>(metric.frames().frames())) continue;
        const auto u = static_cast<std::size_t>(i), v = static_cast<std::size_t>(j);
        if (metric.frames().address(u).clip != at_i.clip || metric.frames().address(v).clip != at_j.clip) continue;
        if (!metric.comparable(u) || !metric.comparable(v)) continue;
        const double other = metric.distance(u, v);
        least = least && (other > distance || (other == distance && (a > 0 || (a == 0 && b > 0))));
      }
    }
    if (least) minima.push_back(pair);
  }
  return minima;
}

std::vector<std::unique_ptr<Metric>> metrics_of(const std::shared_ptr<const FrameSet>& set) {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::size_t half : {0, 1, 5, 7}) {
    metrics.push_back(std::make_unique<PointCloud>(PointCloud::create(set, {half, 0, {}}).value()));
  }
  const PointCloudOptions every_joint{5, 0, uniform_weights(*set->skeleton)};
  metrics.push_back(std::make_unique<PointCloud>(PointCloud::create(set, every_joint).value()));
  metrics.push_back(std::make_unique<JointAngles>(JointAngles::create(set).value()));
  const JointAngleOptions every_angle{0.3, uniform_weights(*set->skeleton)};
  metrics.push_back(std::make_unique<JointAngles>(JointAngles::create(set, every_angle).value()));
  JointAngleOptions with_spins = every_angle;
  with_spins.joint_velocity_weight = 0.1;
  metrics.push_back(std::make_unique<JointAngles>(JointAngles::create(set, with_spins).value()));
  return metrics;
}

TEST(FindPairsUnder, AgreesWithComparingOneByOne) {
  const auto set = awkward_set();
  for (const auto& metric : metrics_of(set)) {
    for (const double share : {0.05, 0.4, 1.0}) {
      PairQuery query;
      query.threshold = distance_quantiles(*metric, std::vector{share}, 5000).value()[0];
      const auto found = find_pairs_under(*metric, query).value();
      const auto expected = pairs_one_by_one(*metric, query);
      EXPECT_GT(expected.size(), 0u);
      EXPECT_EQ(found.pairs, expected);
    }
  }
}

TEST(FindLocalMinima, AgreesWithComparingOneByOne) {
  const auto set = awkward_set();
  for (const auto& metric : metrics_of(set)) {
    PairQuery query;
    query.threshold = distance_quantiles(*metric, std::vector{0.3}, 5000).value()[0];
    const auto found = find_local_minima(*metric, query).value();
    const auto expected = minima_one_by_one(*metric, query);
    EXPECT_GT(expected.size(), 0u);
    EXPECT_EQ(found.pairs, expected);
  }
}

/// Those metrics that near pairs are looked for of.
std::vector<std::unique_ptr<Metric>> clouds_of(const std::shared_ptr<const FrameSet>& set) {
  auto metrics = metrics_of(set);
  std::erase_if(metrics, [](const auto& metric) { return dynamic_cast<const PointCloud*>(metric.get()) == nullptr; });
  return metrics;
}

TEST(NearPairs, AreWhatComparingOneByOneGives) {
  const auto set = awkward_set();
  for (const auto& metric : clouds_of(set)) {
    for (const double share : {0.001, 0.05, 0.4}) {
      PairQuery query;
      query.search = PairSearch::kNearPairs;
      query.min_gap = share == 0.05 ? 1 : 11;  // beside the diagonal, too
      query.threshold = distance_quantiles(*metric, std::vector{share}, 5000).value()[0];
      const auto under = find_pairs_under(*metric, query).value();
      EXPECT_EQ(under.pairs, pairs_one_by_one(*metric, query));
      EXPECT_GE(under.stats.compared, under.pairs.size());
      EXPECT_EQ(find_local_minima(*metric, query).value().pairs, minima_one_by_one(*metric, query));
    }
  }
}

TEST(NearPairs, AreTheSameAsWithAllComparedAcrossStripsAndChunks) {
  // Long enough for several strips and chunks; clips far from the origin, so that rounding has something to round.
  std::vector<motion::Clip> clips;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    motion::Clip clip = testing::random_clip(testing::small_person(), 700, 30, 40 + seed % 4);  // two come twice
    for (Vec3& root : clip.roots) root.x += 30;
    clips.push_back(std::move(clip));
  }
  const auto metric = PointCloud::create(testing::frame_set(clips)).value();
  for (const double share : {0.0005, 0.01}) {
    PairQuery query;
    query.threshold = distance_quantiles(metric, std::vector{share}).value()[0];
    query.search = PairSearch::kEveryPair;
    const auto all = find_local_minima(metric, query).value();
    query.search = PairSearch::kNearPairs;
    const auto near = find_local_minima(metric, query).value();
    EXPECT_GT(all.pairs.size(), 0u);
    EXPECT_EQ(near.pairs, all.pairs);
    EXPECT_EQ(near.stats.compared + near.stats.skipped, all.stats.compared);
    EXPECT_EQ(all.stats.skipped, 0u);
    EXPECT_LT(near.stats.compared, all.stats.compared / 5);
    const ThreadLimit one(1);
    EXPECT_EQ(find_local_minima(metric, query).value().pairs, near.pairs);
  }
}

TEST(NearPairs, OfJointAnglesAreRefusedInWords) {
  const auto metric = JointAngles::create(random_frame_set({60}, 2)).value();
  PairQuery query;
  query.threshold = 1;
  query.search = PairSearch::kNearPairs;
  const auto found = find_pairs_under(metric, query);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("point clouds alone"), std::string::npos);
}

TEST(NearPairs, ObeyTheSameLimits) {
  const auto metric = PointCloud::create(random_frame_set({100, 100}, 9)).value();
  PairQuery query;
  query.threshold = 1e6;
  query.max_pairs = 1000;
  query.search = PairSearch::kNearPairs;
  const auto found = find_pairs_under(metric, query);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("more than 1000 pairs"), std::string::npos);
  query.max_pairs = 1000000;
  const auto stopped = find_pairs_under(metric, query, Progress([](double, std::string_view) { return false; }));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

TEST(FindLocalMinima, OneOfAPlateauCounts) {
  // A body that stands still: all distances are equal, and only the first pair is a minimum.
  const auto skeleton = testing::small_person();
  motion::Clip clip = testing::random_clip(skeleton, 2, 30, 3);
  for (int f = 0; f < 100; ++f) {
    clip.roots.push_back(clip.roots[0]);
    clip.rotations.insert(clip.rotations.end(), clip.rotations.begin(),
                          clip.rotations.begin() + static_cast<long>(clip.joints()));
  }
  clip = motion::cut(clip, 2, 102).value();
  const auto metric = PointCloud::create(testing::frame_set({clip, clip})).value();
  PairQuery query;
  query.threshold = 0.01;
  for (const PairSearch search : {PairSearch::kEveryPair, PairSearch::kNearPairs}) {
    query.search = search;
    const auto found = find_local_minima(metric, query).value();
    EXPECT_FALSE(found.pairs.empty());
    for (const SimilarPair& pair : found.pairs) {
      EXPECT_EQ(pair.a, 5u);
      EXPECT_TRUE(pair.b == 16u || pair.b == 105u) << pair.b;
    }
  }
}

TEST(FindPairsUnder, SameAnswerWithOneAndTwoThreads) {
  const auto metric = PointCloud::create(random_frame_set({1500, 1200, 900}, 5)).value();
  PairQuery query;
  query.threshold = distance_quantiles(metric, std::vector{0.05}).value()[0];
  const auto many = find_local_minima(metric, query).value();
  const ThreadLimit one(1);
  EXPECT_EQ(find_local_minima(metric, query).value().pairs, many.pairs);
}

TEST(FindPairsUnder, LeavesOutNearFramesOfTheSameClipOnly) {
  const auto metric = PointCloud::create(random_frame_set({60, 60}, 7)).value();
  PairQuery query;
  query.threshold = 1e6;
  query.min_gap = 30;
  std::size_t near = 0;
  const auto found = find_pairs_under(metric, query).value();
  for (const SimilarPair& pair : found.pairs) {
    const bool same = pair.b < 60 || pair.a >= 60;
    EXPECT_TRUE(!same || pair.b - pair.a >= 30);
    near += !same && pair.b - pair.a < 30;
  }
  EXPECT_GT(near, 0u);
}

TEST(FindPairsUnder, ContactRuleForbidsLeftWithRight) {
  using motion::Stance;
  const auto metric = PointCloud::create(random_frame_set({60, 60}, 8)).value();
  std::vector<Stance> stances(120);
  for (std::size_t f = 0; f < 120; ++f) stances[f] = static_cast<Stance>(f / 3 % 4);
  PairQuery query;
  query.threshold = 1e6;
  const auto all = find_pairs_under(metric, query).value();
  query.stances = stances;
  std::vector<SimilarPair> allowed;
  for (const SimilarPair& pair : all.pairs) {
    const Stance a = stances[pair.a], b = stances[pair.b];
    const bool crossed = (a == Stance::kLeft && b == Stance::kRight) || (a == Stance::kRight && b == Stance::kLeft);
    if (!crossed) allowed.push_back(pair);
  }
  EXPECT_LT(allowed.size(), all.pairs.size());
  EXPECT_EQ(find_pairs_under(metric, query).value().pairs, allowed);
}

TEST(FindPairsUnder, TooManyPairsAreAnErrorThatSaysSo) {
  const auto metric = PointCloud::create(random_frame_set({100, 100}, 9)).value();
  PairQuery query;
  query.threshold = 1e6;
  query.max_pairs = 1000;
  const auto found = find_pairs_under(metric, query);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("more than 1000 pairs"), std::string::npos);
}

TEST(FindPairsUnder, RefusesQueriesWithoutSense) {
  const auto metric = PointCloud::create(random_frame_set({100}, 10)).value();
  PairQuery query;
  query.threshold = std::nan("");
  EXPECT_FALSE(find_pairs_under(metric, query));
  query.threshold = -1;
  EXPECT_FALSE(find_local_minima(metric, query));
  query.threshold = 1;
  const std::vector<motion::Stance> too_few(3);
  query.stances = too_few;
  EXPECT_FALSE(find_pairs_under(metric, query));
  EXPECT_FALSE(distance_quantiles(metric, std::vector{1.5}));
}

TEST(FindPairsUnder, StopsWhenAsked) {
  const auto metric = PointCloud::create(random_frame_set({600}, 11)).value();
  const Progress stop([](double, std::string_view) { return false; });
  EXPECT_FALSE(find_pairs_under(metric, {1.0, 11, {}, 1000000}, stop));
}

TEST(DistanceQuantiles, AreCloseToThoseOfAllPairs) {
  const auto metric = JointAngles::create(random_frame_set({120, 120}, 12)).value();
  PairQuery query;
  query.threshold = 1e6;
  query.min_gap = 1;
  auto pairs = find_pairs_under(metric, query).value().pairs;
  std::sort(pairs.begin(), pairs.end(),
            [](const SimilarPair& a, const SimilarPair& b) { return a.distance < b.distance; });
  const auto quantiles = distance_quantiles(metric, std::vector{0.1, 0.5, 0.9}).value();
  const double shares[] = {0.1, 0.5, 0.9};
  for (int n = 0; n < 3; ++n) {
    const double exact = pairs[static_cast<std::size_t>(shares[n] * static_cast<double>(pairs.size()))].distance;
    EXPECT_NEAR(quantiles[static_cast<std::size_t>(n)], exact, 0.02 * exact);
  }
}

}  // namespace
}  // namespace loom::compare
