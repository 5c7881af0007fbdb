// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/world/world.h>

namespace loom::world {

/// A map of cells, free or not: of the usual planning benchmarks, or a robot's.
struct GridMap {
  std::uint32_t columns = 0, rows = 0;
  double cell = 1;            ///< metres
  Point origin;               ///< the corner of column 0, row 0; x grows with columns, z with rows
  std::vector<bool> blocked;  ///< row after row

  [[nodiscard]] bool blocked_at(std::uint32_t column, std::uint32_t row) const {
    return blocked[std::size_t{row} * columns + column];
  }
  /// The middle of a cell.
  [[nodiscard]] Point middle(std::uint32_t column, std::uint32_t row) const {
    return {origin.x + (column + 0.5) * cell, origin.z + (row + 0.5) * cell};
  }
};

/// Reads a `.map` of `cell` metres a cell: '.', 'G' and 'S' are free, '@', 'O', 'T' and 'W' are not. Errors have lines.
Result<GridMap> read_map(std::string_view text, const std::string& file, double cell);

/// A problem of a `.scen` file.
struct Scenario {
  std::uint32_t start_column = 0, start_row = 0, goal_column = 0, goal_row = 0;
  double length = 0;  ///< of the shortest way, in cells: eight neighbours, no corners cut
};
Result<std::vector<Scenario>> read_scenarios(std::string_view text, const std::string& file);

/// Reads a floor plan as ROS keeps it: the yaml and the P5 pgm beside it. What is darker than `occupied_thresh` is
/// blocked, and so is what is unknown: nobody has seen a floor there. The lowest row of the picture is row 0, so that
/// the picture seen from above has x to the right and z up; turned origins are refused.
Result<GridMap> load_floor_plan(const std::string& yaml_path);

/// The map as a world: blocked cells as boxes `height` metres high, taken together to as few as a sweep finds; the
/// ground is the whole map.
World world_of(const GridMap& map, const std::string& name, double height = 2.5);

/// Reads a world from whatever `path` is: .world, .map (`cell` metres a cell) or .yaml.
Result<World> load_any_world(const std::string& path, double cell);

}  // namespace loom::world
