// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/world/floor_obstacles.h>

namespace loom::world {

/// How far the nearest obstacle is, all over the floor: asked a million times a second by a search.
///
/// Exact distances (FloorObstacles) at the points of a square lattice, found when they are first asked for, tile by
/// tile; between four points it is interpolated, which errs by about a centimetre near corners. The edge of the ground
/// counts as an obstacle. Obstacles that move do not count.
class FloorField {
 public:
  static constexpr float kFar = 2;  ///< metres: nothing farther is told apart

  /// `spacing` of the lattice in metres; 0: 0.1, or more where the world is large. Fails on a world without ground.
  static Result<FloorField> create(const World& world, const FloorOptions& options = {}, double spacing = 0);

  /// Metres from a place to the nearest obstacle or edge of the ground; 0 or less within one.
  [[nodiscard]] float clearance(double x, double z) const {
    const double column = (x - low_.x) / spacing_, row = (z - low_.z) / spacing_;
    if (!(column >= 0 && row >= 0 && column < columns_ - 1 && row < rows_ - 1)) return -1;
    const auto c = static_cast<std::uint32_t>(column), r = static_cast<std::uint32_t>(row);
    const auto u = static_cast<float>(column - c), v = static_cast<float>(row - r);
    const float top = at(c, r) * (1 - u) + at(c + 1, r) * u, bottom = at(c, r + 1) * (1 - u) + at(c + 1, r + 1) * u;
    return top * (1 - v) + bottom * v;
  }
  /// The exact distance at a point of the lattice, no more than kFar.
  [[nodiscard]] float at(std::uint32_t column, std::uint32_t row) const {
    const float known = values_[std::size_t{row} * columns_ + column];
    return known > kUnknown ? known : find(column, row);
  }
  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] double spacing() const { return spacing_; }
  [[nodiscard]] Point place(std::uint32_t column, std::uint32_t row) const {
    return {low_.x + column * spacing_, low_.z + row * spacing_};
  }
  [[nodiscard]] const FloorObstacles& obstacles() const { return obstacles_; }

 private:
  explicit FloorField(FloorObstacles obstacles) : obstacles_(std::move(obstacles)) {}
  static constexpr float kUnknown = -1e6f;
  float find(std::uint32_t column, std::uint32_t row) const;
  [[nodiscard]] double to_edge(Point p) const;

  FloorObstacles obstacles_;
  std::vector<Ground> ground_;
  Point low_;
  double spacing_ = 0.1;
  std::uint32_t columns_ = 0, rows_ = 0;
  mutable std::vector<float> values_;
};

/// How far it is from anywhere to a goal for a disc that keeps clear of all obstacles: never more than the truth.
///
/// Dijkstra's algorithm over the points of the field's lattice, each with sixteen neighbours: straight, diagonal, and a
/// knight's move away. A shortest way is a string pulled taut around corners of cells; along each of its straight
/// pieces the lattice has a way through the same cells that is longer by 2.75 % at most, so the lattice's length
/// over 1.0275 is a lower bound, as is the straight line. A cell is left out only where the disc fits nowhere within
/// it.
class GoalDistance {
 public:
  /// Reckons from `goal` until everything at most `enough` times as far as `start`, and 5 m more, is known.
  GoalDistance(const FloorField& field, Point goal, double radius, Point start, double enough = 1.5);

  /// Metres at least from a place to the goal; infinity where there is no way. Beyond what was reckoned, what is
  /// farther than all that was.
  [[nodiscard]] float at_least(double x, double z) const;
  /// Whether there may be a way.
  [[nodiscard]] bool reachable(Point p) const;

 private:
  const FloorField& field_;
  Point goal_;
  std::vector<std::uint32_t> steps_;  ///< of the lattice, in 169ths of its spacing
  std::uint32_t known_ = 0;           ///< everything nearer is reckoned
};

}  // namespace loom::world
