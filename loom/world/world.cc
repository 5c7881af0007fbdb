// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/world/detail/faults.h>
#include <loom/world/world.h>

namespace loom::world {
namespace {

constexpr double kTurn = 2 * 3.14159265358979323846;

/// `angle` brought into [-pi, pi].
double wrapped(double angle) { return std::remainder(angle, kTurn); }

std::string degrees_of(double radians) { return fmt::format("{:.9g}", radians * 360 / kTurn); }

std::string number(double value) { return fmt::format("{:.9g}", value); }

std::string name_of(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return plain ? name : '"' + name + '"';
}

std::string outline_text(const std::vector<Point>& outline) {
  std::string text = ": ";
  for (std::size_t i = 0; i < outline.size(); ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", number(outline[i].x), number(outline[i].z));
  return text;
}

std::string heights_text(const Obstacle& o) {
  std::string text = o.bottom != 0 ? " from " + number(o.bottom) : "";
  text += " to " + number(o.top);
  return text;
}

std::string ask_text(const Obstacle& o) {
  return o.ask == Ask::kNothing ? "" : fmt::format(" asks {}", ask_name(o.ask));
}

std::string line_of(const Obstacle& o) {
  const std::string name = name_of(o.name), at = fmt::format("at {} {}", number(o.at.x), number(o.at.z));
  const std::string turn = o.at.heading != 0 ? " turn " + degrees_of(o.at.heading) : "";
  switch (o.shape) {
    case Shape::kBox:
      return fmt::format("box {} {} size {} {}{}{}{}", name, at, number(o.width), number(o.depth), turn,
                         heights_text(o), ask_text(o));
    case Shape::kCylinder:
      return fmt::format("cylinder {} {} radius {}{}{}", name, at, number(o.radius), heights_text(o), ask_text(o));
    case Shape::kPolygon:
      return fmt::format("polygon {}{}{}{}", name, heights_text(o), ask_text(o), outline_text(o.outline));
    case Shape::kMesh:
      break;
  }
  std::string text = fmt::format("mesh {} \"{}\" {}{}", name, o.mesh_file, at, turn);
  if (o.scale != 1) text += " scale " + number(o.scale);
  if (o.raise != 0) text += " raise " + number(o.raise);
  return text + ask_text(o);
}

std::string line_of(const char* word, const Spot& spot) {
  std::string text = fmt::format("{} {} {}", word, number(spot.at.x), number(spot.at.z));
  if (spot.heading) text += " " + degrees_of(*spot.heading);
  if (!spot.name.empty()) text += " called " + name_of(spot.name);
  return text;
}

double side_of(Point a, Point b, Point c) { return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x); }

bool segments_cross(Point a, Point b, Point c, Point d) {
  const double one = side_of(a, b, c), two = side_of(a, b, d), three = side_of(c, d, a), four = side_of(c, d, b);
  return ((one > 0) != (two > 0)) && ((three > 0) != (four > 0)) && one != 0 && two != 0 && three != 0 && four != 0;
}

/// What is wrong with an outline; empty: nothing.
std::string outline_fault(const std::vector<Point>& outline) {
  constexpr std::size_t kMostCorners = 1000;
  if (outline.size() < 3) return "an outline has three corners at least";
  if (outline.size() > kMostCorners) return fmt::format("an outline has no more than {} corners", kMostCorners);
  const std::size_t n = outline.size();
  double area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = outline[i], b = outline[(i + 1) % n];
    if (a == b) return "an outline has the same corner twice in a row";
    area += a.x * b.z - a.z * b.x;
    for (std::size_t j = i + 2; j < n; ++j) {
      if ((j + 1) % n != i && segments_cross(a, b, outline[j], outline[(j + 1) % n]))
        return "an outline crosses itself";
    }
  }
  return std::fabs(area) < 1e-9 ? "an outline has no area" : "";
}

bool sane(double metres) { return std::isfinite(metres) && std::fabs(metres) <= kMostMetres; }

}  // namespace

std::string obstacle_fault(const Obstacle& o) {
  for (const double value :
       {o.at.x, o.at.z, o.at.heading, o.bottom, o.top, o.width, o.depth, o.radius, o.scale, o.raise})
    if (!sane(value)) return fmt::format("a length lies between -{0} and {0} metres", kMostMetres);
  for (const Point& p : o.outline)
    if (!sane(p.x) || !sane(p.z)) return fmt::format("a length lies between -{0} and {0} metres", kMostMetres);
  if (o.name.empty()) return "an obstacle has a name";
  if (o.name.find_first_of("\"\n\r#") != std::string::npos) return "a name has neither quotes nor '#'";
  if (o.shape == Shape::kBox && !(o.width > 0 && o.depth > 0)) return "a box has a width and a depth above 0";
  if (o.shape == Shape::kCylinder && !(o.radius > 0)) return "a cylinder has a radius above 0";
  if (o.shape == Shape::kMesh && !(o.scale > 0)) return "a scale is above 0";
  if (o.shape == Shape::kPolygon) {
    if (std::string fault = outline_fault(o.outline); !fault.empty()) return fault;
  }
  if (o.shape != Shape::kMesh && !(o.top > o.bottom)) return "the top of an obstacle is above its bottom";
  for (std::size_t i = 0; i < o.path.size(); ++i) {
    const Waypoint& w = o.path[i];
    if (!sane(w.seconds) || !sane(w.at.x) || !sane(w.at.z) || !sane(w.at.heading)) return "a path has finite numbers";
    if (w.seconds < 0 || (i > 0 && !(w.seconds > o.path[i - 1].seconds))) return "in a path time goes forward from 0";
  }
  if (o.loops && o.path.size() < 2) return "a path that loops has two moments at least";
  return {};
}

Point Placement::operator()(Point own) const {
  const double c = std::cos(heading), s = std::sin(heading);
  return {x + c * own.x + s * own.z, z - s * own.x + c * own.z};
}

Point Placement::own(Point world) const {
  const double c = std::cos(heading), s = std::sin(heading), dx = world.x - x, dz = world.z - z;
  return {c * dx - s * dz, s * dx + c * dz};
}

std::string_view ask_name(Ask ask) {
  switch (ask) {
    case Ask::kNothing:
      return "nothing";
    case Ask::kDuck:
      return "duck";
    case Ask::kStepOver:
      return "step";
    case Ask::kJump:
      return "jump";
  }
  return "nothing";
}

Placement Obstacle::place(double seconds) const {
  if (path.empty()) return at;
  if (loops && path.size() > 1 && seconds > path.back().seconds) {
    const double round = path.back().seconds - path.front().seconds;
    seconds = path.front().seconds + std::fmod(seconds - path.front().seconds, round);
  }
  if (seconds <= path.front().seconds) return path.front().at;
  if (seconds >= path.back().seconds) return path.back().at;
  const auto next = std::upper_bound(path.begin(), path.end(), seconds,
                                     [](double value, const Waypoint& w) { return value < w.seconds; });
  const Waypoint &a = *(next - 1), &b = *next;
  const double t = (seconds - a.seconds) / (b.seconds - a.seconds);
  return {a.at.x + t * (b.at.x - a.at.x), a.at.z + t * (b.at.z - a.at.z),
          a.at.heading + t * wrapped(b.at.heading - a.at.heading)};
}

bool World::has_floor(Point p) const {
  return std::any_of(ground.begin(), ground.end(), [&](const Ground& g) { return g.holds(p); });
}

std::string format_world(const World& world) {
  std::string text = fmt::format("world {}\n", name_of(world.name.empty() ? "unnamed" : world.name));
  for (const Ground& g : world.ground)
    text += fmt::format("ground {} {} {} {}\n", number(g.low.x), number(g.low.z), number(g.high.x), number(g.high.z));
  for (const Obstacle& o : world.obstacles) {
    text += line_of(o) + "\n";
    if (!o.moves()) continue;
    text += fmt::format("path {}{}: ", name_of(o.name), o.loops ? " loop" : "");
    for (std::size_t i = 0; i < o.path.size(); ++i) {
      const Waypoint& w = o.path[i];
      text += fmt::format("{}{} {} {}", i ? ", " : "", number(w.seconds), number(w.at.x), number(w.at.z));
      if (w.at.heading != 0) text += " " + degrees_of(w.at.heading);
    }
    text += "\n";
  }
  for (const Spot& s : world.starts) text += line_of("start", s) + "\n";
  for (const Spot& s : world.goals) text += line_of("goal", s) + "\n";
  return text;
}

Result<void> check_world(const World& world) {
  if (world.ground.empty()) return fail_as(ErrorKind::kBadInput, "the world has no ground to stand on");
  if (world.obstacles.size() > kMostObstacles)
    return fail_as(ErrorKind::kBadInput, fmt::format("more than {} obstacles", kMostObstacles));
  for (const Ground& g : world.ground) {
    if (!sane(g.low.x) || !sane(g.low.z) || !sane(g.high.x) || !sane(g.high.z) || !(g.high.x > g.low.x) ||
        !(g.high.z > g.low.z))
      return fail_as(ErrorKind::kBadInput, "a ground has some length and some width");
  }
  for (const Obstacle& o : world.obstacles) {
    if (const std::string fault = obstacle_fault(o); !fault.empty())
      return fail_as(ErrorKind::kBadInput, fmt::format("{}: {}", in_quotes(o.name), fault));
  }
  for (const auto* spots : {&world.starts, &world.goals}) {
    for (const Spot& s : *spots) {
      if (!sane(s.at.x) || !sane(s.at.z) || (s.heading && !std::isfinite(*s.heading)))
        return fail_as(ErrorKind::kBadInput, "a start or a goal is a finite place");
    }
  }
  return {};
}

void give_mesh(Obstacle& obstacle, io::TriangleMesh mesh) {
  const auto scale = static_cast<float>(obstacle.scale), raise = static_cast<float>(obstacle.raise);
  float low = 0, high = 0;
  bool first = true;
  for (Vec3& p : mesh.positions) {
    p = p * scale + Vec3{0, raise, 0};
    low = first ? p.y : std::min(low, p.y);
    high = first ? p.y : std::max(high, p.y);
    first = false;
  }
  obstacle.bottom = static_cast<double>(low);
  obstacle.top = static_cast<double>(high);
  obstacle.mesh = std::make_shared<const io::TriangleMesh>(std::move(mesh));
}

}  // namespace loom::world
