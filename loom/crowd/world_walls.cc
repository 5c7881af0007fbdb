// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <loom/crowd/world_walls.h>

namespace loom::crowd {
namespace {

constexpr double kLow = 0.05, kHigh = 2.0;  ///< metres: between these a body meets what stands there
constexpr std::size_t kMostWalls = 1'000'000;
constexpr std::size_t kMostFloorCells = 4'000'000;

Flat flat(world::Point p) { return {static_cast<float>(p.x), static_cast<float>(p.z)}; }

void add_outline(const std::vector<world::Point>& corners, const world::Placement& at, std::vector<Wall>& walls) {
  for (std::size_t n = 0; n < corners.size(); ++n) {
    walls.push_back({flat(at(corners[n])), flat(at(corners[(n + 1) % corners.size()]))});
  }
}

/// The outline of an obstacle that is placed at `at`.
void add_obstacle(const world::Obstacle& obstacle, const world::Placement& at, std::vector<Wall>& walls) {
  const double w = obstacle.width / 2, d = obstacle.depth / 2;
  switch (obstacle.shape) {
    case world::Shape::kBox:
      add_outline({{-w, -d}, {w, -d}, {w, d}, {-w, d}}, at, walls);
      break;
    case world::Shape::kCylinder:
      walls.push_back({flat({at.x, at.z}), flat({at.x, at.z}), static_cast<float>(obstacle.radius)});
      break;
    case world::Shape::kPolygon:
      add_outline(obstacle.outline, at, walls);
      break;
    case world::Shape::kMesh:
      for (std::size_t t = 0; obstacle.mesh && t < obstacle.mesh->size(); ++t) {
        std::vector<world::Point> corners;
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (std::size_t which = 0; which < 3; ++which) {
          const Vec3 p = obstacle.mesh->corner(t, which);
          corners.push_back({static_cast<double>(p.x), static_cast<double>(p.z)});
          low = std::min(low, p.y);
          high = std::max(high, p.y);
        }
        if (static_cast<double>(high) > kLow && static_cast<double>(low) < kHigh) add_outline(corners, at, walls);
      }
      break;
  }
}

/// The lines between floor and no floor: pieces of the ground are cut at each other's edges, and a side of a piece of
/// floor that has none beyond it is a wall.
Result<void> add_edges(const std::vector<world::Ground>& ground, std::vector<Wall>& walls) {
  std::vector<double> xs, zs;
  for (const world::Ground& g : ground) {
    xs.insert(xs.end(), {g.low.x, g.high.x});
    zs.insert(zs.end(), {g.low.z, g.high.z});
  }
  for (std::vector<double>* values : {&xs, &zs}) {
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
  }
  const std::size_t columns = xs.size() - 1, rows = zs.size() - 1;
  if (columns * rows > kMostFloorCells) return fail_as(ErrorKind::kBadInput, "the floor has too many pieces");
  std::vector<bool> floor(columns * rows);
  const auto index = [](const std::vector<double>& values, double value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
  };
  for (const world::Ground& g : ground) {
    for (std::size_t r = index(zs, g.low.z); r < index(zs, g.high.z); ++r) {
      for (std::size_t c = index(xs, g.low.x); c < index(xs, g.high.x); ++c) floor[r * columns + c] = true;
    }
  }
  const auto add = [&](double x0, double z0, double x1, double z1) {
    walls.push_back({flat({x0, z0}), flat({x1, z1})});
  };
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (!floor[r * columns + c]) continue;
      if (c == 0 || !floor[r * columns + c - 1]) add(xs[c], zs[r], xs[c], zs[r + 1]);
      if (c + 1 == columns || !floor[r * columns + c + 1]) add(xs[c + 1], zs[r], xs[c + 1], zs[r + 1]);
      if (r == 0 || !floor[(r - 1) * columns + c]) add(xs[c], zs[r], xs[c + 1], zs[r]);
      if (r + 1 == rows || !floor[(r + 1) * columns + c]) add(xs[c], zs[r + 1], xs[c + 1], zs[r + 1]);
    }
  }
  return {};
}

}  // namespace

Result<WorldFloor> floor_of(const world::World& world) {
  if (const auto sound = world::check_world(world); !sound) return fail_from(sound);
  std::vector<Wall> walls;
  std::vector<MovingWalls> moving;
  for (const world::Obstacle& obstacle : world.obstacles) {
    const bool gap = obstacle.ask == world::Ask::kJump;  // no floor there, however low it is
    if (!gap && (obstacle.top <= kLow || obstacle.bottom >= kHigh)) continue;
    if (!obstacle.moves()) {
      add_obstacle(obstacle, obstacle.at, walls);
      continue;
    }
    MovingWalls mover;
    add_obstacle(obstacle, {}, mover.walls);
    for (const world::Waypoint& point : obstacle.path) {
      mover.path.push_back(
          {point.seconds,
           {static_cast<float>(point.at.x), static_cast<float>(point.at.z), static_cast<float>(point.at.heading)}});
    }
    mover.loops = obstacle.loops;
    moving.push_back(std::move(mover));
  }
  if (const auto edged = add_edges(world.ground, walls); !edged) return fail_from(edged);
  if (walls.size() > kMostWalls) {
    return fail_as(ErrorKind::kBadInput, fmt::format("a world of {} walls is too much for a crowd", walls.size()));
  }
  WorldFloor floor;
  floor.low = flat(world.ground[0].low);
  floor.high = flat(world.ground[0].high);
  for (const world::Ground& g : world.ground) {
    const Flat low = flat(g.low), high = flat(g.high);
    floor.low = {std::min(floor.low.x, low.x), std::min(floor.low.z, low.z)};
    floor.high = {std::max(floor.high.x, high.x), std::max(floor.high.z, high.z)};
  }
  floor.walls = Walls(std::move(walls), std::move(moving));
  return floor;
}

}  // namespace loom::crowd
