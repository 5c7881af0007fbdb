// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/picture/font.h>
#include <loom/picture/raster.h>

namespace loom::picture {
namespace {

constexpr int kSamples = 8;  ///< scan lines a pixel

/// Where a scan line crosses a contour, and which way the contour goes there.
struct Crossing {
  float x;
  int winding;
};

/// One side of a contour, from its upper end to its lower.
struct Edge {
  float top, bottom;  ///< y
  float x, slope;     ///< x at `top`, and its change for each step down
  int winding;        ///< +1 where the contour goes down, -1 where it goes up
};

/// Fills contours into a raster.
class Painter {
 public:
  Painter(Raster& raster, float scale) : raster_(raster), scale_(scale), cover_(raster.width + 1) {}

  void operator()(const Polyline& shape) {
    if (shape.points.size() == 1)
      add_contour(outline({shape.points[0], shape.points[0], shape.width / 2, shape.width / 2, {}}));
    for (std::size_t i = 1; i < shape.points.size(); ++i) {
      add_contour(outline({shape.points[i - 1], shape.points[i], shape.width / 2, shape.width / 2, {}}));
    }
    fill(shape.color);
  }
  void operator()(const Polygon& shape) {
    add_contour(shape.points);
    fill(shape.color);
  }
  void operator()(const Circle& shape) {
    add_contour(outline({shape.centre, shape.centre, shape.radius, shape.radius, {}}));
    fill(shape.color);
  }
  void operator()(const Capsule& shape) {
    add_contour(outline(shape));
    fill(shape.color);
  }
  void operator()(const Text& shape) {
    for (const Polyline& stroke : text_strokes(shape)) (*this)(stroke);
  }
  void operator()(const Cells& shape) {
    if (shape.columns == 0) return;
    const std::size_t rows = shape.colors.size() / shape.columns;
    const auto left = pixel(shape.frame.x, raster_.width), right = pixel(shape.frame.right(), raster_.width);
    const auto top = pixel(shape.frame.y, raster_.height), bottom = pixel(shape.frame.bottom(), raster_.height);
    const auto cell = [&](std::size_t at, float from, float extent, std::size_t count) {
      const float share = ((static_cast<float>(at) + 0.5f) / scale_ - from) / extent;
      return std::min(count - 1, to_whole<std::size_t>(std::max(0.0f, share * static_cast<float>(count))));
    };
    for (std::size_t y = top; y < bottom; ++y) {
      const std::size_t row = cell(y, shape.frame.y, shape.frame.height, rows);
      for (std::size_t x = left; x < right; ++x) {
        const std::size_t column = cell(x, shape.frame.x, shape.frame.width, shape.columns);
        blend(x, y, shape.colors[row * shape.columns + column], 1);
      }
    }
  }

 private:
  /// The pixel border nearest to a coordinate of the drawing, within [0, limit].
  [[nodiscard]] std::size_t pixel(float at, std::size_t limit) const {
    return to_whole<std::size_t>(std::clamp(std::round(at * scale_), 0.0f, static_cast<float>(limit)));
  }

  void add_contour(const std::vector<Point>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      Point a = points[i], b = points[(i + 1) % points.size()];
      a = {a.x * scale_, a.y * scale_};
      b = {b.x * scale_, b.y * scale_};
      const bool finite = std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(b.x) && std::isfinite(b.y);
      if (!finite || a.y == b.y) continue;
      const int winding = a.y < b.y ? 1 : -1;
      if (winding < 0) std::swap(a, b);
      edges_.push_back({a.y, b.y, a.x, (b.x - a.x) / (b.y - a.y), winding});
    }
  }

  /// Paints what the contours added since the last call enclose.
  void fill(Color color) {
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.top < b.top; });
    float bottom = 0;
    for (const Edge& edge : edges_) bottom = std::max(bottom, edge.bottom);
    const std::size_t first = edges_.empty() ? 0 : to_whole<std::size_t>(std::clamp(edges_[0].top, 0.0f, limit_y()));
    const auto last = to_whole<std::size_t>(std::clamp(std::ceil(bottom), 0.0f, limit_y()));
    std::size_t next = 0;
    std::vector<const Edge*> active;
    for (std::size_t y = first; y < last; ++y) {
      const auto row = static_cast<float>(y);
      while (next < edges_.size() && edges_[next].top < row + 1) active.push_back(&edges_[next++]);
      std::erase_if(active, [row](const Edge* edge) { return edge->bottom <= row; });
      paint_row(y, active, color);
    }
    edges_.clear();
  }

  [[nodiscard]] float limit_y() const { return static_cast<float>(raster_.height); }

  void paint_row(std::size_t y, const std::vector<const Edge*>& active, Color color) {
    from_ = raster_.width;
    to_ = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
      const float at = static_cast<float>(y) + (static_cast<float>(sample) + 0.5f) / kSamples;
      crossings_.clear();
      for (const Edge* edge : active) {
        if (edge->top <= at && at < edge->bottom) {
          crossings_.push_back({edge->x + (at - edge->top) * edge->slope, edge->winding});
        }
      }
      std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
      int winding = 0;
      for (std::size_t i = 0; i + 1 < crossings_.size(); ++i) {
        winding += crossings_[i].winding;
        if (winding != 0) cover(crossings_[i].x, crossings_[i + 1].x);
      }
    }
    for (std::size_t x = from_; x < to_; ++x) {
      if (cover_[x] > 0) blend(x, y, color, cover_[x] / kSamples);
      cover_[x] = 0;
    }
  }

  /// Counts one sample line's stretch from x = a to x = b towards the row's coverage.
  void cover(float a, float b) {
    const auto limit = static_cast<float>(raster_.width);
    a = std::clamp(a, 0.0f, limit);
    b = std::clamp(b, 0.0f, limit);
    if (a >= b) return;
    const auto first = static_cast<std::size_t>(a), last = static_cast<std::size_t>(b);
    from_ = std::min(from_, first);
    to_ = std::max(to_, std::min(last + 1, raster_.width));
    if (first == last) {
      cover_[first] += b - a;
      return;
    }
    cover_[first] += static_cast<float>(first + 1) - a;
    for (std::size_t x = first + 1; x < last; ++x) cover_[x] += 1;
    cover_[last] += b - static_cast<float>(last);
  }

  void blend(std::size_t x, std::size_t y, Color color, float coverage) {
    std::uint8_t* pixel = raster_.rgba.data() + 4 * (y * raster_.width + x);
    const float over = std::min(coverage, 1.0f) * static_cast<float>(color.a) / 255.0f;
    const float under = static_cast<float>(pixel[3]) / 255.0f * (1 - over);
    const float alpha = over + under;
    if (alpha <= 0) return;
    const std::uint8_t source[3] = {color.r, color.g, color.b};
    for (int c = 0; c < 3; ++c) {
      const float value = (static_cast<float>(source[c]) * over + static_cast<float>(pixel[c]) * under) / alpha;
      pixel[c] = channel(value);
    }
    pixel[3] = channel(alpha * 255);
  }

  Raster& raster_;
  float scale_;
  std::vector<Edge> edges_;
  std::vector<Crossing> crossings_;
  std::vector<float> cover_;       ///< of the row being painted, in sample lines; zero between rows
  std::size_t from_ = 0, to_ = 0;  ///< the pixels of the row that are covered
};

}  // namespace

Raster rasterise(const Drawing& drawing, float scale) {
  const auto pixels = [scale](float extent) {
    return to_whole<std::size_t>(std::clamp(std::round(extent * scale), 1.0f, 32768.0f));
  };
  Raster raster{pixels(drawing.width()), pixels(drawing.height()), {}};
  const Color paper = drawing.background();
  raster.rgba.resize(4 * raster.width * raster.height);
  for (std::size_t i = 0; i < raster.rgba.size(); i += 4) {
    raster.rgba[i] = paper.r;
    raster.rgba[i + 1] = paper.g;
    raster.rgba[i + 2] = paper.b;
    raster.rgba[i + 3] = paper.a;
  }
  Painter painter(raster, scale);
  for (const Shape& shape : drawing.shapes()) std::visit(painter, shape);
  return raster;
}

}  // namespace loom::picture
