// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/picture/drawing.h>

namespace loom::picture {

/// Diagrams for reports: lines, bars and matrices over labelled axes. Each gives a Drawing, to be saved, placed in
/// another, or set into a page as SVG. Values that are not finite leave a gap.

/// From which value to which an axis goes.
struct Range {
  double low = 0, high = 1;

  [[nodiscard]] double span() const { return high - low; }
};

/// Round values (1, 2 or 5 times a power of ten apart) within `range`, about `count` of them, ascending.
std::vector<double> ticks(Range range, int count);

/// `value` as an axis shows it beside ticks `step` apart: no more decimals than needed.
std::string tick_label(double value, double step);

/// The part of a drawing that has an axis on each side: turns values into places.
struct Axes {
  Rect frame;
  Range x, y;

  [[nodiscard]] Point at(double px, double py) const {
    return {frame.x + frame.width * static_cast<float>((px - x.low) / x.span()),
            frame.bottom() - frame.height * static_cast<float>((py - y.low) / y.span())};
  }
};

struct PlotOptions {
  std::string title, x_label, y_label;
  float width = 640, height = 360;
  std::optional<Range> x, y;  ///< what the axes show; by default all there is
};

struct Series {
  std::string name;  ///< in the legend; empty for none
  std::vector<double> x, y;
  std::optional<Color> color;  ///< by default the next of `category_color`
};

Drawing line_plot(std::span<const Series> series, const PlotOptions& options);

/// How many of `values` fall in each of `bins` equal parts of the x range; those outside it are not counted.
Drawing histogram(std::span<const double> values, int bins, const PlotOptions& options);

/// A matrix as colours, first row on top, with the scale beside it. `values` has a multiple of `columns` entries;
/// the colours go over `shown`, or from the least value to the largest.
Drawing heat_map(std::span<const float> values, std::size_t columns, const PlotOptions& options,
                 std::optional<Range> shown = {});

/// Where `heat_map` of as many rows and columns puts its cells, to draw over them; y counts rows, downwards.
Axes heat_map_axes(std::size_t rows, std::size_t columns, const PlotOptions& options);

}  // namespace loom::picture
