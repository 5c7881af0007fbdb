// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <loom/crowd/flat.h>
#include <loom/motion/ground_frame.h>

namespace loom::crowd {

/// A wall on the floor: a line from a to b, as thick as `radius` to both sides. A pillar is a wall of one point.
struct Wall {
  Flat a, b;
  float radius = 0;  ///< metres
};

/// Walls that move together, as a cart does.
struct MovingWalls {
  struct Waypoint {
    double seconds = 0;
    motion::GroundFrame at;
  };
  std::vector<Wall> walls;     ///< seen from where it is
  std::vector<Waypoint> path;  ///< at least one, in the order of time; before and after it stands
  bool loops = false;          ///< begins again after the last

  [[nodiscard]] motion::GroundFrame place(double seconds) const;
};

/// The nearest point of a wall.
struct WallPoint {
  Flat point;          ///< on its surface
  Flat velocity;       ///< of that point, metres a second
  float distance = 0;  ///< metres to there; negative inside a thick wall, and then `point` is the way out
  std::uint32_t wall = 0;
};

/// All that stands and moves on a floor, for those who walk on it. Immutable; what stands is sorted into a grid, what
/// moves is gone through. Nothing is solid but by its walls: nobody should start behind them.
class Walls {
 public:
  Walls() = default;
  explicit Walls(std::vector<Wall> standing, std::vector<MovingWalls> moving = {});

  [[nodiscard]] std::size_t size() const { return standing_.size(); }
  [[nodiscard]] const std::vector<Wall>& standing() const { return standing_; }
  /// The walls within `radius` of a place at a moment, nearest first, as many as `found` has room for. Returns how
  /// many. No allocation.
  std::size_t near(Flat place, float radius, double seconds, std::span<WallPoint> found) const;
  /// Whether one who is `radius` wide gets straight from one place to the other past all that stands.
  [[nodiscard]] bool clear(Flat from, Flat to, float radius) const;

 private:
  template <typename Visit>
  void visit(Flat low, Flat high, const Visit& visit) const;

  std::vector<Wall> standing_;
  std::vector<MovingWalls> moving_;
  float cell_ = 2;
  Flat low_;
  std::size_t columns_ = 0, rows_ = 0;
  std::vector<std::uint32_t> begin_, order_;  ///< walls by cell; a long wall is in several
};

/// How far two lines on the floor, each from a to b, are from each other: 0 where they cross. Metres.
float line_distance(Flat a, Flat b, Flat c, Flat d);

}  // namespace loom::crowd
