// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <loom/picture/color.h>

namespace loom::picture {

/// A place on the paper in pixels, x to the right, y down.
struct Point {
  float x = 0, y = 0;

  friend constexpr bool operator==(const Point&, const Point&) = default;
};

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;

  [[nodiscard]] float right() const { return x + width; }
  [[nodiscard]] float bottom() const { return y + height; }
};

enum class Align { kStart, kMiddle, kEnd };

struct TextStyle {
  float size = 14;  ///< pixels from the top of an ascender to the bottom of a descender, about
  Color color = kInk;
  Align align = Align::kStart;  ///< which end of the line of text the given point is
  bool bold = false;
};

/// What can lie on a drawing. All lines have round caps and joins.
struct Polyline {
  std::vector<Point> points;
  float width = 1;
  Color color;
};
struct Polygon {
  std::vector<Point> points;  ///< closed by itself; filled where the winding number is not zero
  Color color;
};
struct Circle {
  Point centre;
  float radius = 0;
  Color color;
};
/// The hull of two circles: a limb.
struct Capsule {
  Point a, b;
  float radius_a = 0, radius_b = 0;
  Color color;
};
struct Text {
  Point at;          ///< on the baseline
  std::string text;  ///< UTF-8
  TextStyle style;
};
/// A grid of coloured cells stretched over `frame`, first row on top.
struct Cells {
  Rect frame;
  std::size_t columns = 0;
  std::vector<Color> colors;  ///< a multiple of `columns`
};
using Shape = std::variant<Polyline, Polygon, Circle, Capsule, Text, Cells>;

/// A picture as a list of shapes, painted first to last. One description, two back ends: `to_svg` and `rasterise`.
class Drawing {
 public:
  Drawing(float width, float height, Color background = kPaper)
      : width_(width), height_(height), background_(background) {}

  [[nodiscard]] float width() const { return width_; }
  [[nodiscard]] float height() const { return height_; }
  [[nodiscard]] Color background() const { return background_; }
  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }

  /// Adds one of the shapes above.
  template <typename S>
  void add(S shape) {
    shapes_.emplace_back(std::move(shape));
  }
  void line(Point a, Point b, float width, Color color) { add(Polyline{{a, b}, width, color}); }
  void rectangle(const Rect& r, Color color);
  /// A rectangle with rounded corners; `radius` is cut down to what fits.
  void rounded(const Rect& r, float radius, Color color);
  void text(Point at, std::string text, const TextStyle& style = {}) { add(Text{at, std::move(text), style}); }
  /// Paints `inner` (without its background) with its upper left corner at `at`.
  void place(const Drawing& inner, Point at);

 private:
  float width_, height_;
  Color background_;
  std::vector<Shape> shapes_;
};

/// The outline of the hull of two circles, counter-clockwise on a page whose y goes up, flattened to within a tenth
/// of a pixel.
std::vector<Point> outline(const Capsule& capsule);

}  // namespace loom::picture
