// SPDX-License-Identifier: MIT
// The picture of coverage: coloured cubes around a body.
#include <algorithm>
#include <array>
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
using picture::Color;
using picture::Drawing;
using picture::Point;
using picture::Rect;

constexpr float kWidth = 1100, kHeight = 520, kTop = 40, kScaleRoom = 90;
constexpr float kCubeShare = 0.42f;  ///< of the spacing: one sees between cubes to those behind
constexpr float kCubeOpacity = 0.9f;
constexpr picture::TextStyle kCoverageTitle{15, picture::kInk, Align::kStart, true};
constexpr picture::TextStyle kSmallText{11.5f, picture::kFaintInk};

/// The first three coordinates as places of the world: what they are for placed joints, metres to the left, up and
/// ahead for jumps, and an arrangement like any other for the rest.
Vec3 place_of(std::span<const double> c, const blend::ParameterSpace& space) {
  const auto at = [&](std::size_t d) { return d < c.size() ? static_cast<float>(c[d]) : 0.0f; };
  if (blend::places_a_joint(space.kind)) return {at(0), at(1), at(2)};
  return {at(1), at(2), at(0)};
}

struct Cube {
  Vec3 middle;
  float error = 0;
};

/// The three faces of a cube that a camera sees, shaded a little differently so that edges show.
void draw_cube(Drawing& drawing, const Camera& camera, Vec3 middle, float edge, Color color) {
  const std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  constexpr std::array kShades = {0.18f, 0.0f, 0.32f};
  for (std::size_t a = 0; a < 3; ++a) {
    const float side = dot(axes[a], camera.toward) < 0 ? -1.0f : 1.0f;
    if (std::fabs(dot(axes[a], camera.toward)) < 0.02f) continue;
    const Vec3 face = middle + axes[a] * (side * edge / 2);
    const Vec3 u = axes[(a + 1) % 3] * (edge / 2), v = axes[(a + 2) % 3] * (edge / 2);
    picture::Polygon polygon{{}, picture::mix(color, picture::with_alpha(picture::kInk, kCubeOpacity), kShades[a])};
    for (const Vec3 corner : {face - u - v, face + u - v, face + u + v, face - u + v}) {
      polygon.points.push_back(camera.project(corner));
    }
    drawing.add(std::move(polygon));
  }
}

void draw_body(Drawing& drawing, const Camera& camera, const motion::Clip& standing) {
  const picture::Performance performance = picture::prepare(standing);
  picture::draw_figure(drawing, performance.figure, performance.anchors(0), camera);
}

/// One view of the cubes, the body among them, examples and suggestion on top.
void draw_view(Drawing& drawing, Camera camera, const Rect& frame, const blend::Coverage& coverage,
               const blend::Subject& subject, const motion::Clip* standing) {
  std::vector<Cube> cubes;
  std::vector<Vec3> extent;
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    cubes.push_back({place_of(coverage.target(i), subject.space), coverage.errors[i]});
    extent.push_back(cubes.back().middle);
  }
  for (std::size_t i = 0; i < subject.points.size(); ++i) {
    extent.push_back(place_of(subject.points[i], subject.space));
  }
  if (standing != nullptr) {
    const auto performance = picture::prepare(*standing);
    for (const Vec3 p : performance.anchors(0)) extent.push_back(p);
  }
  fit_camera(camera, extent, frame);
  std::sort(cubes.begin(), cubes.end(),
            [&](const Cube& a, const Cube& b) { return camera.depth(a.middle) < camera.depth(b.middle); });
  const float edge = kCubeShare * static_cast<float>(coverage.spacing);
  bool body_due = standing != nullptr;
  for (const Cube& cube : cubes) {
    if (body_due && camera.depth(cube.middle) > camera.depth(standing->roots[0])) {
      draw_body(drawing, camera, *standing);
      body_due = false;
    }
    const float share = std::min(1.0f, cube.error / static_cast<float>(coverage.tolerance));
    draw_cube(drawing, camera, cube.middle, edge, picture::with_alpha(picture::scale_color(share), kCubeOpacity));
  }
  if (body_due) draw_body(drawing, camera, *standing);
  for (std::size_t i = 0; i < subject.points.size(); ++i) {
    const Point p = camera.project(place_of(subject.points[i], subject.space));
    drawing.add(picture::Circle{p, 4.5f, picture::kInk});
    drawing.add(picture::Circle{p, 3.2f, picture::kPaper});
  }
  if (!coverage.suggestion) return;
  const Point p = camera.project(place_of(coverage.suggestion->at, subject.space));
  drawing.add(picture::Circle{p, 9, picture::kPaper});
  drawing.add(picture::Circle{p, 8, picture::kWarm});
  drawing.add(picture::Circle{p, 4, picture::kPaper});
}

/// Seen from ahead, to the left and above, as one stands before a person.
Camera oblique() {
  Camera camera;
  const float turn = 0.6f, pitch = 0.38f;
  camera.toward = {std::sin(turn) * std::cos(pitch), std::sin(pitch), std::cos(turn) * std::cos(pitch)};
  camera.right = {std::cos(turn), 0, -std::sin(turn)};
  camera.up = cross(camera.toward, camera.right);
  return camera;
}

/// What one side of a flat map says: its label, and from where to where it goes.
struct Side {
  std::string label;
  picture::Range range{0, 1};
};

/// The side along the samples `first`, `first + step`, ... (`count` of them): the parameter that changes along it, in
/// its own unit, or, on a curved surface, where several change, the arc from the middle of the surface.
Side side_along(const blend::Coverage& coverage, const blend::ParameterSpace& space, std::size_t first,
                std::size_t step, std::size_t count) {
  if (count < 2) return {};
  std::vector<std::size_t> changing;
  for (std::size_t d = 0; d < coverage.dimensions; ++d) {
    bool changes = false;
    for (std::size_t i = 1; i < count; ++i) {
      changes = changes || coverage.target(first + i * step)[d] != coverage.target(first)[d];
    }
    if (changes) changing.push_back(d);
  }
  const auto half_a_cell_more = [&](double from, double to) {
    const double half = (to - from) / static_cast<double>(2 * (count - 1));
    return picture::Range{from - half, to + half};
  };
  if (changing.size() == 1) {
    const std::size_t d = changing.front();
    const blend::FamilyParameter& parameter = space.parameters[d];
    const auto value = [&](std::size_t i) { return coverage.target(first + i * step)[d] / space.scales[d]; };
    return {parameter.unit.empty() ? parameter.name : fmt::format("{} ({})", parameter.name, parameter.unit),
            half_a_cell_more(value(0), value(count - 1))};
  }
  double length = 0;
  for (std::size_t i = 1; i < count; ++i) {
    length +=
        std::sqrt(blend::squared_distance(coverage.target(first + (i - 1) * step), coverage.target(first + i * step)));
  }
  return {"arc (m)", half_a_cell_more(-length / 2, length / 2)};
}

/// Samples that lie in rows and columns, or along a line, as a flat map.
Drawing draw_flat(const blend::Coverage& coverage, const std::string& title, const blend::Subject& subject) {
  std::vector<float> errors = coverage.errors;
  std::size_t columns = coverage.columns;
  if (columns == 0) {  // cubes of two dimensions: the first runs fastest
    columns = 1;
    while (columns < coverage.size() && coverage.target(columns)[0] > coverage.target(columns - 1)[0]) ++columns;
  }
  const std::size_t rows = errors.size() / columns;
  std::vector<float> upright;  // upwards is more
  for (std::size_t row = rows; row-- > 0;) {
    upright.insert(upright.end(), errors.begin() + static_cast<std::ptrdiff_t>(row * columns),
                   errors.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns));
  }
  picture::PlotOptions options;
  options.title = title;
  const Side across = side_along(coverage, subject.space, rows / 2 * columns, 1, columns);
  const Side upwards = side_along(coverage, subject.space, columns / 2, columns, rows);
  options.x_label = across.label;
  options.y_label = upwards.label;
  options.x = across.range;
  options.y = upwards.range;
  return picture::heat_map(upright, columns, options, picture::Range{0, coverage.tolerance});
}

}  // namespace

Drawing draw_coverage(const blend::Coverage& coverage, const blend::Subject& subject, const motion::Clip* standing) {
  const std::string title = fmt::format("{}: covered {:.0f} %, mean error {:.3f} {}", subject.family,
                                        100 * coverage.covered, coverage.error, blend::error_unit(subject.space));
  if (coverage.dimensions < 3 || coverage.columns > 0) return draw_flat(coverage, title, subject);
  Drawing drawing(kWidth, kHeight);
  drawing.text({24, 24}, title, kCoverageTitle);
  const motion::Clip* body = blend::places_a_joint(subject.space.kind) ? standing : nullptr;
  const float half = (kWidth - kScaleRoom) / 2;
  draw_view(drawing, oblique(), {30, kTop + 20, half - 50, kHeight - kTop - 60}, coverage, subject, body);
  draw_view(drawing, picture::look(picture::View::kTop, 0), {half + 20, kTop + 20, half - 50, kHeight - kTop - 60},
            coverage, subject, body);
  drawing.text({30, kHeight - 12}, "from ahead and above", kSmallText);
  drawing.text({half + 20, kHeight - 12},
               "from straight above, facing right; dots: examples; ring: one more would help", kSmallText);
  draw_scale(drawing, {kWidth - kScaleRoom + 20, kTop + 40, 14, kHeight - kTop - 100}, coverage.tolerance,
             blend::error_unit(subject.space));
  return drawing;
}

}  // namespace loom::report
