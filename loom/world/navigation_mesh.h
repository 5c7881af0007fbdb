// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <loom/base/result.h>
#include <loom/world/world.h>

class dtNavMesh;

namespace loom::world {

struct NavigationOptions {
  double radius = 0.35;  ///< metres that ways keep from obstacles and from the edge of the ground, at least
  double height = 1.9;   ///< metres of air that somebody needs
  double low = 0.05;     ///< metres above the floor: what ends below is walked over
  double cell = 0.05;    ///< metres; larger where the world is so large that this would make too many
};

/// The floor of a world as few convex polygons, with clearance: for ways across worlds of meshes, and for Detour's
/// crowd.
///
/// Recast makes it: what stands on the floor is marked by its outline, triangles of meshes are drawn into a field of
/// heights, the floor is drawn in by `radius`, and what is left is cut into convex polygons. Detour finds ways on them.
/// It does not take the place of FloorField: what is drawn in by whole cells is a little too small, so that lengths of
/// ways on it are no lower bounds, as a search to a known bound needs them, and it knows no distances from obstacles.
/// Obstacles that move, or ask, stand where they are at first and are closed. One question at a time.
class NavigationMesh {
 public:
  /// Fails on a world that is none, where nobody can stand anywhere, and past what Recast can number.
  static Result<NavigationMesh> create(const World& world, const NavigationOptions& options = {});
  ~NavigationMesh();
  NavigationMesh(NavigationMesh&&) noexcept;
  NavigationMesh& operator=(NavigationMesh&&) noexcept;

  [[nodiscard]] std::size_t polygons() const;
  /// Metres that ways keep from obstacles.
  [[nodiscard]] double radius() const;
  /// Whether one can stand at a place.
  [[nodiscard]] bool holds(Point place) const;
  /// Where one can stand that is nearest to a place; none within half a metre.
  [[nodiscard]] std::optional<Point> nearest(Point place) const;
  /// The corners to go by from one place to another, the last one `to`. Fails where nobody can stand within half a
  /// metre of an end, and where no way leads there.
  [[nodiscard]] Result<std::vector<Point>> way(Point from, Point to) const;
  /// Detour's own, for what builds on it.
  [[nodiscard]] dtNavMesh& detour() const;

 private:
  struct State;
  explicit NavigationMesh(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom::world
