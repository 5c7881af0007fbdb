// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include <loom/plan/detail/closing_obstacle.h>

namespace loom::plan {

using world::Point;

std::size_t closing_obstacle(const world::FloorField& field, Point start, Point goal, double radius) {
  constexpr float kThrough = 1000;  ///< of a step through an obstacle, against one on the floor
  const std::uint32_t stride = std::max(1u, std::max(field.columns(), field.rows()) / 400);
  const std::uint32_t columns = field.columns() / stride + 1, rows = field.rows() / stride + 1;
  const auto clamp = [](double value, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(most - 1)));
  };
  const Point origin = field.place(0, 0);
  const double step = field.spacing() * stride;
  const auto index = [&](Point p) {
    return std::size_t{clamp(std::round((p.z - origin.z) / step), rows)} * columns +
           clamp(std::round((p.x - origin.x) / step), columns);
  };
  const auto place = [&](std::size_t i) {
    const std::size_t column = i % columns, row = i / columns;
    return Point{origin.x + static_cast<double>(column) * step, origin.z + static_cast<double>(row) * step};
  };
  std::vector<float> cost(std::size_t{columns} * rows, std::numeric_limits<float>::infinity());
  std::vector<std::size_t> from(cost.size(), 0);
  std::priority_queue<std::pair<float, std::size_t>, std::vector<std::pair<float, std::size_t>>, std::greater<>> open;
  cost[index(start)] = 0;
  open.push({0.0f, index(start)});
  while (!open.empty()) {
    const auto [so_far, i] = open.top();
    open.pop();
    if (so_far > cost[i]) continue;
    if (i == index(goal)) break;
    const auto x = static_cast<std::int64_t>(i % columns), z = static_cast<std::int64_t>(i / columns);
    for (const auto& [dx, dz] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      if (x + dx < 0 || z + dz < 0 || x + dx >= columns || z + dz >= rows) continue;
      const std::size_t to = static_cast<std::size_t>(z + dz) * columns + static_cast<std::size_t>(x + dx);
      const Point p = place(to);
      const bool free = static_cast<double>(field.clearance(p.x, p.z)) > radius;
      const float through = so_far + (free ? 1 : kThrough);
      if (through >= cost[to]) continue;
      cost[to] = through;
      from[to] = i;
      open.push({through, to});
    }
  }
  std::size_t closing = world::Nearest::kNone;
  for (std::size_t i = index(goal); i != index(start); i = from[i]) {
    const world::Nearest nearest = field.obstacles().nearest(place(i), 0, radius);
    if (nearest.obstacle != world::Nearest::kNone) closing = nearest.obstacle;
  }
  return closing;
}

}  // namespace loom::plan
