// SPDX-License-Identifier: MIT
// Where transitions lie: the fast searches against plain ones that try everything.
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/machine/detail/cycle.h>
#include <loom/machine/detail/warps.h>

namespace loom::machine {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

compare::CostMatrix random_matrix(Random& random, std::size_t rows, std::size_t columns) {
  compare::CostMatrix matrix{rows, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i) matrix.values.push_back(static_cast<float>(random.uniform()));
  return matrix;
}

/// What the chosen frames cost: the mean over all moments of the next transition's cost and the wait for it, by looking
/// at every moment.
double cost_of_choice(const std::vector<double>& costs, const std::vector<bool>& chosen, double waiting) {
  double sum = 0;
  for (std::size_t at = 0; at < costs.size(); ++at) {
    std::size_t wait = 0;
    while (!chosen[(at + wait) % costs.size()]) ++wait;
    // A moment lies anywhere between two frames: half a frame more to wait in the mean.
    sum += costs[(at + wait) % costs.size()] + waiting * (static_cast<double>(wait) + 0.5);
  }
  return sum;
}

/// Whether all gaps keep the limits.
bool keeps_limits(const std::vector<bool>& chosen, const PointLimits& limits) {
  const std::size_t count = chosen.size();
  for (std::size_t at = 0; at < count; ++at) {
    if (!chosen[at]) continue;
    std::size_t gap = 1;
    while (!chosen[(at + gap) % count]) ++gap;
    if (gap < limits.least_gap || gap > limits.most_gap) return false;
  }
  return true;
}

TEST(ChoosePoints, IsTheBestOfAllChoices) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const std::size_t count = 6 + random.index(7);
    std::vector<double> costs;
    for (std::size_t i = 0; i < count; ++i) costs.push_back(random.index(6) == 0 ? kNever : random.uniform());
    const PointLimits limits{1 + random.index(3), 2 + random.index(6), 0.3 * random.uniform()};
    double best = kNever;
    for (std::size_t mask = 1; mask < (std::size_t{1} << count); ++mask) {
      std::vector<bool> chosen(count);
      bool possible = true;
      for (std::size_t i = 0; i < count; ++i) {
        chosen[i] = (mask >> i & 1) != 0;
        possible = possible && !(chosen[i] && costs[i] == kNever);
      }
      if (possible && keeps_limits(chosen, limits))
        best = std::min(best, cost_of_choice(costs, chosen, limits.waiting));
    }
    const auto found = choose_points(costs, limits);
    ASSERT_EQ(found.empty(), best == kNever) << "round " << round;
    if (found.empty()) continue;
    std::vector<bool> chosen(count);
    for (const std::size_t at : found) chosen[at] = true;
    EXPECT_TRUE(keeps_limits(chosen, limits));
    EXPECT_NEAR(cost_of_choice(costs, chosen, limits.waiting), best, 1e-9) << "round " << round;
  }
}

TEST(ChoosePoints, MoreImpatienceMeansMorePoints) {
  Random random(6);
  std::vector<double> costs;
  for (int i = 0; i < 60; ++i) costs.push_back(random.uniform());
  const auto calm = choose_points(costs, {1, 60, 0.001}), hasty = choose_points(costs, {1, 60, 10});
  EXPECT_LT(calm.size(), 5u);
  EXPECT_EQ(hasty.size(), 60u);
}

TEST(StraightWarps, AreTheCheapestOfTheirRowsWithinTheRegion) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    const compare::CostMatrix matrix = random_matrix(random, 20, 24);
    const WarpRegion region{3, 12, 17, 2, 15, 21};
    const std::size_t rows = 2 + random.index(4);
    const std::vector<ThrownOut> out = {{6, 8}, {9.5, 4}};
    const auto found = find_straight_warps(matrix, region, rows, out, 2);
    ASSERT_EQ(found.size(), 10u);
    for (std::size_t row = 3; row <= 12; ++row) {
      double best = kNever;
      for (std::size_t column = 2; column <= 15; ++column) {
        const auto r = static_cast<double>(row), c = static_cast<double>(column);
        if ((std::abs(r - 6) <= 2 && std::abs(c - 8) <= 2) || (std::abs(r - 9.5) <= 2 && std::abs(c - 4) <= 2))
          continue;
        if (row + rows > 17) continue;
        for (const double slope : kWarpSlopes) {
          if (c + std::round(slope * static_cast<double>(rows)) > 21) continue;
          double sum = 0;
          for (std::size_t k = 0; k <= rows; ++k) {
            sum += static_cast<double>(
                matrix
                    .values[(row + k) * 24 + static_cast<std::size_t>(c + std::round(slope * static_cast<double>(k)))]);
          }
          best = std::min(best, sum / static_cast<double>(rows + 1));
        }
      }
      const StraightWarp& warp = found[row - 3];
      ASSERT_EQ(warp.row, row);
      if (best == kNever) {
        EXPECT_EQ(warp.cost, kNever);
        continue;
      }
      EXPECT_NEAR(warp.cost, best, 1e-12);
      EXPECT_LE(static_cast<double>(warp.column) + warp.columns, 21.5);
    }
  }
}

TEST(FindCycle, IsTheLongestOfTheCheapest) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    compare::CostMatrix matrix = random_matrix(random, 40, 40);
    for (float& value : matrix.values) value *= 0.01f;
    const CycleLimits limits{6, 20, 3};
    double best = kNever;
    std::size_t longest = 0, begin = 0;
    const auto cost_of = [&](std::size_t b, std::size_t e) {
      double sum = 0;
      for (std::size_t k = 0; k <= 3; ++k) sum += static_cast<double>(matrix.at(e - k, b - k));
      return sum / 4;
    };
    for (std::size_t b = 3; b < 40; ++b) {
      for (std::size_t e = b + 6; e <= b + 20 && e < 40; ++e) best = std::min(best, cost_of(b, e));
    }
    for (std::size_t b = 3; b < 40; ++b) {
      for (std::size_t e = b + 6; e <= b + 20 && e < 40; ++e) {
        if (cost_of(b, e) <= worse_but_longer(best) && e - b > longest) longest = e - b, begin = b;
      }
    }
    const auto found = find_cycle(matrix, limits);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->frames(), longest) << "round " << round;
    EXPECT_EQ(found->begin, begin);
    EXPECT_NEAR(found->cost, cost_of(begin, begin + longest), 1e-12);
  }
  EXPECT_FALSE(find_cycle(random_matrix(random, 8, 8), {6, 20, 3}));
}

}  // namespace
}  // namespace loom::machine
