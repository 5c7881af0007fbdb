// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>

#include <loom/picture/detail/utf8.h>
#include <loom/picture/font.h>

namespace loom::picture {
namespace {

/// A letter as pen strokes. Units: 20 to the em, baseline at 0, y up, x-height 9.6, capitals 14, descenders -4.4.
///
/// `path` speaks a small language: M moves, L draws a line, Q a parabola (control point, end), and two letters draw
/// a quarter of an ellipse: H leaves horizontally and arrives vertically, V the other way round.
struct Glyph {
  char32_t code;
  float width;  ///< of the ink's skeleton; side bearings come on top
  std::string_view path;
};

constexpr float kUnitsPerEm = 20;
constexpr float kSideBearings = 3.5f;           ///< units of space from one letter to the next
constexpr float kPen = 1.5f, kBoldPen = 2.35f;  ///< units

constexpr std::array kGlyphs = {
    Glyph{' ', 2.0f, ""},
    Glyph{'!', 0, "M0 14 L0 4.6 M0 0.2 L0 0"},
    Glyph{'"', 3.4f, "M0 14 L0 10.4 M3.4 14 L3.4 10.4"},
    Glyph{'#', 8.6f, "M2.8 13 L1.4 1 M7.2 13 L5.8 1 M0.6 9.2 L8.6 9.2 M0 4.8 L8 4.8"},
    Glyph{'$', 8.5f,
          "M8 11.8 Q7 13.6 4.2 13.6 H0.3 10.4 Q0.3 8 4.2 7.2 Q8.5 6.2 8.5 3.6 V4.2 0.4 Q1 0.4 0 3 M4.3 15.8 L4.3 -1.8"},
    Glyph{'%', 12, "M2.6 14 H5.2 10.9 V2.6 7.8 H0 10.9 V2.6 14 M9.4 6.2 H12 3.1 V9.4 0 H6.8 3.1 V9.4 6.2 M10 14 L2 0"},
    Glyph{'&', 9.8f,
          "M9.8 0 L2.4 9.2 Q1.4 10.5 1.4 11.4 V4 14 H6.6 11.5 Q6.6 9.4 3.6 7.8 Q0 6 0 3.4 V3.8 0 Q7.8 0 9 6.2"},
    Glyph{'\'', 0, "M0 14 L0 10.4"},
    Glyph{'(', 3, "M3 15.5 Q0 11.5 0 6 Q0 0.5 3 -3.5"},
    Glyph{')', 3, "M0 15.5 Q3 11.5 3 6 Q3 0.5 0 -3.5"},
    Glyph{'*', 6.4f, "M3.2 14 L3.2 7.2 M0.2 12.3 L6.2 8.9 M6.2 12.3 L0.2 8.9"},
    Glyph{'+', 8, "M4 10.2 L4 2.2 M0 6.2 L8 6.2"},
    Glyph{',', 0.8f, "M0.8 0.4 L0 -2.4"},
    Glyph{'-', 4.6f, "M0 5.4 L4.6 5.4"},
    Glyph{'.', 0, "M0 0.2 L0 0"},
    Glyph{'/', 5.6f, "M0 -1.5 L5.6 15"},
    Glyph{'0', 8, "M4 14 H8 9.6 L8 4.4 V4 0 H0 4.4 L0 9.6 V4 14"},
    Glyph{'1', 8, "M1.6 11.4 L5 14 L5 0"},
    Glyph{'2', 8, "M0.3 10.5 V4 14 H7.8 10.4 Q7.8 8.4 6.2 6.5 L0.2 0 L8 0"},
    Glyph{'3', 8, "M0.5 12 Q1.8 14 4 14 H7.6 10.7 V4 7.5 L3 7.5 M4 7.5 H8 3.8 V4 0 Q1.5 0 0.1 2.3"},
    Glyph{'4', 8, "M6.2 0 L6.2 14 L0 3.9 L8.3 3.9"},
    Glyph{'5', 8, "M7.3 14 L1.3 14 L0.7 7.6 Q2 8.8 4 8.8 H8 4.4 V4 0 Q1.4 0 0.1 2.2"},
    Glyph{'6', 8, "M6.7 14 Q0 10.8 0 4.5 V4 0 H8 4.5 V4 8.9 H0 4.5"},
    Glyph{'7', 8, "M0 14 L8 14 L2.9 0"},
    Glyph{'8', 8, "M4 14 H7.5 10.8 V4 7.6 H0.5 10.8 V4 14 M4 7.6 H8 3.8 V4 0 H0 3.8 V4 7.6"},
    Glyph{'9', 8, "M1.3 0 Q8 3.2 8 9.5 V4 14 H0 9.5 V4 5.1 H8 9.5"},
    Glyph{':', 0, "M0 8.4 L0 8.2 M0 0.2 L0 0"},
    Glyph{';', 0.8f, "M0.8 8.4 L0.8 8.2 M0.8 0.4 L0 -2.4"},
    Glyph{'<', 7, "M7 10.4 L0 6.2 L7 2"},
    Glyph{'=', 8, "M0 8.2 L8 8.2 M0 4.2 L8 4.2"},
    Glyph{'>', 7, "M0 10.4 L7 6.2 L0 2"},
    Glyph{'?', 6.8f, "M0 11.4 V3.4 14 H6.8 10.7 Q6.8 8.6 4.9 7.3 Q3.3 6.2 3.3 4.4 M3.3 0.2 L3.3 0"},
    Glyph{'@', 13.4f,
          "M9.6 5.4 V6.6 8.8 H3.6 5.4 V6.6 2 H9.6 5.4 L9.6 4 V11.4 2 H13.4 5.6 V6.8 12.2 H0 5.2 V6.8 -1.8 Q9 -1.8 10.6 "
          "-0.8"},
    Glyph{'A', 10, "M0 0 L5 14 L10 0 M1.8 5 L8.2 5"},
    Glyph{'B', 8.6f, "M0 0 L0 14 L4.5 14 H8 10.7 V4.5 7.4 L0 7.4 M4.5 7.4 H8.6 3.7 V4.5 0 L0 0"},
    Glyph{'C', 9.8f, "M9.8 11.4 Q8.3 14 5.4 14 H0 7 V5.4 0 Q8.3 0 9.8 2.6"},
    Glyph{'D', 9.6f, "M0 0 L0 14 L3.6 14 H9.6 7 V3.6 0 L0 0"},
    Glyph{'E', 7.5f, "M7.5 14 L0 14 L0 0 L7.5 0 M0 7.3 L6.7 7.3"},
    Glyph{'F', 7.2f, "M7.2 14 L0 14 L0 0 M0 7 L6.4 7"},
    Glyph{'G', 10.4f, "M9.9 11.4 Q8.4 14 5.4 14 H0 7 V5.4 0 H10.4 4.8 L10.4 6.5 L6.2 6.5"},
    Glyph{'H', 9.2f, "M0 0 L0 14 M9.2 0 L9.2 14 M0 7.2 L9.2 7.2"},
    Glyph{'I', 0, "M0 0 L0 14"},
    Glyph{'J', 5.8f, "M5.8 14 L5.8 3.6 V2.8 0 Q0.6 0 0 2.6"},
    Glyph{'K', 8.6f, "M0 0 L0 14 M8.2 14 L0 5.2 M3.1 8.5 L8.6 0"},
    Glyph{'L', 7, "M0 14 L0 0 L7 0"},
    Glyph{'M', 11, "M0 0 L0 14 L5.5 3.4 L11 14 L11 0"},
    Glyph{'N', 9.4f, "M0 0 L0 14 L9.4 0 L9.4 14"},
    Glyph{'O', 11.2f, "M5.6 14 H11.2 7 V5.6 0 H0 7 V5.6 14"},
    Glyph{'P', 8.4f, "M0 0 L0 14 L4.4 14 H8.4 10.1 V4.4 6.2 L0 6.2"},
    Glyph{'Q', 11.2f, "M5.6 14 H11.2 7 V5.6 0 H0 7 V5.6 14 M7 3.2 L10.8 -1"},
    Glyph{'R', 8.8f, "M0 0 L0 14 L4.4 14 H8.4 10.2 V4.4 6.4 L0 6.4 M4.4 6.4 L8.8 0"},
    Glyph{'S', 8.5f, "M8 11.8 Q7 14 4.2 14 H0.3 10.6 Q0.3 8 4.2 7.2 Q8.5 6.2 8.5 3.6 V4.2 0 Q1 0 0 2.8"},
    Glyph{'T', 9, "M0 14 L9 14 M4.5 14 L4.5 0"},
    Glyph{'U', 9.2f, "M0 14 L0 4.6 V4.6 0 H9.2 4.6 L9.2 14"},
    Glyph{'V', 9.6f, "M0 14 L4.8 0 L9.6 14"},
    Glyph{'W', 14, "M0 14 L3.5 0 L7 12.4 L10.5 0 L14 14"},
    Glyph{'X', 9, "M0.2 14 L9 0 M8.8 14 L0 0"},
    Glyph{'Y', 9.2f, "M0 14 L4.6 6.6 L9.2 14 M4.6 6.6 L4.6 0"},
    Glyph{'Z', 8.5f, "M0.2 14 L8.5 14 L0 0 L8.5 0"},
    Glyph{'[', 2.6f, "M2.6 15.5 L0 15.5 L0 -3.5 L2.6 -3.5"},
    Glyph{'\\', 5.6f, "M0 15 L5.6 -1.5"},
    Glyph{']', 2.6f, "M0 15.5 L2.6 15.5 L2.6 -3.5 L0 -3.5"},
    Glyph{'^', 7, "M0 8.4 L3.5 14 L7 8.4"},
    Glyph{'_', 8, "M-1 -2.6 L9 -2.6"},
    Glyph{'`', 2, "M0 14.4 L2 11.6"},
    Glyph{'a', 7.4f, "M7.4 9.6 L7.4 0 M7.4 4.8 V3.7 9.6 H0 4.8 V3.7 0 H7.4 4.8"},
    Glyph{'b', 7.4f, "M0 14.6 L0 0 M0 4.8 V3.7 9.6 H7.4 4.8 V3.7 0 H0 4.8"},
    Glyph{'c', 6.8f, "M6.8 7.6 Q5.8 9.6 3.7 9.6 H0 4.8 V3.7 0 Q5.8 0 6.8 2"},
    Glyph{'d', 7.4f, "M7.4 14.6 L7.4 0 M7.4 4.8 V3.7 9.6 H0 4.8 V3.7 0 H7.4 4.8"},
    Glyph{'e', 7.4f, "M0 5 L7.4 5 V3.7 9.6 H0 4.8 V3.7 0 Q6 0 7 2.1"},
    Glyph{'f', 4.6f, "M5 14.5 L4.4 14.5 H1.6 11.4 L1.6 0 M0 9.6 L4.6 9.6"},
    Glyph{'g', 7.4f, "M7.4 9.6 L7.4 -0.8 V3.7 -4.4 Q1.4 -4.4 0.5 -2.8 M7.4 4.8 V3.7 9.6 H0 4.8 V3.7 0 H7.4 4.8"},
    Glyph{'h', 6.8f, "M0 14.6 L0 0 M0 5.5 V3.6 9.6 H6.8 6 L6.8 0"},
    Glyph{'i', 0, "M0 9.6 L0 0 M0 13.6 L0 13.4"},
    Glyph{'j', 1.6f, "M1.6 9.6 L1.6 -2 V-0.4 -4.4 L-0.8 -4.4 M1.6 13.6 L1.6 13.4"},
    Glyph{'k', 6.8f, "M0 14.6 L0 0 M6.4 9.6 L0 3.6 M2.6 6 L6.8 0"},
    Glyph{'l', 1.4f, "M0 14.6 L0 2.2 V1.8 0"},
    Glyph{'m', 11.8f, "M0 9.6 L0 0 M0 5.5 V3.2 9.6 H5.9 6.2 L5.9 0 M5.9 5.5 V9 9.6 H11.8 6.2 L11.8 0"},
    Glyph{'n', 6.8f, "M0 9.6 L0 0 M0 5.5 V3.6 9.6 H6.8 6 L6.8 0"},
    Glyph{'o', 7.8f, "M3.9 9.6 H7.8 4.8 V3.9 0 H0 4.8 V3.9 9.6"},
    Glyph{'p', 7.4f, "M0 9.6 L0 -4.4 M0 4.8 V3.7 9.6 H7.4 4.8 V3.7 0 H0 4.8"},
    Glyph{'q', 7.4f, "M7.4 9.6 L7.4 -4.4 M7.4 4.8 V3.7 9.6 H0 4.8 V3.7 0 H7.4 4.8"},
    Glyph{'r', 4, "M0 9.6 L0 0 M0 5.3 V4 9.6 L4.4 9.6"},
    Glyph{'s', 6.4f, "M6 7.9 Q5.3 9.6 3.2 9.6 H0.3 7.2 Q0.3 5.4 3.2 4.9 Q6.4 4.3 6.4 2.5 V3.2 0 Q0.8 0 0 1.9"},
    Glyph{'t', 4.4f, "M1.6 13 L1.6 2.6 V4 0 L4.6 0 M-0.2 9.6 L4.4 9.6"},
    Glyph{'u', 6.8f, "M0 9.6 L0 3.6 V3.3 0 H6.8 4.1 M6.8 9.6 L6.8 0"},
    Glyph{'v', 7.4f, "M0 9.6 L3.7 0 L7.4 9.6"},
    Glyph{'w', 11, "M0 9.6 L2.8 0 L5.5 8.6 L8.2 0 L11 9.6"},
    Glyph{'x', 7, "M0.2 9.6 L7 0 M6.8 9.6 L0 0"},
    Glyph{'y', 7.4f, "M0 9.6 L3.8 0 M7.4 9.6 L3.8 0 Q2.2 -4.4 0 -4.4"},
    Glyph{'z', 6.6f, "M0.2 9.6 L6.6 9.6 L0 0 L6.6 0"},
    Glyph{'{', 3.6f, "M3.6 15.5 H1.6 13 L1.6 8.4 V0 6 H1.6 3.6 L1.6 -1 V3.6 -3.5"},
    Glyph{'|', 0, "M0 15.5 L0 -3.5"},
    Glyph{'}', 3.6f, "M0 15.5 H2 13 L2 8.4 V3.6 6 H2 3.6 L2 -1 V0 -3.5"},
    Glyph{'~', 7.6f, "M0 5.4 Q1.4 7.4 3.8 6.2 Q6.2 5 7.6 7"},
    Glyph{U'\u00b0', 4, "M2 14.4 H4 12.4 V2 10.4 H0 12.4 V2 14.4"},
    Glyph{U'\u00b2', 4.6f, "M0.2 12.2 V2.2 14.2 H4.4 12.2 Q4.4 11.2 3.4 10.2 L0 7.2 L4.6 7.2"},
    Glyph{U'\u00b5', 6.8f, "M0 9.6 L0 -4.4 M0 3.6 V3.3 0 H6.8 4.1 M6.8 9.6 L6.8 0"},
    Glyph{U'\u00b7', 1.2f, "M0.6 5.8 L0.6 5.6"},
    Glyph{U'\u00d7', 6.4f, "M0 9.4 L6.4 3 M6.4 9.4 L0 3"},
    Glyph{U'\u2013', 8, "M0 5.4 L8 5.4"},
    Glyph{U'\u2212', 8, "M0 6.2 L8 6.2"},
};

constexpr Glyph kUnknown{0, 7, "M0 0 L0 14 L7 14 L7 0 L0 0"};

const Glyph& find_glyph(char32_t code) {
  const auto* const found =
      std::find_if(kGlyphs.begin(), kGlyphs.end(), [code](const Glyph& glyph) { return glyph.code == code; });
  return found == kGlyphs.end() ? kUnknown : *found;
}

float scale_of(const TextStyle& style) { return style.size / kUnitsPerEm; }

/// Reads a glyph's path and draws it with the pen.
class Pen {
 public:
  Pen(Point origin, float scale, float width, Color color)
      : origin_(origin), scale_(scale), width_(width), color_(color) {}

  void draw(std::string_view path, std::vector<Polyline>& out) {
    while (!path.empty()) {
      const char command = path.front();
      path.remove_prefix(1);
      Point to = point(path);
      switch (command) {
        case 'M':
          out.push_back({{}, width_, color_});
          break;
        case 'Q': {
          const Point corner = to;
          to = point(path);
          curve(out.back(), corner, to, 2.0f / 3);
          break;
        }
        case 'H':
          curve(out.back(), {to.x, now_.y}, to, kQuarter);
          break;
        case 'V':
          curve(out.back(), {now_.x, to.y}, to, kQuarter);
          break;
        default:
          break;
      }
      out.back().points.push_back(on_paper(now_ = to));
    }
  }

 private:
  static float number(std::string_view& path) {
    float value = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), value);
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    while (!path.empty() && path.front() == ' ') path.remove_prefix(1);
    return value;
  }
  static Point point(std::string_view& path) {
    const float x = number(path);
    return {x, number(path)};
  }
  [[nodiscard]] Point on_paper(Point p) const { return {origin_.x + p.x * scale_, origin_.y - p.y * scale_}; }

  /// A cubic from here to `to` whose control points lie `share` of the way to `corner`: 2/3 makes a parabola,
  /// 0.5523 a quarter of an ellipse.
  static constexpr float kQuarter = 0.5523f;
  void curve(Polyline& line, Point corner, Point to, float share) const {
    constexpr int kSteps = 8;
    const auto towards = [&](Point p) { return Point{p.x + (corner.x - p.x) * share, p.y + (corner.y - p.y) * share}; };
    const Point a = now_, b = towards(now_), c = towards(to), d = to;
    for (int i = 1; i < kSteps; ++i) {
      const float t = static_cast<float>(i) / kSteps, s = 1 - t;
      const float wa = s * s * s, wb = 3 * s * s * t, wc = 3 * s * t * t, wd = t * t * t;
      line.points.push_back(
          on_paper({wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y}));
    }
  }

  Point origin_;
  float scale_, width_;
  Color color_;
  Point now_;
};

}  // namespace

float text_width(std::string_view text, const TextStyle& style) {
  float units = 0;
  while (!text.empty()) units += find_glyph(next_character(text)).width + kSideBearings;
  return units * scale_of(style);
}

std::vector<Polyline> text_strokes(const Text& text) {
  const TextStyle& style = text.style;
  const float scale = scale_of(style);
  float x = text.at.x;
  if (style.align == Align::kMiddle) x -= text_width(text.text, style) / 2;
  if (style.align == Align::kEnd) x -= text_width(text.text, style);
  std::vector<Polyline> strokes;
  std::string_view rest = text.text;
  while (!rest.empty()) {
    const Glyph& glyph = find_glyph(next_character(rest));
    Pen pen({x + kSideBearings / 2 * scale, text.at.y}, scale, (style.bold ? kBoldPen : kPen) * scale, style.color);
    pen.draw(glyph.path, strokes);
    x += (glyph.width + kSideBearings) * scale;
  }
  return strokes;
}

std::string fit_text(std::string_view text, float width, const TextStyle& style) {
  if (text_width(text, style) <= width) return std::string(text);
  const float room = width - text_width("..", style);
  std::string_view rest = text;
  float used = 0;
  std::size_t keep = 0;
  while (!rest.empty()) {
    used += (find_glyph(next_character(rest)).width + kSideBearings) * scale_of(style);
    if (used > room) break;
    keep = text.size() - rest.size();
  }
  return keep == 0 ? std::string() : std::string(text.substr(0, keep)) + "..";
}

}  // namespace loom::picture
