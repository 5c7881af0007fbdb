// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <loom/picture/base64.h>
#include <loom/picture/detail/utf8.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>
#include <loom/picture/svg.h>

namespace loom::picture {
namespace {

/// A coordinate with at most two decimals and no trailing zeros; SVG files are mostly numbers.
std::string number(float value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string color_attribute(const char* name, Color color) {
  std::string text = fmt::format(R"( {}="#{:02x}{:02x}{:02x}")", name, color.r, color.g, color.b);
  if (color.a < 255) text += fmt::format(R"( {}-opacity="{}")", name, number(static_cast<float>(color.a) / 255));
  return text;
}

std::string point_list(const std::vector<Point>& points) {
  std::string text;
  for (const Point& p : points) {
    if (!text.empty()) text += ' ';
    text += number(p.x) + ',' + number(p.y);
  }
  return text;
}

/// Writes each kind of shape as its element.
class Writer {
 public:
  void operator()(const Polyline& s) {
    put(R"(<polyline points="{}" stroke-width="{}"{}/>)", point_list(s.points), number(s.width),
        color_attribute("stroke", s.color) + R"( fill="none")");
  }
  void operator()(const Polygon& s) {
    put(R"(<polygon points="{}"{}/>)", point_list(s.points), color_attribute("fill", s.color));
  }
  void operator()(const Circle& s) {
    put(R"(<circle cx="{}" cy="{}" r="{}"{}/>)", number(s.centre.x), number(s.centre.y), number(s.radius),
        color_attribute("fill", s.color));
  }
  void operator()(const Capsule& s) {
    const float dx = s.b.x - s.a.x, dy = s.b.y - s.a.y, gap = std::hypot(dx, dy);
    if (!(gap > std::fabs(s.radius_a - s.radius_b))) {
      const bool a = s.radius_a > s.radius_b;
      (*this)(Circle{a ? s.a : s.b, a ? s.radius_a : s.radius_b, s.color});
      return;
    }
    // Four tangent points and the two arcs between them; the arc of the thicker end is the longer one.
    const float axis = std::atan2(dy, dx), tangent = std::acos((s.radius_a - s.radius_b) / gap);
    const auto at = [](Point centre, float radius, float angle) {
      return number(centre.x + radius * std::cos(angle)) + ' ' + number(centre.y + radius * std::sin(angle));
    };
    const auto arc = [&](float radius, bool large, const std::string& to) {
      return fmt::format("A{0} {0} 0 {1} 1 {2}", number(radius), large ? 1 : 0, to);
    };
    put(R"(<path d="M{} {} L{} {}Z"{}/>)", at(s.b, s.radius_b, axis - tangent),
        arc(s.radius_b, s.radius_b > s.radius_a, at(s.b, s.radius_b, axis + tangent)),
        at(s.a, s.radius_a, axis + tangent),
        arc(s.radius_a, s.radius_a > s.radius_b, at(s.a, s.radius_a, axis - tangent)),
        color_attribute("fill", s.color));
  }
  void operator()(const Text& s) {
    static constexpr const char* kAnchor[] = {"start", "middle", "end"};
    put(R"(<text x="{}" y="{}" font-size="{}" text-anchor="{}"{}{}>{}</text>)", number(s.at.x), number(s.at.y),
        number(s.style.size), kAnchor[static_cast<int>(s.style.align)], color_attribute("fill", s.style.color),
        s.style.bold ? R"( font-weight="600")" : "", escape_markup(s.text));
  }
  void operator()(const Cells& s) {
    if (s.columns == 0) return;
    // One pixel a cell in a picture within the picture: a thousandth of the size of as many rectangles.
    Raster raster{s.columns, s.colors.size() / s.columns, {}};
    for (std::size_t i = 0; i < raster.width * raster.height; ++i) {
      const Color c = s.colors[i];
      raster.rgba.insert(raster.rgba.end(), {c.r, c.g, c.b, c.a});
    }
    const auto png = to_png(raster);
    if (!png) return;
    put(R"(<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" style="image-rendering:pixelated" )"
        R"(href="data:image/png;base64,{}"/>)",
        number(s.frame.x), number(s.frame.y), number(s.frame.width), number(s.frame.height), to_base64(*png));
  }

  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string to_svg(const Drawing& drawing) {
  Writer writer;
  const std::string width = number(drawing.width()), height = number(drawing.height());
  writer.put(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(font-family="Inter, 'Helvetica Neue', Arial, sans-serif" stroke-linecap="round" stroke-linejoin="round">)",
      width, height);
  writer.put(R"(<rect width="{}" height="{}"{}/>)", width, height, color_attribute("fill", drawing.background()));
  for (const Shape& shape : drawing.shapes()) std::visit(writer, shape);
  writer.put("</svg>");
  return writer.take();
}

std::string escape_markup(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::string_view bytes = text;
    const char32_t code = next_character(text);
    switch (code) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default: {
        const bool forbidden = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
        if (forbidden || code == kNotACharacter) {
          safe += "\xEF\xBF\xBD";  // U+FFFD
        } else {
          safe += bytes.substr(0, bytes.size() - text.size());
        }
      }
    }
  }
  return safe;
}

}  // namespace loom::picture
