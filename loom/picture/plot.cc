// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/font.h>
#include <loom/picture/plot.h>

namespace loom::picture {
namespace {

constexpr TextStyle kPlotTitle{15, kInk, Align::kStart, true};
constexpr TextStyle kPlotText{11.5f, kFaintInk};
constexpr float kMarginTop = 40, kMarginLeft = 62, kMarginBottom = 46,
                kMarginRight = 18;  ///< margins around the frame of a plot
constexpr float kScaleWidth = 70;   ///< room for the colour scale of a heat map

TextStyle aligned(TextStyle style, Align align) {
  style.align = align;
  return style;
}

/// The distance between round ticks.
double tick_step(Range range, int count) {
  const double raw = range.span() / std::max(1, count);
  if (!(raw > 0) || !std::isfinite(raw)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

/// The range of all finite values; [0, 1] where there are none, and never empty.
class RangeOf {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  [[nodiscard]] Range get() const {
    if (low_ > high_) return {};
    if (low_ == high_) return {low_ - 0.5, high_ + 0.5};
    return {low_, high_};
  }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

/// A range a little wider, so that its ends are round.
Range rounded(Range range) {
  const double step = tick_step(range, 5);
  return {std::floor(range.low / step) * step, std::ceil(range.high / step) * step};
}

Axes axes_of(const PlotOptions& options, Range x, Range y, float right) {
  return {{kMarginLeft, kMarginTop, options.width - kMarginLeft - right, options.height - kMarginTop - kMarginBottom},
          x,
          y};
}

Axes start_plot(Drawing& drawing, const PlotOptions& options, Range x, Range y, float right = kMarginRight) {
  drawing.text({kMarginLeft, 24}, fit_text(options.title, options.width - kMarginLeft, kPlotTitle), kPlotTitle);
  return axes_of(options, x, y, right);
}

void draw_y_axis(Drawing& drawing, const Axes& axes, const PlotOptions& options) {
  const int count = std::max(2, to_whole<int>(axes.frame.height / 50));
  for (double value : ticks(axes.y, count)) {
    const Point p = axes.at(axes.x.low, value);
    drawing.line(p, {axes.frame.right(), p.y}, 1, kHairline);
    drawing.text({p.x - 8, p.y + 4}, tick_label(value, tick_step(axes.y, count)), aligned(kPlotText, Align::kEnd));
  }
  drawing.text({8, axes.frame.y - 8}, options.y_label, kPlotText);
}

void draw_x_axis(Drawing& drawing, const Axes& axes, const PlotOptions& options) {
  const int count = std::max(2, to_whole<int>(axes.frame.width / 80));
  drawing.line({axes.frame.x, axes.frame.bottom()}, {axes.frame.right(), axes.frame.bottom()}, 1.2f, kFaintInk);
  for (double value : ticks(axes.x, count)) {
    const Point p = axes.at(value, axes.y.low);
    drawing.line(p, {p.x, p.y + 4}, 1.2f, kFaintInk);
    drawing.text({p.x, p.y + 17}, tick_label(value, tick_step(axes.x, count)), aligned(kPlotText, Align::kMiddle));
  }
  drawing.text({axes.frame.right(), axes.frame.bottom() + 36}, options.x_label, aligned(kPlotText, Align::kEnd));
}

void draw_series(Drawing& drawing, const Axes& axes, const Series& series, Color color) {
  Polyline line{{}, 2, color};
  const auto end_stretch = [&] {
    if (!line.points.empty()) drawing.add(line);
    line.points.clear();
  };
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const bool inside = series.x[i] >= axes.x.low && series.x[i] <= axes.x.high;
    if (inside && std::isfinite(series.y[i])) {
      line.points.push_back(axes.at(series.x[i], std::clamp(series.y[i], axes.y.low, axes.y.high)));
    } else {
      end_stretch();
    }
  }
  end_stretch();
}

void draw_bar(Drawing& drawing, const Axes& axes, double from, double to, double value, float gap) {
  if (!std::isfinite(value)) return;
  const Point a = axes.at(from, std::clamp(0.0, axes.y.low, axes.y.high));
  const Point b = axes.at(to, std::clamp(value, axes.y.low, axes.y.high));
  const float inset = std::min(gap, (b.x - a.x) * 0.2f);
  drawing.rectangle({a.x + inset, std::min(a.y, b.y), b.x - a.x - 2 * inset, std::fabs(b.y - a.y)}, category_color(0));
}

/// The y range of bars: zero is always in it.
Range bar_range(std::span<const double> values, const PlotOptions& options) {
  RangeOf y;
  y.add(0);
  for (double value : values) y.add(value);
  return options.y.value_or(rounded(y.get()));
}

/// Averages blocks of a matrix that has more cells than the picture has pixels, so that no cell falls through.
std::vector<float> shrink(std::span<const float> values, std::size_t& columns, std::size_t& rows, std::size_t limit) {
  const std::size_t out_columns = std::min(columns, limit), out_rows = std::min(rows, limit);
  std::vector<float> sum(out_columns * out_rows), count(out_columns * out_rows);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    if (!std::isfinite(values[i])) continue;
    const std::size_t cell = (i / columns) * out_rows / rows * out_columns + (i % columns) * out_columns / columns;
    sum[cell] += values[i];
    count[cell] += 1;
  }
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] /= count[i];  // 0 / 0 is the gap it should be
  columns = out_columns;
  rows = out_rows;
  return sum;
}

void draw_scale(Drawing& drawing, const Rect& frame, Range range) {
  constexpr std::size_t kSteps = 64;
  Cells scale{frame, 1, {}};
  for (std::size_t i = 0; i < kSteps; ++i) {
    scale.colors.push_back(scale_color(1 - static_cast<float>(i) / (kSteps - 1)));
  }
  drawing.add(std::move(scale));
  const Axes axes{frame, {0, 1}, range};
  for (double value : ticks(range, 5)) {
    const Point p = axes.at(1, value);
    drawing.text({p.x + 6, p.y + 4}, tick_label(value, tick_step(range, 5)), kPlotText);
  }
}

}  // namespace

std::vector<double> ticks(Range range, int count) {
  std::vector<double> values;
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.span() <= 0) return values;
  const double step = tick_step(range, count);
  const double first = std::ceil(range.low / step - 1e-6);
  for (int i = 0; i <= 4 * count + 4; ++i) {  // bounded: a tiny span far from zero would never advance
    const double value = (first + i) * step;
    if (value > range.high + step * 1e-6) break;
    values.push_back(value == 0 ? 0.0 : value);
  }
  return values;
}

std::string tick_label(double value, double step) {
  if (std::fabs(value) >= 1e6 || (step < 1e-4 && value != 0)) return fmt::format("{:.3g}", value);
  const int decimals = std::clamp(to_whole<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", value, decimals);
}

Drawing line_plot(std::span<const Series> series, const PlotOptions& options) {
  Drawing drawing(options.width, options.height);
  RangeOf x, y;
  for (const Series& s : series) {
    for (double value : s.x) x.add(value);
    for (double value : s.y) y.add(value);
  }
  const Axes axes = start_plot(drawing, options, options.x.value_or(x.get()), options.y.value_or(rounded(y.get())));
  draw_y_axis(drawing, axes, options);
  draw_x_axis(drawing, axes, options);
  float legend = axes.frame.x;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Color color = series[i].color.value_or(category_color(i));
    draw_series(drawing, axes, series[i], color);
    if (series[i].name.empty()) continue;
    const float y_text = options.height - 10;
    drawing.line({legend + 2, y_text - 4}, {legend + 16, y_text - 4}, 3, color);
    drawing.text({legend + 22, y_text}, series[i].name, kPlotText);
    legend += 36 + text_width(series[i].name, kPlotText);
  }
  return drawing;
}

Drawing histogram(std::span<const double> values, int bins, const PlotOptions& options) {
  RangeOf all;
  for (double value : values) all.add(value);
  const Range x = options.x.value_or(all.get());
  std::vector<double> counts(static_cast<std::size_t>(std::max(1, bins)));
  for (double value : values) {
    if (!(value >= x.low && value <= x.high)) continue;
    const auto bin = to_whole<std::size_t>((value - x.low) / x.span() * static_cast<double>(counts.size()));
    counts[std::min(bin, counts.size() - 1)] += 1;
  }
  Drawing drawing(options.width, options.height);
  const Axes axes = start_plot(drawing, options, x, bar_range(counts, options));
  draw_y_axis(drawing, axes, options);
  const double width = x.span() / static_cast<double>(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double from = x.low + width * static_cast<double>(i);
    draw_bar(drawing, axes, from, from + width, counts[i], 0.5f);
  }
  draw_x_axis(drawing, axes, options);
  return drawing;
}

Axes heat_map_axes(std::size_t rows, std::size_t columns, const PlotOptions& options) {
  const Range x = options.x.value_or(Range{0, static_cast<double>(columns)});
  const Range y = options.y.value_or(Range{static_cast<double>(rows), 0});  // the first row is on top
  return axes_of(options, x, y, kScaleWidth);
}

Drawing heat_map(std::span<const float> values, std::size_t columns, const PlotOptions& options,
                 std::optional<Range> shown) {
  Drawing drawing(options.width, options.height);
  if (columns == 0 || values.size() < columns) return drawing;
  RangeOf found;
  for (float value : values) found.add(value);
  const Range range = shown.value_or(found.get());
  std::size_t rows = values.size() / columns, shown_columns = columns;
  const Axes whole = heat_map_axes(rows, columns, options);
  const Range x = whole.x, y = whole.y;
  const auto limit = static_cast<std::size_t>(std::max(options.width, options.height));
  const std::vector<float> cells = shrink(values, shown_columns, rows, limit);
  const Axes axes = start_plot(drawing, options, x, y, kScaleWidth);
  Cells image{axes.frame, shown_columns, {}};
  for (float value : cells) {
    image.colors.push_back(scale_color(static_cast<float>((static_cast<double>(value) - range.low) / range.span())));
  }
  drawing.add(std::move(image));
  draw_x_axis(drawing, axes, options);
  const Range upright{std::min(y.low, y.high), std::max(y.low, y.high)};
  for (double value : ticks(upright, to_whole<int>(axes.frame.height / 50))) {
    const Point p = axes.at(x.low, value);
    drawing.text({p.x - 8, p.y + 4}, tick_label(value, tick_step(upright, to_whole<int>(axes.frame.height / 50))),
                 aligned(kPlotText, Align::kEnd));
  }
  drawing.text({8, axes.frame.y - 8}, options.y_label, kPlotText);
  draw_scale(drawing, {axes.frame.right() + 14, axes.frame.y, 14, axes.frame.height}, range);
  return drawing;
}

}  // namespace loom::picture
