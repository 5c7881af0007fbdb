// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/world/floor_field.h>

namespace loom::world {
namespace {

constexpr double kMostPoints = 4e6;
constexpr std::uint32_t kTile = 16;
// A step along an axis, a diagonal one and a knight's: 239 / 169 is just below the root of two and 377 / 169 below that
// of five, so lengths are never overstated.
constexpr std::uint32_t kStraight = 169, kDiagonal = 239, kKnight = 377;
constexpr double kDetour = 1.0274794;  ///< of sixteen directions against the straight line, at half of 26.57 degrees
constexpr std::uint32_t kUnreached = ~std::uint32_t{0};
constexpr std::uint32_t kSamples = 8;  ///< along the side of a cell

/// How far points within a cell are from its corners: middles of small cells, so that no point is farther from one of
/// them than half a small cell's diagonal.
std::vector<std::array<float, 4>> cell_samples(double side) {
  std::vector<std::array<float, 4>> samples;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    for (std::uint32_t j = 0; j < kSamples; ++j) {
      const double x = (i + 0.5) / kSamples, z = (j + 0.5) / kSamples;
      const auto off = [&](double u, double v) { return static_cast<float>(side * std::hypot(x - u, z - v)); };
      samples.push_back({off(0, 0), off(1, 0), off(0, 1), off(1, 1)});
    }
  }
  return samples;
}

}  // namespace

Result<FloorField> FloorField::create(const World& world, const FloorOptions& options, double spacing) {
  FloorOptions standing = options;
  standing.moving = false;
  auto obstacles = FloorObstacles::create(world, standing);
  if (!obstacles) return fail_from(obstacles);
  FloorField field(std::move(*obstacles));
  field.ground_ = world.ground;
  Point low = world.ground[0].low, high = world.ground[0].high;
  for (const Ground& g : world.ground) {
    low = {std::min(low.x, g.low.x), std::min(low.z, g.low.z)};
    high = {std::max(high.x, g.high.x), std::max(high.z, g.high.z)};
  }
  const double area = (high.x - low.x) * (high.z - low.z);
  field.spacing_ = spacing > 0 ? spacing : std::max(0.1, std::sqrt(area / kMostPoints));
  const double columns = std::ceil((high.x - low.x) / field.spacing_) + 1,
               rows = std::ceil((high.z - low.z) / field.spacing_) + 1;
  if (!(columns * rows < 4 * kMostPoints))
    return fail_as(ErrorKind::kBadInput, "the ground is too large for a field so fine");
  field.low_ = low;
  field.columns_ = static_cast<std::uint32_t>(columns);
  field.rows_ = static_cast<std::uint32_t>(rows);
  field.values_.assign(std::size_t{field.columns_} * field.rows_, kUnknown);
  return field;
}

double FloorField::to_edge(Point p) const {
  // One rectangle: exact. Of several the largest distance within any of them: a lower bound, and where they overlap by
  // as much as a body is wide a good one.
  double most = -kFar;
  for (const Ground& g : ground_)
    most = std::max(most, std::min({p.x - g.low.x, g.high.x - p.x, p.z - g.low.z, g.high.z - p.z}));
  return most;
}

float FloorField::find(std::uint32_t column, std::uint32_t row) const {
  const std::uint32_t first_column = column / kTile * kTile, first_row = row / kTile * kTile;
  for (std::uint32_t r = first_row; r < std::min(first_row + kTile, rows_); ++r) {
    for (std::uint32_t c = first_column; c < std::min(first_column + kTile, columns_); ++c) {
      const Point p = place(c, r);
      const double d =
          std::min(obstacles_.nearest(p, 0, static_cast<double>(kFar)).distance, static_cast<double>(kFar));
      values_[std::size_t{r} * columns_ + c] = static_cast<float>(std::min(d, to_edge(p)));
    }
  }
  return values_[std::size_t{row} * columns_ + column];
}

GoalDistance::GoalDistance(const FloorField& field, Point goal, double radius, Point start, double enough)
    : field_(field), goal_(goal), steps_(std::size_t{field.columns()} * field.rows(), kUnreached) {
  const std::uint32_t columns = field.columns(), rows = field.rows();
  // A cell has room where some point of it may be as far from all obstacles as the disc is wide.
  const double c = field.spacing();
  const std::vector<std::array<float, 4>> samples = cell_samples(c);
  const float slack = static_cast<float>(c) * 0.70711f / kSamples;
  const auto room = [&](std::uint32_t column, std::uint32_t row) {
    const std::array<float, 4> corners{field.at(column, row), field.at(column + 1, row), field.at(column, row + 1),
                                       field.at(column + 1, row + 1)};
    const auto wanted = static_cast<float>(radius);
    if (*std::max_element(corners.begin(), corners.end()) > wanted) return true;
    // No point is farther from an obstacle than a corner is, and than it is from that corner.
    for (const std::array<float, 4>& off : samples) {
      float most = corners[0] + off[0];
      for (std::size_t k = 1; k < 4; ++k) most = std::min(most, corners[k] + off[k]);
      if (most + slack > wanted) return true;
    }
    return false;
  };
  std::vector<std::uint8_t> rooms(steps_.size(), 2);  // 2: not looked at
  const auto has_room = [&](std::int64_t column, std::int64_t row) {
    if (column < 0 || row < 0 || column + 1 >= columns || row + 1 >= rows) return false;
    std::uint8_t& known = rooms[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)];
    if (known == 2) known = room(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)) ? 1 : 0;
    return known == 1;
  };
  const auto cell_of = [&](Point p, std::int64_t& column, std::int64_t& row) {
    const Point origin = field.place(0, 0);
    column = to_whole<std::int64_t>(std::floor((p.x - origin.x) / c));
    row = to_whole<std::int64_t>(std::floor((p.z - origin.z) / c));
    return column >= 0 && row >= 0 && column + 1 < columns && row + 1 < rows;
  };
  std::int64_t column = 0, row = 0;
  if (!cell_of(goal, column, row)) return;
  // Buckets a unit wide, in a ring: no step is longer than a knight's.
  std::vector<std::vector<std::uint32_t>> ring(kKnight + 1);
  std::size_t waiting = 0;
  const auto reach = [&](std::int64_t at_column, std::int64_t at_row, std::uint32_t steps) {
    const std::size_t i = static_cast<std::size_t>(at_row) * columns + static_cast<std::size_t>(at_column);
    if (steps >= steps_[i]) return;
    steps_[i] = steps;
    ring[steps % ring.size()].push_back(static_cast<std::uint32_t>(i));
    ++waiting;
  };
  for (const int dc : {0, 1})
    for (const int dr : {0, 1}) reach(column + dc, row + dr, 0);
  std::int64_t start_column = 0, start_row = 0;
  const bool inside = cell_of(start, start_column, start_row);
  std::uint32_t limit = kUnreached - 2 * kKnight;
  for (std::uint32_t now = 0; waiting > 0 && now <= limit; ++now) {
    auto& bucket = ring[now % ring.size()];
    while (!bucket.empty()) {
      const std::uint32_t i = bucket.back();
      bucket.pop_back();
      --waiting;
      if (steps_[i] != now) continue;
      const std::int64_t x = i % columns, z = i / columns;
      if (inside && limit > kUnreached / 2 && (x == start_column || x == start_column + 1) &&
          (z == start_row || z == start_row + 1))
        limit = static_cast<std::uint32_t>(now * enough + 5 / c * kStraight);
      for (const int dx : {-1, 1}) {
        if (x + dx >= 0 && x + dx < columns &&
            (has_room(std::min(x, x + dx), z) || has_room(std::min(x, x + dx), z - 1)))
          reach(x + dx, z, now + kStraight);
        if (z + dx >= 0 && z + dx < rows && (has_room(x, std::min(z, z + dx)) || has_room(x - 1, std::min(z, z + dx))))
          reach(x, z + dx, now + kStraight);
        for (const int dz : {-1, 1}) {
          const std::int64_t column_there = std::min(x, x + dx), row_there = std::min(z, z + dz);
          if (!has_room(column_there, row_there)) continue;
          reach(x + dx, z + dz, now + kDiagonal);
          if (has_room(column_there + dx, row_there)) reach(x + 2 * dx, z + dz, now + kKnight);
          if (has_room(column_there, row_there + dz)) reach(x + dx, z + 2 * dz, now + kKnight);
        }
      }
    }
    known_ = now;
  }
  if (waiting == 0) known_ = kUnreached;
}

float GoalDistance::at_least(double x, double z) const {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  const Point origin = field_.place(0, 0);
  const double column = (x - origin.x) / field_.spacing(), row = (z - origin.z) / field_.spacing();
  if (!(column >= 0 && row >= 0 && column < field_.columns() - 1 && row < field_.rows() - 1)) return kNever;
  const auto c = static_cast<std::uint32_t>(column), r = static_cast<std::uint32_t>(row);
  const double unit = field_.spacing() / (kStraight * kDetour);
  double most = 0;
  bool reached = false, open = false;
  for (const std::uint32_t dc : {0u, 1u}) {
    for (const std::uint32_t dr : {0u, 1u}) {
      const std::uint32_t steps = steps_[std::size_t{r + dr} * field_.columns() + c + dc];
      const double off = std::hypot(column - c - dc, row - r - dr) * field_.spacing();
      if (steps == kUnreached) {
        if (known_ != kUnreached) open = true;
        continue;
      }
      reached = true;
      // The goal lies within a cell of the points that were begun with.
      most = std::max(most, steps * unit - off - field_.spacing() * 1.41421356);
    }
  }
  if (!reached) {
    if (!open) return kNever;
    most = known_ * unit - field_.spacing() * 2.83;
  }
  return static_cast<float>(std::max(most, std::hypot(x - goal_.x, z - goal_.z)));
}

bool GoalDistance::reachable(Point p) const { return std::isfinite(at_least(p.x, p.z)); }

}  // namespace loom::world
