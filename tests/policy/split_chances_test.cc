// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/policy/detail/expectation.h>
#include <loom/policy/detail/split_chances.h>
#include <loom/policy/player_model.h>
#include <loom/policy/simulated_player.h>

namespace loom::policy {
namespace {

std::size_t entries(const std::vector<double>& values) {
  return values.size() - static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
}

/// The table put together again is the table.
void expect_whole(const SplitChances& split, const std::vector<double>& chances, std::size_t size) {
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t d = 0; d < size; ++d) {
      const double common = split.common.empty() ? 0 : split.share[c] * split.common[d];
      ASSERT_NEAR(common + split.rest[c * size + d], chances[c * size + d], 2e-15);
    }
  }
}

std::vector<double> players_model(const ControlSpace& space) {
  SimulationOptions options;
  options.traces = 7;
  options.seconds = 60;
  const auto traces = simulate_players(options);
  return count_player_model(space, traces, 0.1)->next;
}

TEST(SplitChances, WhatPlayersDoIsMostlyOneDistribution) {
  const ControlSpace space = usual_control_space();
  const auto chances = players_model(space);
  const SplitChances split = split_chances(chances, space.bins.size());
  ASSERT_FALSE(split.common.empty());
  expect_whole(split, chances, space.bins.size());
  EXPECT_LT(entries(split.rest), entries(chances) / 2);
}

TEST(SplitChances, EverythingMayComeNextIsCommonAltogether) {
  const std::vector<double> chances(20 * 20, 1.0 / 20);
  const SplitChances split = split_chances(chances, 20);
  ASSERT_FALSE(split.common.empty());
  expect_whole(split, chances, 20);
  EXPECT_LE(entries(split.rest), 20u);
}

TEST(SplitChances, WhatHasNothingInCommonStaysWhole) {
  Random random(4);
  std::vector<double> chances(16 * 16);
  for (double& c : chances) c = random.uniform();
  const SplitChances split = split_chances(chances, 16);
  EXPECT_TRUE(split.common.empty());
  EXPECT_EQ(split.rest, chances);
  const SplitChances one = split_chances(std::vector<double>{1}, 1);
  EXPECT_EQ(one.rest, std::vector<double>{1});
}

TEST(Expectation, IsTheSumOverAllNextControls) {
  const ControlSpace space = usual_control_space();
  DecisionProblem problem;
  problem.states = 37;
  problem.controls = space.bins.size();
  problem.next_control = players_model(space);
  problem.discount = 0.97;
  Random random(2);
  std::vector<double> reward(problem.states * problem.controls), future(reward.size());
  for (double& r : reward) r = random.uniform(0, 30);
  Expectation(problem).find(reward, future);
  for (std::size_t c = 0; c < problem.controls; ++c) {
    for (std::size_t s = 0; s < problem.states; ++s) {
      double sum = 0;
      for (std::size_t d = 0; d < problem.controls; ++d) {
        sum += problem.next_control[c * problem.controls + d] * reward[d * problem.states + s];
      }
      ASSERT_NEAR(future[c * problem.states + s], 0.97 * sum, 1e-11);
    }
  }
}

}  // namespace
}  // namespace loom::policy
