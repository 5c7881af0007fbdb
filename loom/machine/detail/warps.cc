// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/machine/detail/warps.h>

namespace loom::machine {
namespace {

double mean_along(const compare::CostMatrix& matrix, std::size_t row, std::size_t column, std::size_t rows,
                  double slope) {
  double sum = 0;
  for (std::size_t k = 0; k <= rows; ++k) {
    const auto at = column + to_whole<std::size_t>(std::round(slope * static_cast<double>(k)));
    sum += static_cast<double>(matrix.at(row + k, at));
  }
  return sum / static_cast<double>(rows + 1);
}

bool is_out(std::span<const ThrownOut> out, double near, std::size_t row, std::size_t column) {
  return std::any_of(out.begin(), out.end(), [&](const ThrownOut& place) {
    return std::abs(place.row - static_cast<double>(row)) <= near &&
           std::abs(place.column - static_cast<double>(column)) <= near;
  });
}

}  // namespace

std::vector<StraightWarp> find_straight_warps(const compare::CostMatrix& matrix, const WarpRegion& region,
                                              std::size_t rows, std::span<const ThrownOut> out, double near) {
  std::vector<StraightWarp> found;
  for (std::size_t row = region.first_row; row <= region.last_row; ++row) {
    StraightWarp best{row, region.first_column, rows, 0, std::numeric_limits<double>::infinity()};
    for (std::size_t column = region.first_column; column <= region.last_column; ++column) {
      if (row + rows > region.end_row || is_out(out, near, row, column)) continue;
      for (const double slope : kWarpSlopes) {
        const double columns = slope * static_cast<double>(rows);
        if (static_cast<double>(column) + std::round(columns) > static_cast<double>(region.end_column)) continue;
        const double cost = mean_along(matrix, row, column, rows, slope);
        if (cost < best.cost) best = {row, column, rows, columns, cost};
      }
    }
    found.push_back(best);
  }
  return found;
}

std::vector<std::size_t> choose_points(std::span<const double> costs, const PointLimits& limits) {
  const std::size_t count = costs.size(), most = std::min(limits.most_gap, count);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::size_t least = std::max<std::size_t>(limits.least_gap, 1);
  const auto gap_costs = [&](std::size_t gap, double cost) {
    const auto frames = static_cast<double>(gap);
    return frames * cost + limits.waiting * frames * frames / 2;
  };
  std::vector<std::size_t> chosen;
  double best = kNever;
  std::vector<double> sums(count + 1);
  std::vector<std::size_t> before(count + 1);
  // Some frame of any `most` in a row is chosen: the first of them, counted from there once round and back to itself.
  for (std::size_t first = 0; first < most; ++first) {
    if (costs[first] == kNever) continue;
    std::fill(sums.begin(), sums.end(), kNever);
    sums[0] = 0;
    for (std::size_t at = least; at <= count; ++at) {
      const double cost = costs[(first + at) % count];
      if (cost == kNever) continue;
      for (std::size_t gap = least; gap <= std::min(most, at); ++gap) {
        const double sum = sums[at - gap] + gap_costs(gap, cost);
        if (sum < sums[at]) sums[at] = sum, before[at] = at - gap;
      }
    }
    if (!(sums[count] < best)) continue;
    best = sums[count];
    chosen.clear();
    for (std::size_t at = count; at > 0; at = before[at]) chosen.push_back((first + at) % count);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace loom::machine
