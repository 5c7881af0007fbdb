// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <loom/picture/plot.h>
#include <loom/picture/stage.h>
#include <loom/report/analysis_pictures.h>
#include <loom/report/detail/picture_scale.h>

namespace loom::report {
namespace {

using picture::Align;
using picture::Camera;
using picture::Cells;
using picture::Color;
using picture::Drawing;
using picture::Point;
using picture::Range;
using picture::Rect;
using picture::TextStyle;

constexpr TextStyle kTitle{15, picture::kInk, Align::kStart, true};
constexpr TextStyle kPanelTitle{13, picture::kInk, Align::kMiddle};
constexpr TextStyle kSmallPrint{11.5f, picture::kFaintInk};
constexpr TextStyle kSmallMiddle{11.5f, picture::kFaintInk, Align::kMiddle};
constexpr TextStyle kSmallEnd{11.5f, picture::kFaintInk, Align::kEnd};

/// The 98th percentile of the known values.
float high_end(std::span<const float> values) {
  std::vector<float> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](float v) { return std::isfinite(v); });
  if (known.empty()) return 0;
  const auto nth = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) * 98 / 100);
  std::nth_element(known.begin(), nth, known.end());
  return *nth;
}

// ---- maps -----------------------------------------------------------------------------------------------------------

constexpr float kMapSide = 190, kMapGap = 22, kMapTop = 62, kMapLeft = 58;

std::span<const float> middle_surface(const blend::Analysis& analysis, const blend::MethodAnalysis& method,
                                      MapOf what) {
  const blend::ParameterGrid& grid = analysis.grid;
  const std::vector<float>& values = what == MapOf::kError ? method.errors : method.curvatures;
  return std::span(values).subspan(grid.index(grid.middle(), 0, 0), grid.rows * grid.columns);
}

Cells map_cells(std::span<const float> values, std::size_t columns, const Rect& frame, float high) {
  Cells cells{frame, columns, {}};
  const std::size_t rows = values.size() / columns;
  for (std::size_t r = rows; r-- > 0;) {  // upwards is more
    for (std::size_t c = 0; c < columns; ++c) {
      const float value = values[r * columns + c];
      cells.colors.push_back(std::isfinite(value) ? picture::scale_color(value / high)
                                                  : picture::with_alpha(picture::kPaper, 0));
    }
  }
  return cells;
}

std::string with_unit(const blend::GridAxis& axis) {
  return axis.unit.empty() ? axis.name : fmt::format("{}, {}", axis.name, axis.unit);
}

void draw_map_axes(Drawing& drawing, const blend::ParameterGrid& grid, const Rect& frame, bool first) {
  const picture::Axes axes{frame,
                           {grid.column_axis.low, grid.column_axis.high},
                           {grid.row_axis.low, std::max(grid.row_axis.high, grid.row_axis.low + 1e-9)}};
  const auto marks = picture::ticks(axes.x, 3);
  for (const double value : marks) {
    const Point p = axes.at(value, axes.y.low);
    drawing.text({p.x, p.y + 16}, picture::tick_label(value, marks.size() > 1 ? marks[1] - marks[0] : 1), kSmallMiddle);
  }
  drawing.text({frame.x + frame.width / 2, frame.bottom() + 32}, with_unit(grid.column_axis), kSmallMiddle);
  if (!first || grid.row_axis.name.empty()) return;
  const auto rows = picture::ticks(axes.y, 4);
  for (const double value : rows) {
    const Point p = axes.at(axes.x.low, value);
    drawing.text({p.x - 6, p.y + 4}, picture::tick_label(value, rows.size() > 1 ? rows[1] - rows[0] : 1), kSmallEnd);
  }
  drawing.text({8, frame.y - 8}, with_unit(grid.row_axis), kSmallPrint);
}

std::string map_title(const blend::Analysis& analysis, MapOf what) {
  const blend::ParameterGrid& grid = analysis.grid;
  std::string title =
      fmt::format("{}: {}", analysis.family, what == MapOf::kError ? "parametric error" : "curvature of the weights");
  if (!grid.layer_axis.name.empty()) {
    title +=
        fmt::format(", at {} {:.2f} {}", grid.layer_axis.name, grid.layer_value(grid.middle()), grid.layer_axis.unit);
  }
  return title;
}

// ---- flow -----------------------------------------------------------------------------------------------------------

constexpr float kFlowWidth = 1100, kFlowHeight = 300, kStandingWidth = 540, kStandingHeight = 360, kFlowMargin = 24,
                kFlowTop = 34;
constexpr float kSuddenShown = 0.6f;  ///< a change this large has the full colour
constexpr std::size_t kPosesShown = 9;

Color flow_color(float change) {
  const float strength = std::min(1.0f, std::fabs(change) / kSuddenShown);
  const Color even = picture::with_alpha(picture::kGrey, 0.28f);
  return picture::mix(even, change > 0 ? picture::kWarm : picture::kCool, strength);
}

bool travels(const motion::Clip& clip) {
  const Vec3 way = clip.roots.back() - clip.roots.front();
  return std::hypot(way.x, way.z) > 1;
}

Camera flow_camera(const picture::Performance& performance, const blend::MotionFlow& flow, const Drawing& drawing) {
  const Vec3 way = performance.clip->roots.back() - performance.clip->roots.front();
  Camera camera = travels(*performance.clip)
                      ? picture::look(picture::View::kSide, std::atan2(way.x, way.z), 0.12f)
                      : picture::look(picture::View::kFront, performance.ground.front().heading - 0.5f, 0.2f);
  std::vector<Vec3> points;
  for (const blend::FlowVector& vector : flow.vectors) points.push_back(vector.from);
  fit_camera(camera, points,
             {kFlowMargin, kFlowTop + 8, drawing.width() - 2 * kFlowMargin, drawing.height() - kFlowTop - 24});
  return camera;
}

}  // namespace

Drawing draw_maps(const blend::Analysis& analysis, MapOf what) {
  const std::size_t count = analysis.methods.size();
  const float map_height = analysis.grid.rows > 1 ? kMapSide : 40;
  Drawing drawing(kMapLeft + static_cast<float>(count) * (kMapSide + kMapGap) + 70, kMapTop + map_height + 48);
  drawing.text({8, 22}, map_title(analysis, what), kTitle);
  float high = 0;
  for (const blend::MethodAnalysis& method : analysis.methods) {
    high = std::max(high, high_end(middle_surface(analysis, method, what)));
  }
  high = std::max(high, 1e-9f);
  for (std::size_t m = 0; m < count; ++m) {
    const Rect frame{kMapLeft + static_cast<float>(m) * (kMapSide + kMapGap), kMapTop, kMapSide, map_height};
    drawing.rectangle({frame.x - 1, frame.y - 1, frame.width + 2, frame.height + 2}, picture::kHairline);
    drawing.rectangle(frame, picture::kPaper);
    drawing.add(map_cells(middle_surface(analysis, analysis.methods[m], what), analysis.grid.columns, frame, high));
    drawing.text({frame.x + frame.width / 2, frame.y - 8}, blend::to_string(analysis.methods[m].method), kPanelTitle);
    draw_map_axes(drawing, analysis.grid, frame, m == 0);
  }
  const Rect scale{kMapLeft + static_cast<float>(count) * (kMapSide + kMapGap), kMapTop, 14, map_height};
  draw_scale(drawing, scale, static_cast<double>(high), what == MapOf::kError ? blend::error_unit(analysis.space) : "");
  return drawing;
}

Drawing draw_flow(const motion::Clip& clip, const blend::MotionFlow& flow, const std::string& title) {
  const bool wide = !flow.vectors.empty() && travels(clip);
  Drawing drawing(wide ? kFlowWidth : kStandingWidth, wide ? kFlowHeight : kStandingHeight);
  drawing.text({kFlowMargin, 22}, title, kTitle);
  if (flow.vectors.empty()) return drawing;
  const picture::Performance performance = picture::prepare(clip);
  const Camera camera = flow_camera(performance, flow, drawing);
  for (std::size_t i = 0; i < kPosesShown; ++i) {
    const std::size_t frame = i * (clip.frames() - 1) / (kPosesShown - 1);
    picture::draw_figure(drawing, performance.figure, performance.anchors(frame), camera, 0.72f);
  }
  for (const bool sudden : {false, true}) {  // what matters on top
    for (const blend::FlowVector& vector : flow.vectors) {
      if ((std::fabs(vector.change) > kSuddenShown / 3) != sudden) continue;
      drawing.line(camera.project(vector.from), camera.project(vector.to), sudden ? 1.8f : 1.1f,
                   flow_color(vector.change));
    }
  }
  return drawing;
}

}  // namespace loom::report
