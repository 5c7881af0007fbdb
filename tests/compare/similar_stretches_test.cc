// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/similar_stretches.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::compare {
namespace {

/// The least sum of costs of a warp of rows [0, row] that ends in `column`, by trying every one.
double slowly(std::span<const float> matrix, std::size_t columns, std::size_t row, std::size_t column, bool may_stay,
              std::size_t& begin) {
  const double here = static_cast<double>(matrix[row * columns + column]);
  if (row == 0) {
    begin = column;
    return here;
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t by = may_stay ? 0 : 1; by <= kMostSpeed; ++by) {
    if (by > column) continue;
    std::size_t from = 0;
    const double sum = slowly(matrix, columns, row - 1, column - by, by > 0, from);
    if (sum < least) {
      least = sum;
      begin = from;
    }
  }
  return least + here;
}

TEST(WarpEnds, AreTheCheapestOfAllWarpsThereAre) {
  Random random(5);
  for (std::size_t rows : {1, 2, 3, 5, 8}) {
    for (std::size_t columns : {1, 2, 4, 11}) {
      std::vector<float> matrix(rows * columns);
      for (float& value : matrix) value = static_cast<float>(random.uniform(0, 1));
      const auto ends = warp_ends(matrix, rows, columns);
      ASSERT_EQ(ends.size(), columns);
      for (std::size_t c = 0; c < columns; ++c) {
        std::size_t begin = 0;
        const double least = slowly(matrix, columns, rows - 1, c, true, begin) / static_cast<double>(rows);
        if (!std::isfinite(least)) {
          EXPECT_FALSE(std::isfinite(ends[c].cost));
          continue;
        }
        EXPECT_NEAR(ends[c].cost, least, 1e-5) << rows << " × " << columns << " at " << c;
        EXPECT_EQ(ends[c].begin, begin);
      }
    }
  }
}

/// Walks of several speeds and random motion, compared by clouds.
class SimilarStretchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<motion::Clip> clips;
    for (const double speed : {1.1, 1.0, 1.3, 0.8}) {
      testing::Gait gait;
      gait.speed = speed;
      gait.seconds = 4;
      clips.push_back(testing::make_gait(gait).clip);
    }
    motion::Clip other = testing::random_clip(clips[0].skeleton, 150, clips[0].rate, 3);
    clips.push_back(other);
    set_ = std::make_shared<FrameSet>(make_frame_set(clips).value());
    metric_ = std::make_unique<PointCloud>(PointCloud::create(set_).value());
  }
  std::shared_ptr<const FrameSet> set_;
  std::unique_ptr<PointCloud> metric_;
};

TEST_F(SimilarStretchesTest, StripsAreTheDistancesWhereverTheFramesLie) {
  const FrameSpan middle = comparable_frames(*metric_, 2);
  const FrameSpan rows{middle.begin + 20, middle.begin + 50};
  for (std::size_t clip = 0; clip < set_->clips(); ++clip) {
    for (const FrameSpan columns : {comparable_frames(*metric_, clip), FrameSpan{rows.begin - 7, rows.begin + 12},
                                    FrameSpan{rows.begin + 3, rows.end + 9}, FrameSpan{rows.begin + 4, rows.end - 4}}) {
      const std::size_t stride = columns.size() + 3;
      std::vector<float> out(rows.size() * stride, -1);
      cost_strip(*metric_, rows, columns, out, stride);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
          ASSERT_NEAR(out[i * stride + j], metric_->distance(rows.begin + i, columns.begin + j), 2e-5);
        }
        for (std::size_t j = columns.size(); j < stride; ++j) ASSERT_EQ(out[i * stride + j], -1);
      }
    }
  }
}

TEST_F(SimilarStretchesTest, TheNearestIsTheNearestOfAll) {
  const FrameSpan first = comparable_frames(*metric_, 0);
  const FrameSpan example{first.begin + 10, first.begin + 22};
  SimilarOptions options;
  options.through_matches = false;
  options.most = 5;
  options.limit = 1;
  const auto found = find_similar_stretches(*metric_, example, options);
  ASSERT_TRUE(found) << found.error().to_string();
  ASSERT_EQ(found->found.size(), 5U);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t clip = 0; clip < set_->clips(); ++clip) {
    const FrameSpan columns = comparable_frames(*metric_, clip);
    std::vector<float> matrix;
    for (std::size_t i = example.begin; i < example.end; ++i) {
      for (std::size_t j = columns.begin; j < columns.end; ++j) {
        matrix.push_back(static_cast<float>(metric_->distance(i, j)));
      }
    }
    for (std::size_t c = 0; c < columns.size(); c += clip == 0 ? 1 : 3) {
      std::size_t begin = 0;
      const double sum = slowly(matrix, columns.size(), example.size() - 1, c, true, begin);
      const FrameSpan told{columns.begin + begin, columns.begin + c + 1};
      const bool itself = told.begin < example.end && told.end > example.begin;
      if (!itself && told.size() >= example.size() / 2)
        least = std::min(least, sum / static_cast<double>(example.size()));
    }
  }
  EXPECT_LE(found->found.front().distance, least + 1e-5);
  EXPECT_GT(found->found.front().distance, 0);
  for (std::size_t i = 0; i < found->found.size(); ++i) {
    const SimilarStretch& one = found->found[i];
    EXPECT_EQ(one.through, -1);
    EXPECT_EQ(one.step, one.distance);
    EXPECT_NEAR(one.from_example, one.distance, 1e-6);
    EXPECT_NE(one.clip, 4U) << "random motion is not like a walk";
    EXPECT_LE(one.frames.size(), 2 * example.size());
    EXPECT_GE(2 * one.frames.size(), example.size());
    for (std::size_t k = 0; k < i; ++k) {
      const FrameSpan other = found->found[k].frames;
      EXPECT_LE(found->found[k].rank(), one.rank());
      const std::size_t begin = std::max(other.begin, one.frames.begin), end = std::min(other.end, one.frames.end);
      if (begin < end) {
        EXPECT_LE(2 * (end - begin), std::min(other.size(), one.frames.size()));
      }
    }
  }
}

TEST(SimilarStretches, WhatIsFurtherIsReachedOverWhatLiesBetween) {
  std::vector<motion::Clip> clips;
  for (const double speed : {0.8, 0.9, 1.0, 1.1, 1.2}) {
    testing::Gait gait;
    gait.speed = speed;
    gait.seconds = 3;
    clips.push_back(testing::make_gait(gait).clip);
  }
  const auto set = std::make_shared<FrameSet>(make_frame_set(clips).value());
  const auto metric = PointCloud::create(set).value();
  const FrameSpan first = comparable_frames(metric, 0);
  const FrameSpan example{first.begin + 10, first.begin + 40};
  SimilarOptions options;
  options.most = 100;
  options.through_matches = false;
  options.limit = 1;
  double second = 0;  // what the next faster walk is away
  const auto everything = find_similar_stretches(metric, example, options).value();
  for (const SimilarStretch& one : everything.found) {
    if (one.clip == 1 && second == 0) second = one.distance;
  }
  ASSERT_GT(second, 0);
  options.limit = 1.5 * second;
  const auto near = find_similar_stretches(metric, example, options).value();
  EXPECT_EQ(near.searches, 1U);
  for (const SimilarStretch& one : near.found) EXPECT_LE(one.clip, 1U) << "faster walks are further than the limit";
  options.through_matches = true;
  const auto all = find_similar_stretches(metric, example, options).value();
  std::vector<bool> reached(clips.size());
  for (std::size_t i = 0; i < all.found.size(); ++i) {
    const SimilarStretch& one = all.found[i];
    reached[one.clip] = true;
    EXPECT_LE(one.step, options.limit);
    ASSERT_LT(one.through, static_cast<std::int32_t>(all.found.size()));
    const double before = one.through < 0 ? 0 : all.found[static_cast<std::size_t>(one.through)].step;
    EXPECT_EQ(one.step, std::max(before, one.distance)) << "the largest on the way";
    EXPECT_NEAR(one.rank() * one.rank(), one.step * one.from_example, 1e-12);
    if (i > 0) {
      EXPECT_GE(one.rank(), all.found[i - 1].rank());
    }
    if (one.clip > 1) {
      EXPECT_GT(one.from_example, options.limit);
    }
  }
  EXPECT_THAT(reached, ::testing::Each(true)) << "every step of 0.1 m/s is small enough";
}

TEST_F(SimilarStretchesTest, ExamplesAtTheEndOfAClipAreCountedInFull) {
  const auto found = find_similar_stretches(*metric_, {0, 30});
  ASSERT_TRUE(found) << found.error().to_string();
  ASSERT_FALSE(found->found.empty());
  EXPECT_GE(found->found.front().frames.size(), 20U);
}

TEST_F(SimilarStretchesTest, BadExamplesAreRefused) {
  const std::size_t end = set_->starts[1];
  EXPECT_FALSE(find_similar_stretches(*metric_, {end - 5, end + 5})) << "of two clips";
  EXPECT_FALSE(find_similar_stretches(*metric_, {20, 20}));
  EXPECT_FALSE(find_similar_stretches(*metric_, {0, 6})) << "where no distance is defined";
  EXPECT_FALSE(find_similar_stretches(*metric_, {set_->frames() - 1, set_->frames() + 30}));
  const Progress stop([](double, std::string_view) { return false; });
  const auto stopped = find_similar_stretches(*metric_, {10, 40}, {}, stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace loom::compare
