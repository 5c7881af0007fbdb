// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/world/detail/ears.h>

namespace loom::world {
namespace {

double turn_of(Point a, Point b, Point c) { return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x); }

}  // namespace

std::vector<std::array<Point, 3>> triangles_of(std::vector<Point> outline) {
  double area = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i], b = outline[(i + 1) % outline.size()];
    area += a.x * b.z - a.z * b.x;
  }
  if (area < 0) std::reverse(outline.begin(), outline.end());
  std::vector<std::array<Point, 3>> triangles;
  while (outline.size() >= 3) {
    const std::size_t n = outline.size();
    std::size_t ear = n;
    for (std::size_t i = 0; i < n && ear == n; ++i) {
      const Point a = outline[(i + n - 1) % n], b = outline[i], c = outline[(i + 1) % n];
      if (n > 3 && turn_of(a, b, c) <= 0) continue;
      const bool empty = std::none_of(outline.begin(), outline.end(), [&](Point p) {
        return !(p == a) && !(p == b) && !(p == c) && turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 &&
               turn_of(c, a, p) >= 0;
      });
      if (empty) ear = i;
    }
    if (ear == n) ear = 0;  // only rounding leaves no ear: any will do
    triangles.push_back({outline[(ear + n - 1) % n], outline[ear], outline[(ear + 1) % n]});
    outline.erase(outline.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return triangles;
}

}  // namespace loom::world
