// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/parallel.h>
#include <loom/blend/family/parameter_grid.h>

namespace loom::blend {
namespace {

constexpr std::size_t kGrain = 256;
constexpr std::size_t kFewestInside = 9;  ///< the neighbourhood a curvature is measured over

/// From which value of a coordinate to which the examples go.
std::pair<double, double> range_of(const ExamplePoints& points, std::size_t dimension) {
  double low = points[0][dimension], high = low;
  for (std::size_t i = 1; i < points.size(); ++i) {
    low = std::min(low, points[i][dimension]);
    high = std::max(high, points[i][dimension]);
  }
  return {low, high};
}

/// Where layer `i` of `count` lies. Layers keep clear of the ends: there the hull is a corner or nothing.
double along_layers(double low, double high, std::size_t i, std::size_t count) {
  return low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
}

void lay_shells(const Triangulation& triangulation, const GridOptions& options, ParameterGrid& grid) {
  const SphericalRange range = spherical_range(triangulation.points());
  grid.columns = grid.rows = options.side;
  grid.layers = options.layers;
  grid.column_axis = {"azimuth", "deg", range.azimuth_low * kDegreesARadian, range.azimuth_high * kDegreesARadian};
  grid.row_axis = {"elevation", "deg", range.elevation_low * kDegreesARadian, range.elevation_high * kDegreesARadian};
  const double innermost = innermost_share(triangulation);
  grid.layer_axis = {"share of the way out", "", innermost, 1};
  const std::array centre = {0.0, range.height, 0.0};
  for (std::size_t l = 0; l < grid.layers; ++l) {
    for (std::size_t r = 0; r < grid.rows; ++r) {
      const double elevation = grid_value(range.elevation_low, range.elevation_high, r, grid.rows);
      for (std::size_t c = 0; c < grid.columns; ++c) {
        const auto way = direction_of(grid_value(range.azimuth_low, range.azimuth_high, c, grid.columns), elevation);
        const auto hull = triangulation.cross(centre, way);
        // Directions without examples get a point all the same, which is not inside.
        const double end = hull ? (*hull)[1] : range.distance_high, begin = hull ? (*hull)[0] : 0;
        const double distance = along_layers(std::max(begin, innermost * end), end, l, grid.layers);
        for (std::size_t d = 0; d < 3; ++d) grid.points.push_back(centre[d] + distance * way[d]);
      }
    }
  }
}

void lay_rectangles(const ParameterSpace& space, const ExamplePoints& points, const GridOptions& options,
                    ParameterGrid& grid) {
  const std::size_t dimensions = points.dimensions;
  grid.columns = options.side;
  grid.rows = dimensions > 1 ? options.side : 1;
  grid.layers = dimensions > 2 ? options.layers : 1;
  std::array<std::pair<double, double>, kMaxDimensions> ranges;
  for (std::size_t d = 0; d < dimensions; ++d) ranges[d] = range_of(points, d);
  const std::array<GridAxis*, 3> axes = {&grid.column_axis, &grid.row_axis, &grid.layer_axis};
  for (std::size_t d = 0; d < std::min(dimensions, axes.size()); ++d) {
    *axes[d] = coordinate_axis(space, d, ranges[d].first, ranges[d].second);
  }
  std::array<double, kMaxDimensions> point{};
  for (std::size_t d = 3; d < dimensions; ++d) point[d] = (ranges[d].first + ranges[d].second) / 2;
  for (std::size_t l = 0; l < grid.layers; ++l) {
    point[2] = along_layers(ranges[2].first, ranges[2].second, l, grid.layers);
    for (std::size_t r = 0; r < grid.rows; ++r) {
      point[1] = grid_value(ranges[1].first, ranges[1].second, r, grid.rows);
      for (std::size_t c = 0; c < grid.columns; ++c) {
        point[0] = grid_value(ranges[0].first, ranges[0].second, c, grid.columns);
        grid.points.insert(grid.points.end(), point.begin(), point.begin() + static_cast<std::ptrdiff_t>(dimensions));
      }
    }
  }
}

}  // namespace

double grid_value(double low, double high, std::size_t i, std::size_t count) {
  if (count < 2) return (low + high) / 2;
  return low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
}

double ParameterGrid::layer_value(std::size_t layer) const {
  return along_layers(layer_axis.low, layer_axis.high, layer, layers);
}

GridAxis coordinate_axis(const ParameterSpace& space, std::size_t dimension, double low, double high) {
  const FamilyParameter& parameter = space.parameters[dimension];
  if (space.kind == FamilyKind::kJump && dimension < 2) return {dimension == 0 ? "ahead" : "left", "m", low, high};
  const double scale = space.scales[dimension];
  return {parameter.name, parameter.unit, low / scale, high / scale};
}

double innermost_share(const Triangulation& triangulation) {
  const std::array centre = {0.0, spherical_range(triangulation.points()).height, 0.0};
  double least = kShells;
  for (std::size_t i = 0; i < triangulation.points().size(); ++i) {
    const auto point = triangulation.points()[i];
    const std::array way = {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]};
    // In multiples of the way to the example itself, the hull ends at one or beyond.
    if (const auto hull = triangulation.cross(centre, way)) least = std::min(least, 1 / std::max(1.0, (*hull)[1]));
  }
  return least;
}

std::array<double, 3> direction_of(double azimuth, double elevation) {
  return {std::cos(elevation) * std::sin(azimuth), std::sin(elevation), std::cos(elevation) * std::cos(azimuth)};
}

SphericalRange spherical_range(const ExamplePoints& points) {
  const auto [lowest, highest] = range_of(points, 1);
  SphericalRange range;
  range.height = (lowest + highest) / 2;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i][0], y = points[i][1] - range.height, z = points[i][2];
    const double azimuth = std::atan2(x, z), elevation = std::atan2(y, std::hypot(x, z)),
                 distance = std::hypot(x, y, z);
    if (i == 0) {
      range.azimuth_low = range.azimuth_high = azimuth;
      range.elevation_low = range.elevation_high = elevation;
      range.distance_low = range.distance_high = distance;
    }
    range.azimuth_low = std::min(range.azimuth_low, azimuth);
    range.azimuth_high = std::max(range.azimuth_high, azimuth);
    range.elevation_low = std::min(range.elevation_low, elevation);
    range.elevation_high = std::max(range.elevation_high, elevation);
    range.distance_low = std::min(range.distance_low, distance);
    range.distance_high = std::max(range.distance_high, distance);
  }
  return range;
}

Result<ParameterGrid> make_grid(const ParameterSpace& space, const Triangulation& triangulation,
                                const GridOptions& options) {
  if (options.side < 3 || options.side > kMaxGridSide || options.layers < 1 || options.layers > kMaxGridLayers) {
    return fail(fmt::format("a grid has 3 to {} points a side and 1 to {} layers, not {} and {}", kMaxGridSide,
                            kMaxGridLayers, options.side, options.layers));
  }
  const ExamplePoints& points = triangulation.points();
  assert(points.dimensions == space.size());
  ParameterGrid grid;
  grid.dimensions = points.dimensions;
  if (places_a_joint(space.kind)) {
    lay_shells(triangulation, options, grid);
  } else {
    lay_rectangles(space, points, options, grid);
  }
  grid.inside.resize(grid.columns * grid.rows * grid.layers);
  parallel_for(grid.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::array<double, kMaxExamples> shares;
    for (std::size_t i = begin; i < end; ++i) {
      grid.inside[i] = triangulation.project(grid.at(i), {shares.data(), points.size()}) > 0 ? 0 : 1;
    }
  });
  const auto inside = static_cast<std::size_t>(std::count(grid.inside.begin(), grid.inside.end(), 1));
  if (inside < std::min(kFewestInside, grid.columns)) {
    return fail(
        fmt::format("of {} points of the grid {} lie between the examples: they fill {} of {} dimensions, or "
                    "barely; leave out the parameter in which they do not differ",
                    grid.size(), inside, triangulation.rank(), points.dimensions));
  }
  return grid;
}

}  // namespace loom::blend
