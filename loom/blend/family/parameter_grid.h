// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/triangulation.h>

namespace loom::blend {

/// One direction of a grid: what changes along it, from where to where, in the units people read.
struct GridAxis {
  std::string name, unit;
  double low = 0, high = 0;
};

struct GridOptions {
  std::size_t side = 60;  ///< points along a side of a surface, 3 to kMaxGridSide; Huang 2012 §4.5.1 has 60 × 60 × 5
  std::size_t layers = 5;  ///< surfaces, at least 1
};
inline constexpr std::size_t kMaxGridSide = 500;
inline constexpr std::size_t kMaxGridLayers = 50;
inline constexpr double kShells = 0.9;

/// Surfaces laid through a parameter space, one behind the other, on which blending methods are compared (Huang 2012
/// §4.4.2, §4.5).
///
/// Families that place a joint are sampled on shells around the body's axis at the examples' mid-height: columns are
/// azimuth, rows elevation, and layers are shares of the way out to where the hull of the examples ends in that
/// direction, from the innermost example's share (kShells at most) to the end. (Huang's figure 4.2 has spheres; but
/// people reach farther to the side than to the floor, and few spheres lie between such examples.) All others on
/// rectangles of their first two coordinates, layers along the third; coordinates beyond the third stay at the middle
/// of the examples. A space of one coordinate has one row, and up to two one layer.
struct ParameterGrid {
  std::size_t columns = 0, rows = 0, layers = 0, dimensions = 0;
  GridAxis column_axis, row_axis, layer_axis;  ///< an axis that is not there has no name
  std::vector<double> points;                  ///< layers × rows × columns × dimensions, in coordinates
  std::vector<std::uint8_t> inside;            ///< one a point: whether it lies in the convex hull of the examples

  [[nodiscard]] std::size_t size() const { return inside.size(); }
  [[nodiscard]] std::size_t index(std::size_t layer, std::size_t row, std::size_t column) const {
    return (layer * rows + row) * columns + column;
  }
  [[nodiscard]] std::span<const double> at(std::size_t i) const { return {points.data() + i * dimensions, dimensions}; }
  /// The middle layer: the surface that is shown.
  [[nodiscard]] std::size_t middle() const { return layers / 2; }
  /// Where a layer lies on its axis.
  [[nodiscard]] double layer_value(std::size_t layer) const;
};

/// Where number `i` of `count` points lies between `low` and `high`, both ends among them; the middle, of one.
double grid_value(double low, double high, std::size_t i, std::size_t count);

/// The axis of a coordinate of `space` that goes from `low` to `high` in coordinates, in the units people read. A
/// jump's first two are metres ahead and to the left.
GridAxis coordinate_axis(const ParameterSpace& space, std::size_t dimension, double low, double high);

/// The body's axis at the examples' mid-height, and how far from it and in which directions the examples lie: what
/// shells for a family that places a joint are laid through. Radians; azimuth from straight ahead (+Z) to the left.
struct SphericalRange {
  double height = 0;  ///< of the centre (0, height, 0), metres
  double azimuth_low = 0, azimuth_high = 0;
  double elevation_low = 0, elevation_high = 0;
  double distance_low = 0, distance_high = 0;
};
SphericalRange spherical_range(const ExamplePoints& points);
/// Of all examples that place a joint the least share of the way out to the hull, at most kShells.
double innermost_share(const Triangulation& triangulation);
/// The unit vector of a direction.
std::array<double, 3> direction_of(double azimuth, double elevation);

/// Lays a grid through the space of `triangulation`'s points. Fails on options out of range, and when fewer than nine
/// points lie within the hull of the examples (they lie in a plane, or nearly).
Result<ParameterGrid> make_grid(const ParameterSpace& space, const Triangulation& triangulation,
                                const GridOptions& options = {});

}  // namespace loom::blend
