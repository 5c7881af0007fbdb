// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/world/floor_obstacles.h>

namespace loom::world {
namespace {

constexpr std::uint32_t kLeaf = 4;  ///< pieces in a leaf of the tree

double squared(double v) { return v * v; }

Point nearest_on(Point a, Point b, Point p) {
  const double dx = b.x - a.x, dz = b.z - a.z, length = dx * dx + dz * dz;
  const double t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.z - a.z) * dz) / length, 0.0, 1.0) : 0.0;
  return {a.x + t * dx, a.z + t * dz};
}

double box_distance(Point low, Point high, Point p) {
  return std::hypot(std::max({low.x - p.x, 0.0, p.x - high.x}), std::max({low.z - p.z, 0.0, p.z - high.z}));
}

/// The part of a triangle between two heights, as its outline on the floor; empty: nothing.
std::vector<Point> slice(const io::TriangleMesh& mesh, std::size_t triangle, double low, double high) {
  struct Corner {
    double x, y, z;
  };
  std::vector<Corner> corners;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 c = mesh.corner(triangle, k);
    corners.push_back({static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)});
  }
  for (const double sign : {1.0, -1.0}) {  // keep what is above low, then what is below high
    const double level = sign > 0 ? low : high;
    std::vector<Corner> kept;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Corner &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const double da = sign * (a.y - level), db = sign * (b.y - level);
      if (da >= 0) kept.push_back(a);
      if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
        const double t = da / (da - db);
        kept.push_back({a.x + t * (b.x - a.x), level, a.z + t * (b.z - a.z)});
      }
    }
    corners = std::move(kept);
  }
  std::vector<Point> outline;
  for (const Corner& c : corners) outline.push_back({c.x, c.z});
  return outline;
}

std::vector<Point> own_outline(const Obstacle& o) {
  if (o.shape == Shape::kBox) {
    const double w = o.width / 2, d = o.depth / 2;
    return {{-w, -d}, {w, -d}, {w, d}, {-w, d}};
  }
  return o.outline;
}

}  // namespace

Result<FloorObstacles> FloorObstacles::create(const World& world, const FloorOptions& options) {
  if (auto checked = check_world(world); !checked) return fail_from(checked);
  FloorObstacles made;
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const Obstacle& o = world.obstacles[i];
    if ((o.ask != Ask::kNothing && !options.asking) || o.top <= options.low || o.bottom >= options.high) continue;
    if (o.moves() && !options.moving) continue;
    made.add(world, i, options);
  }
  if (!made.standing_.empty()) made.build(0, static_cast<std::uint32_t>(made.standing_.size()), 0);
  return made;
}

void FloorObstacles::add(const World& world, std::size_t obstacle, const FloorOptions& options) {
  const Obstacle& o = world.obstacles[obstacle];
  std::vector<Piece>& pieces = o.moves() ? moving_ : standing_;
  const Placement placed = o.moves() ? Placement{} : o.at;
  const auto put = [&](std::vector<Point> corners, bool sheet) {
    for (Point& c : corners) c = placed(c);
    add_outline(pieces, obstacle, corners, sheet);
  };
  if (o.shape == Shape::kCylinder) {
    const Point m = placed({0, 0});
    pieces.push_back({static_cast<std::uint32_t>(obstacle),
                      0,
                      0,
                      false,
                      m,
                      o.radius,
                      {m.x - o.radius, m.z - o.radius},
                      {m.x + o.radius, m.z + o.radius}});
  } else if (o.shape == Shape::kMesh) {
    for (std::size_t t = 0; o.mesh && t < o.mesh->size(); ++t) {
      if (auto outline = slice(*o.mesh, t, options.low, options.high); !outline.empty()) put(std::move(outline), true);
    }
  } else {
    put(own_outline(o), false);
  }
  while (movers_.size() < moving_.size()) {
    Obstacle mover;
    mover.path = o.path;
    mover.loops = o.loops;
    movers_.push_back(std::move(mover));
  }
}

void FloorObstacles::add_outline(std::vector<Piece>& pieces, std::size_t obstacle, const std::vector<Point>& corners,
                                 bool sheet) {
  Piece piece;
  piece.obstacle = static_cast<std::uint32_t>(obstacle);
  piece.first = static_cast<std::uint32_t>(corners_.size());
  piece.corners = static_cast<std::uint32_t>(corners.size());
  piece.sheet = sheet;
  piece.low = piece.high = corners.front();
  for (const Point& c : corners) {
    piece.low = {std::min(piece.low.x, c.x), std::min(piece.low.z, c.z)};
    piece.high = {std::max(piece.high.x, c.x), std::max(piece.high.z, c.z)};
  }
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  pieces.push_back(piece);
}

std::uint32_t FloorObstacles::build(std::uint32_t begin, std::uint32_t end, std::size_t depth) {
  const auto me = static_cast<std::uint32_t>(tree_.size());
  Branch branch{standing_[begin].low, standing_[begin].high, begin, end, 0, 0};
  for (std::uint32_t i = begin; i < end; ++i) {
    branch.low = {std::min(branch.low.x, standing_[i].low.x), std::min(branch.low.z, standing_[i].low.z)};
    branch.high = {std::max(branch.high.x, standing_[i].high.x), std::max(branch.high.z, standing_[i].high.z)};
  }
  tree_.push_back(branch);
  if (end - begin <= kLeaf) return me;
  const bool by_x = branch.high.x - branch.low.x > branch.high.z - branch.low.z;
  const std::uint32_t half = begin + (end - begin) / 2;
  std::nth_element(standing_.begin() + begin, standing_.begin() + half, standing_.begin() + end,
                   [&](const Piece& a, const Piece& b) {
                     return by_x ? a.low.x + a.high.x < b.low.x + b.high.x : a.low.z + a.high.z < b.low.z + b.high.z;
                   });
  const std::uint32_t left = build(begin, half, depth + 1), right = build(half, end, depth + 1);
  tree_[me].left = left;
  tree_[me].right = right;
  return me;
}

void FloorObstacles::look(const Piece& piece, Point place, Nearest& best) const {
  if (piece.corners == 0) {
    const double dx = place.x - piece.middle.x, dz = place.z - piece.middle.z, d = std::hypot(dx, dz);
    if (d - piece.radius >= best.distance) return;
    const double share = d > 0 ? piece.radius / d : 0;
    best = {d - piece.radius, piece.obstacle,
            d > 0 ? Point{piece.middle.x + dx * share, piece.middle.z + dz * share}
                  : Point{piece.middle.x + piece.radius, piece.middle.z}};
    return;
  }
  double least = std::numeric_limits<double>::infinity();
  Point point;
  bool inside = false;
  for (std::uint32_t i = 0, j = piece.corners - 1; i < piece.corners; j = i++) {
    const Point a = corners_[piece.first + i], b = corners_[piece.first + j];
    const Point on = nearest_on(a, b, place);
    const double d = squared(on.x - place.x) + squared(on.z - place.z);
    if (d < least) {
      least = d;
      point = on;
    }
    if ((a.z > place.z) != (b.z > place.z) && place.x < (b.x - a.x) * (place.z - a.z) / (b.z - a.z) + a.x)
      inside = !inside;
  }
  double d = std::sqrt(least);
  if (inside) d = piece.sheet ? 0 : -d;
  if (inside && piece.sheet) point = place;
  if (d < best.distance) best = {d, piece.obstacle, point};
}

template <typename Visit>
void FloorObstacles::visit(Point place, double within, const Visit& visit) const {
  if (tree_.empty()) return;
  std::uint32_t stack[64];
  std::size_t count = 0;
  stack[count++] = 0;
  while (count > 0) {
    const Branch& branch = tree_[stack[--count]];
    if (box_distance(branch.low, branch.high, place) > within) continue;
    if (branch.left == 0) {
      for (std::uint32_t i = branch.begin; i < branch.end; ++i) within = visit(standing_[i]);
      continue;
    }
    const bool left_first = box_distance(tree_[branch.left].low, tree_[branch.left].high, place) <=
                            box_distance(tree_[branch.right].low, tree_[branch.right].high, place);
    stack[count++] = left_first ? branch.right : branch.left;
    stack[count++] = left_first ? branch.left : branch.right;
  }
}

Nearest FloorObstacles::nearest(Point place, double seconds, double within) const {
  Nearest best;
  best.distance = within;
  // What lies just at `within` counts, too.
  if (std::isfinite(within)) best.distance = std::nextafter(within, std::numeric_limits<double>::infinity());
  visit(place, best.distance, [&](const Piece& piece) {
    look(piece, place, best);
    return std::max(best.distance, 0.0);
  });
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Placement at = movers_[i].place(seconds);
    Nearest own = best;
    own.obstacle = Nearest::kNone;
    look(moving_[i], at.own(place), own);
    if (own.obstacle != Nearest::kNone) best = {own.distance, own.obstacle, at(own.point)};
  }
  if (best.obstacle == Nearest::kNone) best.distance = std::numeric_limits<double>::infinity();
  return best;
}

void FloorObstacles::within(Point place, double radius, double seconds, std::vector<std::size_t>& found) const {
  found.clear();
  const auto touches = [&](const Piece& piece, Point own) {
    Nearest one;
    look(piece, own, one);
    if (one.distance <= radius) found.push_back(piece.obstacle);
  };
  visit(place, radius, [&](const Piece& piece) {
    touches(piece, place);
    return radius;
  });
  for (std::size_t i = 0; i < moving_.size(); ++i) touches(moving_[i], movers_[i].place(seconds).own(place));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

double FloorObstacles::reach(Point from, Point to, double radius) const {
  // Sphere tracing: no obstacle is nearer than the distance told, so one may go on by it.
  constexpr double kTouch = 1e-6;
  const double length = std::hypot(to.x - from.x, to.z - from.z);
  double gone = 0;
  while (true) {
    const double t = length > 0 ? gone / length : 1;
    const Point here{from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
    double nearest = std::numeric_limits<double>::infinity();
    Nearest best;
    best.distance = length - gone + radius + 1;
    visit(here, best.distance, [&](const Piece& piece) {
      look(piece, here, best);
      return std::max(best.distance, 0.0);
    });
    if (best.obstacle != Nearest::kNone) nearest = best.distance;
    if (nearest - radius <= kTouch) return t;
    gone += nearest - radius;
    if (gone >= length) return 1;
  }
}

}  // namespace loom::world
