// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <loom/compare/time_warp.h>

namespace loom::compare {
namespace {

constexpr float kNoPath = std::numeric_limits<float>::infinity();
constexpr std::uint8_t kStart = 0;

/// Frames to the left of a row that may be read: as far as a step reaches back.
constexpr std::size_t kPad = kMaxWarpSlope;

/// Iterations of Dinkelbach's method; it converges faster than Newton's and needs two or three.
constexpr int kIterations = 20;

/// A step of a path: how many rows and columns it advances. Number 0 is no step but a start; then (1, 1), (1, 2) ...
/// (1, m), (2, 1) ... (m, 1).
struct Step {
  std::size_t rows = 0, columns = 0;
};

Step step_of(std::uint8_t choice, std::size_t max_slope) {
  if (choice <= max_slope) return {1, choice};
  return {choice - max_slope + 1, 1};
}

/// The part of a matrix to be crossed.
struct Part {
  const float* values = nullptr;
  std::size_t stride = 0, rows = 0, columns = 0;

  [[nodiscard]] float at(std::size_t i, std::size_t j) const { return values[i * stride + j]; }
};

/// What the cells of a step cost together: the diagonal one twice, those along one clip once.
double step_cost(const Part& part, WarpCell to, Step step) {
  double sum = 0;
  for (std::size_t n = 0; n + 1 < step.rows; ++n) sum += part.at(to.row - n, to.column);
  for (std::size_t n = 0; n + 1 < step.columns; ++n) sum += part.at(to.row, to.column - n);
  return sum + 2.0 * part.at(to.row + 1 - step.rows, to.column + 1 - step.columns);
}

/// A row of numbers with room to its left that may be read.
class PaddedRow {
 public:
  void assign(std::size_t columns, float value) { values_.assign(columns + kPad, value); }
  [[nodiscard]] float* data() { return values_.data() + kPad; }

 private:
  std::vector<float> values_;
};

/// The rows a cell depends on: [0] its own, [n] the one n before.
struct Rows {
  std::array<const float*, kMaxWarpSlope + 1> costs{}, sums{};
};

/// One row of least costs: of all steps that lead to a cell the cheapest, and its number. `sum` comes with what paths
/// cost that start in this row, and `picked` is as wide as it, so that both fit one vector.
template <std::size_t kSlope>
void fill_row(const Rows& rows, std::size_t columns, float* __restrict sum, std::int32_t* __restrict picked) {
  for (std::size_t j = 0; j < columns; ++j) {
    float least = sum[j];
    std::int32_t choice = kStart;
    float along = 0;  // cells of this row passed after the diagonal one
    for (std::size_t n = 1; n <= kSlope; ++n) {
      const float diagonal = rows.costs[0][static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(n) + 1];
      const float before = rows.sums[1][static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(n)];
      const float candidate = before + (along + 2 * diagonal);
      choice = candidate < least ? static_cast<std::int32_t>(n) : choice;
      least = candidate < least ? candidate : least;
      along += diagonal;
    }
    along = rows.costs[0][j];  // cells of this column
    for (std::size_t n = 2; n <= kSlope; ++n) {
      const float diagonal = rows.costs[n - 1][j];
      const float candidate = rows.sums[n][static_cast<std::ptrdiff_t>(j) - 1] + (along + 2 * diagonal);
      choice = candidate < least ? static_cast<std::int32_t>(kSlope + n - 1) : choice;
      least = candidate < least ? candidate : least;
      along += diagonal;
    }
    sum[j] = least;
    picked[j] = choice;
  }
}

/// The table of least costs, a few rows of it at a time, and the step that led to each cell.
class WarpSweep {
 public:
  WarpSweep(const Part& part, const WarpOptions& options)
      : part_(part), options_(options), choices_(part.rows * part.columns), picked_(part.columns) {}

  /// The path of least cost when every frame passed earns `rate`; without cells when slopes allow none.
  WarpPath run(float rate);

 private:
  void start_row(std::size_t i, float rate);
  void fill(std::size_t i);
  void consider_ends(std::size_t i);
  [[nodiscard]] WarpPath trace() const;
  PaddedRow& sums(std::size_t i) { return sums_[i % sums_.size()]; }
  PaddedRow& costs(std::size_t i) { return costs_[i % costs_.size()]; }

  Part part_;
  WarpOptions options_;
  std::array<PaddedRow, kMaxWarpSlope + 1> sums_, costs_;
  std::vector<std::uint8_t> choices_;  ///< the number of the step to each cell
  std::vector<std::int32_t> picked_;   ///< of one row
  WarpCell end_;
  float least_ = kNoPath;
};

/// Costs of row `i` less the rate, and the sums of paths that start there.
void WarpSweep::start_row(std::size_t i, float rate) {
  float* const cost = costs(i).data();
  float* const sum = sums(i).data();
  for (std::size_t j = 0; j < part_.columns; ++j) cost[j] = part_.at(i, j) - rate;
  std::fill_n(sum, part_.columns, kNoPath);
  const std::size_t starts = i == 0 ? options_.free_start + 1 : (i <= options_.free_start ? 1 : 0);
  for (std::size_t j = 0; j < std::min(starts, part_.columns); ++j) sum[j] = 2 * cost[j];
}

void WarpSweep::fill(std::size_t i) {
  Rows rows;
  for (std::size_t n = 0; n <= options_.max_slope; ++n) {
    rows.costs[n] = costs(i + costs_.size() - n).data();
    rows.sums[n] = sums(i + sums_.size() - n).data();
  }
  static constexpr std::array kFill = {fill_row<1>, fill_row<2>, fill_row<3>, fill_row<4>};
  kFill[options_.max_slope - 1](rows, part_.columns, sums(i).data(), picked_.data());
  std::uint8_t* choices = choices_.data() + i * part_.columns;
  for (std::size_t j = 0; j < part_.columns; ++j) choices[j] = static_cast<std::uint8_t>(picked_[j]);
}

void WarpSweep::consider_ends(std::size_t i) {
  const std::size_t last = part_.columns - 1;
  std::size_t first = part_.columns;
  if (i + 1 == part_.rows) first = last - std::min(options_.free_end, last);
  if (i + 1 < part_.rows && i + options_.free_end + 1 >= part_.rows) first = last;
  for (std::size_t j = first; j <= last; ++j) {
    if (const float sum = sums(i).data()[j]; sum < least_) {
      least_ = sum;
      end_ = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
    }
  }
}

/// The path to the best end, and its mean cost in double precision.
WarpPath WarpSweep::trace() const {
  WarpPath path;
  double sum = 0;
  WarpCell cell = end_;
  for (;;) {
    path.cells.push_back(cell);
    const std::uint8_t choice = choices_[cell.row * part_.columns + cell.column];
    if (choice == kStart) break;
    const Step step = step_of(choice, options_.max_slope);
    sum += step_cost(part_, cell, step);
    cell.row -= static_cast<std::uint32_t>(step.rows);
    cell.column -= static_cast<std::uint32_t>(step.columns);
  }
  sum += 2.0 * part_.at(cell.row, cell.column);
  path.cost = sum / (end_.row - cell.row + end_.column - cell.column + 2);
  std::reverse(path.cells.begin(), path.cells.end());
  return path;
}

WarpPath WarpSweep::run(float rate) {
  for (auto& row : sums_) row.assign(part_.columns, kNoPath);
  for (auto& row : costs_) row.assign(part_.columns, 0.0f);
  least_ = kNoPath;
  for (std::size_t i = 0; i < part_.rows; ++i) {
    start_row(i, rate);
    fill(i);
    consider_ends(i);
  }
  if (least_ == kNoPath) return {};
  return trace();
}

Result<Part> part_of(const CostMatrix& matrix, const WarpOptions& options) {
  if (options.max_slope < 1 || options.max_slope > kMaxWarpSlope) {
    return fail(
        fmt::format("the slope limit of a time warp must be 1 to {}, not {}", kMaxWarpSlope, options.max_slope));
  }
  if (matrix.rows == 0 || matrix.columns == 0) return fail("a clip without frames cannot be aligned");
  const std::size_t to_row = std::min(options.to_row, matrix.rows - 1);
  const std::size_t to_column = std::min(options.to_column, matrix.columns - 1);
  if (options.from_row > to_row || options.from_column > to_column) {
    return fail(fmt::format("a time warp from ({}, {}) to ({}, {}) would run backwards", options.from_row,
                            options.from_column, to_row, to_column));
  }
  return Part{matrix.values.data() + options.from_row * matrix.columns + options.from_column, matrix.columns,
              to_row - options.from_row + 1, to_column - options.from_column + 1};
}

}  // namespace

Result<WarpCell> parse_warp_cell(std::string_view text) {
  const char *begin = text.data(), *end = begin + text.size();
  WarpCell cell;
  const auto [colon, first] = std::from_chars(begin, end, cell.row);
  if (first == std::errc{} && colon != end && *colon == ':') {
    const auto [rest, second] = std::from_chars(colon + 1, end, cell.column);
    if (second == std::errc{} && rest == end) return cell;
  }
  return fail_as(ErrorKind::kBadInput,
                 fmt::format("two frames are given as 40:12, one of each clip, not as '{}'", text));
}

Result<WarpPath> find_warp(const CostMatrix& matrix, const WarpOptions& options) {
  const auto part = part_of(matrix, options);
  if (!part) return fail_from(part);
  WarpSweep sweep(*part, options);
  WarpPath path = sweep.run(0);
  if (path.cells.empty()) {
    return fail(
        fmt::format("{} and {} frames cannot be aligned without one running more than {} times as fast as the "
                    "other",
                    part->rows, part->columns, options.max_slope));
  }
  const bool one_length = options.free_start == 0 && options.free_end == 0;
  for (int n = 0; n < kIterations && !one_length; ++n) {
    WarpPath better = sweep.run(static_cast<float>(path.cost));
    if (!(better.cost < path.cost)) break;
    path = std::move(better);
  }
  for (WarpCell& cell : path.cells) {
    cell.row += static_cast<std::uint32_t>(options.from_row);
    cell.column += static_cast<std::uint32_t>(options.from_column);
  }
  return path;
}

namespace {

/// The corners of all parts of a path: where it is anchored, its pins, where it ends.
Result<std::vector<WarpCell>> corners_of(const CostMatrix& matrix, std::span<const WarpCell> pins,
                                         const WarpOptions& options) {
  const auto cell = [](std::size_t row, std::size_t column) {
    return WarpCell{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
  };
  const WarpCell first = cell(options.from_row, options.from_column);
  const WarpCell last =
      cell(std::min(options.to_row, matrix.rows - 1), std::min(options.to_column, matrix.columns - 1));
  std::vector<WarpCell> corners{first};
  for (const WarpCell& pin : pins) {
    if (pin == first || pin == last) continue;
    const WarpCell& before = corners.back();
    if (pin.row >= last.row || pin.column >= last.column) {
      return fail(fmt::format("the pin {}:{} does not lie before the end of the path, {}:{}", pin.row, pin.column,
                              last.row, last.column));
    }
    if (pin.row <= before.row || pin.column <= before.column) {
      return fail(fmt::format("the pin {}:{} does not come after {}:{} in both clips", pin.row, pin.column, before.row,
                              before.column));
    }
    corners.push_back(pin);
  }
  corners.push_back(last);
  return corners;
}

/// The path between two corners.
Result<WarpPath> part_between(const CostMatrix& matrix, WarpCell from, WarpCell to, WarpOptions options,
                              SteepParts steep) {
  options.from_row = from.row, options.from_column = from.column;
  options.to_row = to.row, options.to_column = to.column;
  auto path = find_warp(matrix, options);
  if (path || steep == SteepParts::kRefuse) return path;
  return WarpPath{{from, to}, (matrix.at(from.row, from.column) + matrix.at(to.row, to.column)) / 2.0};
}

}  // namespace

Result<WarpPath> find_warp_through(const CostMatrix& matrix, std::span<const WarpCell> pins, const WarpOptions& options,
                                   SteepParts steep) {
  if (const auto part = part_of(matrix, options); !part) return fail_from(part);
  const auto corners = corners_of(matrix, pins, options);
  if (!corners) return fail_from(corners);
  WarpPath whole;
  double length = 0;
  for (std::size_t k = 1; k < corners->size(); ++k) {
    WarpOptions between = options;
    if (k > 1) between.free_start = 0;
    if (k + 1 < corners->size()) between.free_end = 0;
    const auto part = part_between(matrix, (*corners)[k - 1], (*corners)[k], between, steep);
    if (!part) {
      return fail(fmt::format("from {}:{} to {}:{}: {}", (*corners)[k - 1].row, (*corners)[k - 1].column,
                              (*corners)[k].row, (*corners)[k].column, part.error().message));
    }
    const WarpCell &first = part->cells.front(), &last = part->cells.back();
    const double added = last.row - first.row + last.column - first.column;
    whole.cost = length + added > 0 ? (whole.cost * length + part->cost * added) / (length + added) : part->cost;
    length += added;
    whole.cells.insert(whole.cells.end(), part->cells.begin() + (k > 1 ? 1 : 0), part->cells.end());
  }
  return whole;
}

}  // namespace loom::compare
