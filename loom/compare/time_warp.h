// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/cost_matrix.h>

namespace loom::compare {

/// The steepest slope a time warp may be allowed, and the reciprocal of the flattest.
inline constexpr std::size_t kMaxWarpSlope = 4;

struct WarpOptions {
  /// How much faster one clip may run than the other, at any moment: 1 to kMaxWarpSlope. 1 allows no warp at all.
  std::size_t max_slope = 3;
  /// How many frames of either clip (not of both at once) may be left out at the start, and at the end. 0 anchors the
  /// path in the corner.
  std::size_t free_start = 0, free_end = 0;
  /// The part of the matrix to cross, for warps between marks or from a place the user holds: from `from` up to and
  /// with `to`. By default all of it.
  std::size_t from_row = 0, from_column = 0;
  std::size_t to_row = static_cast<std::size_t>(-1), to_column = static_cast<std::size_t>(-1);
};

/// Frame `row` of the first clip happens with frame `column` of the second.
struct WarpCell {
  std::uint32_t row = 0, column = 0;

  friend bool operator==(const WarpCell&, const WarpCell&) = default;
};

/// "40:12" as a cell. Fails on anything else.
Result<WarpCell> parse_warp_cell(std::string_view text);

/// Which frames of two clips belong together: both numbers strictly increase along it.
struct WarpPath {
  std::vector<WarpCell> cells;
  double cost = 0;  ///< mean cost along the path, in the metric's unit
};

/// The path of least mean cost (dynamic time warping; Srinivasan 2009 §5.2, with the slope-limited, symmetric steps of
/// Sakoe and Chiba 1978).
///
/// A step goes diagonally and then up to max_slope - 1 frames along one clip, so each advances both clips and slopes
/// stay within [1 / max_slope, max_slope]; it counts every cell it passes, a diagonal one twice. Every step comes from
/// an earlier row, so a row is computed in vectors without waiting for its own cells. A path between corners has
/// one length; with free ends the mean itself is minimised, exactly, by Dinkelbach's iteration on the ratio (1967).
/// O(rows × columns × max_slope) time, a byte a cell; 0.45 ms for 300 × 300 (bench/time_warp_bench.cc).
///
/// Fails when no path keeps the slopes, saying the lengths, on a slope out of range and on an empty part of the matrix.
Result<WarpPath> find_warp(const CostMatrix& matrix, const WarpOptions& options = {});

/// What to do between two pins that no path with slopes within the limit joins.
enum class SteepParts {
  kRefuse,   ///< fail, naming the pins
  kStretch,  ///< go straight from one to the other: marks a user set are met, whatever it takes
};

/// The path through all of `pins`: what a user holds is held, and between two pins lies the best there is. Free ends
/// stay free before the first pin and after the last. The cost is the mean of the parts', by their lengths. A pin on
/// the very corner where the path is anchored says nothing more.
///
/// Fails on pins outside the part of the matrix to cross or not in the order of time in both clips, naming them, and as
/// `find_warp` does. No slower than one warp of the whole.
Result<WarpPath> find_warp_through(const CostMatrix& matrix, std::span<const WarpCell> pins,
                                   const WarpOptions& options = {}, SteepParts steep = SteepParts::kRefuse);

}  // namespace loom::compare
