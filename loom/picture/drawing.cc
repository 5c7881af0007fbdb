// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/math.h>
#include <loom/base/whole.h>
#include <loom/picture/drawing.h>

namespace loom::picture {
namespace {

/// Appends the arc about `centre` from angle `from` to `to` (radians), ends included.
void add_arc(std::vector<Point>& points, Point centre, float radius, float from, float to) {
  constexpr float kFlatness = 0.1f;  // pixels between chord and arc
  const float step = 2 * std::acos(1 - std::min(kFlatness / std::max(radius, kFlatness), 0.5f));
  const int steps = std::max(2, to_whole<int>(std::ceil(std::fabs(to - from) / step)));
  for (int i = 0; i <= steps; ++i) {
    const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(steps);
    points.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
}

void shift(Point& p, Point by) { p = {p.x + by.x, p.y + by.y}; }

/// Moves a shape on the paper.
struct Shift {
  Point by;

  void operator()(Polyline& s) const {
    for (Point& p : s.points) shift(p, by);
  }
  void operator()(Polygon& s) const {
    for (Point& p : s.points) shift(p, by);
  }
  void operator()(Circle& s) const { shift(s.centre, by); }
  void operator()(Capsule& s) const {
    shift(s.a, by);
    shift(s.b, by);
  }
  void operator()(Text& s) const { shift(s.at, by); }
  void operator()(Cells& s) const {
    s.frame.x += by.x;
    s.frame.y += by.y;
  }
};

}  // namespace

void Drawing::rectangle(const Rect& r, Color color) {
  add(Polygon{{{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}, color});
}

void Drawing::rounded(const Rect& r, float radius, Color color) {
  const float cut = std::min({radius, r.width / 2, r.height / 2});
  Polygon shape{{}, color};
  const float quarter = kPi / 2;
  add_arc(shape.points, {r.right() - cut, r.bottom() - cut}, cut, 0, quarter);
  add_arc(shape.points, {r.x + cut, r.bottom() - cut}, cut, quarter, 2 * quarter);
  add_arc(shape.points, {r.x + cut, r.y + cut}, cut, 2 * quarter, 3 * quarter);
  add_arc(shape.points, {r.right() - cut, r.y + cut}, cut, 3 * quarter, 4 * quarter);
  add(std::move(shape));
}

void Drawing::place(const Drawing& inner, Point at) {
  for (const Shape& shape : inner.shapes()) {
    shapes_.push_back(shape);
    std::visit(Shift{at}, shapes_.back());
  }
}

std::vector<Point> outline(const Capsule& capsule) {
  const auto& [a, b, ra, rb, color] = capsule;
  const float dx = b.x - a.x, dy = b.y - a.y, gap = std::hypot(dx, dy);
  std::vector<Point> points;
  if (!std::isfinite(gap)) return points;  // a limb that ends nowhere is not drawn
  if (gap <= std::fabs(ra - rb)) {         // one circle holds the other
    add_arc(points, ra > rb ? a : b, std::max(ra, rb), 0, 2 * kPi);
    return points;
  }
  // The two outer tangents touch both circles at the same angle to the axis.
  const float axis = std::atan2(dy, dx), tangent = std::acos((ra - rb) / gap);
  add_arc(points, b, rb, axis - tangent, axis + tangent);
  add_arc(points, a, ra, axis + tangent, axis + 2 * kPi - tangent);
  return points;
}

}  // namespace loom::picture
