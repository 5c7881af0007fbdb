// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <loom/base/result.h>
#include <loom/world/world.h>

namespace loom::world {

/// What of a world counts as being in the way on the floor.
struct FloorOptions {
  double low = 0.05;    ///< metres above the floor: what ends below is walked over
  double high = 2.0;    ///< what begins above is walked under
  bool asking = false;  ///< obstacles that ask to be ducked under, stepped or jumped over too
  bool moving = true;   ///< those that move too
};

/// The nearest obstacle of a place.
struct Nearest {
  /// Metres to its outline; negative inside (not of meshes, which are sheets: 0 on them).
  double distance = std::numeric_limits<double>::infinity();
  std::size_t obstacle = kNone;  ///< of the world's; kNone where there is none within reach
  Point point;                   ///< of its outline, nearest to the place

  static constexpr std::size_t kNone = ~std::size_t{0};
};

/// The outlines of a world's obstacles on the floor, ready to be asked how far they are.
///
/// What stands still lies in a tree of boxes (a query among 10,000 takes about a microsecond); what moves is gone
/// through one after the other, where it is at the moment asked for. Of a mesh only what lies between the two heights
/// counts. Exact but for rounding.
class FloorObstacles {
 public:
  /// Fails on a world that is none (`check_world`).
  static Result<FloorObstacles> create(const World& world, const FloorOptions& options = {});

  /// The obstacle nearest to `place` at a moment; nothing farther than `within` is looked for.
  [[nodiscard]] Nearest nearest(Point place, double seconds = 0,
                                double within = std::numeric_limits<double>::infinity()) const;
  /// Whether a disc touches an obstacle.
  [[nodiscard]] bool overlaps(Point place, double radius, double seconds = 0) const {
    return nearest(place, seconds, radius).distance <= radius;
  }
  /// The obstacles that a disc touches, ascending, each once. `found` is cleared first.
  void within(Point place, double radius, double seconds, std::vector<std::size_t>& found) const;
  /// How far a disc gets from `from` towards `to` before it touches something that stands still: 0 to 1.
  [[nodiscard]] double reach(Point from, Point to, double radius) const;
  /// How many pieces stand still, and how many move.
  [[nodiscard]] std::size_t standing() const { return standing_.size(); }
  [[nodiscard]] std::size_t moving() const { return moving_.size(); }

 private:
  /// A disc (no corners) or a polygon.
  struct Piece {
    std::uint32_t obstacle = 0;
    std::uint32_t first = 0, corners = 0;  ///< of corners_; of what moves in its own coordinates
    bool sheet = false;                    ///< a triangle of a mesh: nobody is inside
    Point middle;                          ///< of a disc
    double radius = 0;
    Point low, high;  ///< the box around it
  };
  struct Branch {
    Point low, high;
    std::uint32_t begin = 0, end = 0;  ///< of standing_; where `left` is 0
    std::uint32_t left = 0, right = 0;
  };
  void add(const World& world, std::size_t obstacle, const FloorOptions& options);
  void add_outline(std::vector<Piece>& pieces, std::size_t obstacle, const std::vector<Point>& corners, bool sheet);
  std::uint32_t build(std::uint32_t begin, std::uint32_t end, std::size_t depth);
  void look(const Piece& piece, Point place, Nearest& best) const;
  template <typename Visit>
  void visit(Point place, double within, const Visit& visit) const;

  std::vector<Piece> standing_, moving_;
  std::vector<Point> corners_;
  std::vector<Branch> tree_;
  std::vector<Obstacle> movers_;  ///< of each of moving_, without outline: where it is when
};

}  // namespace loom::world
