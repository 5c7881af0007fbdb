// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/plan/weight_path.h>
#include <loom/plan/weight_search.h>

namespace loom::plan {
namespace {

constexpr std::size_t kLast = 20, kMiddle = 10;

/// A corridor in time in which the share of one of two examples must stay: everything is known of it.
struct Corridor {
  std::vector<float> low, high;  ///< by slice

  [[nodiscard]] bool free(std::size_t slice, float share) const { return share >= low[slice] && share <= high[slice]; }
};

Corridor random_corridor(Random& random) {
  Corridor corridor{std::vector<float>(kLast + 1, 0.0f), std::vector<float>(kLast + 1, 1.0f)};
  for (std::size_t s = 6; s < 15; ++s) {
    const auto middle = static_cast<float>(random.uniform());
    corridor.low[s] = middle - 0.25f;
    corridor.high[s] = middle + 0.25f;
    if (random.index(3) == 0) corridor.low[s] = 0, corridor.high[s] = 1;
  }
  return corridor;
}

/// Whether any path through shares in steps of a twentieth, changing by one step a slice at most, keeps free: what a
/// narrower search can do, a wider one can as well.
bool brute(const Corridor& corridor) {
  constexpr int kShares = 21;
  std::vector<bool> reached(kShares, false);
  reached[kMiddle] = corridor.free(0, 0.5f);
  for (std::size_t s = 1; s <= kLast; ++s) {
    std::vector<bool> next(kShares, false);
    for (int i = 0; i < kShares; ++i) {
      for (int from = std::max(0, i - 1); from <= std::min(kShares - 1, i + 1); ++from) {
        if (reached[static_cast<std::size_t>(from)] && corridor.free(s, static_cast<float>(i) / 20)) {
          next[static_cast<std::size_t>(i)] = true;
        }
      }
    }
    reached = next;
  }
  return reached[kMiddle];
}

TEST(WeightSearch, WhatItFindsIsFreeAllTheWayAndEndsWithTheWantedWeights) {
  Random random(5);
  std::size_t found = 0, possible = 0, found_possible = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    const Corridor corridor = random_corridor(random);
    const std::vector<float> wanted = {0.5f, 0.5f};
    const IsFree is_free = [&](std::size_t slice, std::span<const float> weights) {
      return corridor.free(slice, weights[0]);
    };
    WeightSearchOptions options;
    options.seed = round + 1;
    options.step = 2;
    const WeightSearch search = search_weights(0, kLast, wanted, is_free, options);
    const bool can = brute(corridor);
    possible += can ? 1 : 0;
    if (!search.way) continue;
    ++found;
    found_possible += can ? 1 : 0;
    const WeightPath path{*search.way};
    EXPECT_EQ(path.nodes.front().slice, 0u);
    EXPECT_EQ(path.nodes.back().slice, kLast);
    EXPECT_EQ(path.nodes.front().weights, wanted);
    EXPECT_EQ(path.nodes.back().weights, wanted);
    std::vector<float> weights(2);
    for (std::size_t s = 0; s <= kLast; ++s) {
      path.at(static_cast<double>(s), weights);
      EXPECT_NEAR(weights[0] + weights[1], 1, 1e-5);
      EXPECT_TRUE(corridor.free(s, weights[0])) << "round " << round << ", slice " << s;
    }
    for (std::size_t i = 1; i < path.nodes.size(); ++i) EXPECT_LT(path.nodes[i - 1].slice, path.nodes[i].slice);
  }
  EXPECT_GT(possible, 30u);
  EXPECT_GE(found_possible, possible * 9 / 10) << "of what a narrower brute search can do";
}

TEST(WeightSearch, GivesUpWhereThereIsNoWay) {
  const IsFree is_free = [](std::size_t slice, std::span<const float>) { return slice != 10; };
  WeightSearchOptions options;
  options.most_expansions = 50;
  const WeightSearch search = search_weights(0, kLast, std::vector<float>{0.5f, 0.5f}, is_free, options);
  EXPECT_FALSE(search.way);
  EXPECT_EQ(search.expansions, 50u);
}

TEST(WeightSearch, IsTheSameForTheSameSeed) {
  Random random(9);
  const Corridor corridor = random_corridor(random);
  const IsFree is_free = [&](std::size_t slice, std::span<const float> weights) {
    return corridor.free(slice, weights[0]);
  };
  const auto once = search_weights(0, kLast, std::vector<float>{0.5f, 0.5f}, is_free);
  const auto again = search_weights(0, kLast, std::vector<float>{0.5f, 0.5f}, is_free);
  EXPECT_EQ(once.tests, again.tests);
  EXPECT_EQ(once.way.has_value(), again.way.has_value());
}

TEST(WeightPath, StaysOutsideItsNodesAndEasesBetweenThem) {
  const WeightPath path{{{2, {1, 0}}, {6, {0, 1}}}};
  std::vector<float> weights(2);
  path.at(0, weights);
  EXPECT_EQ(weights, (std::vector<float>{1, 0}));
  path.at(9, weights);
  EXPECT_EQ(weights, (std::vector<float>{0, 1}));
  path.at(4, weights);
  EXPECT_FLOAT_EQ(weights[0], 0.5f);
  path.at(3, weights);
  EXPECT_FLOAT_EQ(weights[1], 0.25f * 0.25f * (3 - 0.5f));
}

}  // namespace
}  // namespace loom::plan
