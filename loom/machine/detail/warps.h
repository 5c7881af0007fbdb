// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <loom/compare/cost_matrix.h>

namespace loom::machine {

/// A straight time warp between two motions, in rows and columns of their cost matrix.
struct StraightWarp {
  std::size_t row = 0, column = 0;                        ///< where it begins
  std::size_t rows = 0;                                   ///< how many it goes on for
  double columns = 0;                                     ///< and how many columns meanwhile
  double cost = std::numeric_limits<double>::infinity();  ///< mean along it
};

/// Where warps may lie: one begins in [first, last] of each motion and ends at `end` at the latest.
struct WarpRegion {
  std::size_t first_row = 0, last_row = 0, end_row = 0;
  std::size_t first_column = 0, last_column = 0, end_column = 0;
};

/// How fast the target may go against the source.
inline constexpr double kWarpSlopes[] = {0.5, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 2};

/// A place in the matrix near which no warp may begin: what a person threw out.
struct ThrownOut {
  double row = 0, column = 0;
};

/// For each row of the region, from the first on, the cheapest straight warp over `rows` rows that begins there; its
/// cost is infinite where there is none. Of several as cheap the first column, then the slope named first. Warps that
/// begin within `near` rows and columns of one thrown out are left out. O(rows of the region × columns × slopes ×
/// rows).
std::vector<StraightWarp> find_straight_warps(const compare::CostMatrix& matrix, const WarpRegion& region,
                                              std::size_t rows, std::span<const ThrownOut> out = {}, double near = 0);

/// How often one wants to be able to leave a cycle.
struct PointLimits {
  std::size_t least_gap = 1;  ///< frames between two transitions, at the least
  std::size_t most_gap = 1;   ///< and at the most, where the costs allow it
  double waiting = 0;         ///< what waiting a frame costs
};

/// Chooses where a cycle may be left, given what leaving it costs at each of its frames: so that over all moments at
/// which somebody may want to leave, the mean of what the next transition costs and of the wait until it is least.
/// Infinite costs are never chosen. Exact: a dynamic program over the last frame chosen, O(most_gap² × frames). Empty
/// where no choice keeps the limits; then `most_gap` may be given up.
std::vector<std::size_t> choose_points(std::span<const double> costs, const PointLimits& limits);

}  // namespace loom::machine
