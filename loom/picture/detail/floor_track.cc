// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/picture/detail/floor_track.h>
#include <loom/picture/plot.h>

namespace loom::picture {
namespace {

constexpr float kLeftRoom = 36, kBottomRoom = 22;  ///< pixels for the axes
constexpr float kSmallest = 1.2f;                  ///< metres shown at least, so that standing looks like standing
constexpr float kTick = 15;                        ///< pixels
constexpr TextStyle kAxisText{11, kFaintInk, Align::kMiddle};

/// The smallest square of floor that holds the track and the footprints, in metres about the camera's target.
struct Floor {
  float left = 0, right = 0, bottom = 0, top = 0;

  void add(Point p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    bottom = std::min(bottom, -p.y);
    top = std::max(top, -p.y);
  }
};

/// Widens [low, high] to `extent` about its middle.
Range widened(float low, float high, float extent) {
  const float middle = (low + high) / 2;
  return {static_cast<double>(middle - extent / 2), static_cast<double>(middle + extent / 2)};
}

void draw_axes(Drawing& drawing, const Axes& axes) {
  const std::vector<double> across = ticks(axes.x, std::max(2, to_whole<int>(axes.frame.width / 70)));
  const double step = across.size() > 1 ? across[1] - across[0] : 1;
  for (double x : across) {
    const Point p = axes.at(x, axes.y.low);
    drawing.line(p, {p.x, axes.frame.y}, 1, kHairline);
    drawing.text({p.x, p.y + 15}, tick_label(x, step) + (x == across.back() ? " m" : ""), kAxisText);
  }
  TextStyle style = kAxisText;
  style.align = Align::kEnd;
  for (double y = std::ceil(axes.y.low / step) * step; y <= axes.y.high; y += step) {
    const Point p = axes.at(axes.x.low, y);
    drawing.line(p, {axes.frame.right(), p.y}, 1, kHairline);
    drawing.text({p.x - 8, p.y + 4}, tick_label(std::fabs(y) < step / 2 ? 0 : y, step), style);
  }
}

}  // namespace

void draw_floor_track(Drawing& drawing, const Rect& frame, const Performance& performance,
                      const std::vector<std::size_t>& frames) {
  const Rect inner{frame.x + kLeftRoom, frame.y, frame.width - kLeftRoom, frame.height - kBottomRoom};
  const motion::GroundFrame& start = performance.ground.front();
  Camera camera = look(View::kTop, start.heading);
  camera.target = start.position();
  camera.scale = 1;
  const std::vector<Footprint> prints = find_footprints(performance);
  Floor floor;
  for (const motion::GroundFrame& ground : performance.ground) floor.add(camera.project(ground.position()));
  for (const Footprint& print : prints) {
    floor.add(camera.project(print.heel));
    floor.add(camera.project(print.toe));
  }
  // Metres a pixel: as much floor as the frame's shape asks for, and a little room around.
  const float metres =
      1.12f * std::max({(floor.right - floor.left) / inner.width, (floor.top - floor.bottom) / inner.height,
                        kSmallest / inner.width, kSmallest / inner.height / 1.12f});
  const Axes axes{inner, widened(floor.left, floor.right, metres * inner.width),
                  widened(floor.bottom, floor.top, metres * inner.height)};
  draw_axes(drawing, axes);
  camera.scale = 1 / metres;
  camera.centre = axes.at(0, 0);

  for (const Footprint& print : prints) draw_footprint(drawing, print, camera);
  Polyline track{{}, 2, kInk};
  const std::size_t step = std::max<std::size_t>(1, performance.ground.size() / 2000);
  for (std::size_t f = 0; f < performance.ground.size(); f += step) {
    track.points.push_back(camera.project(performance.ground[f].position()));
  }
  track.points.push_back(camera.project(performance.ground.back().position()));
  drawing.add(std::move(track));
  for (std::size_t f : frames) {
    const motion::GroundFrame& ground = performance.ground[f];
    const Point at = camera.project(ground.position());
    const Vec3 way = ground.forward();
    const Point to{at.x + kTick * dot(way, camera.right), at.y - kTick * dot(way, camera.up)};
    drawing.line(at, to, 2, kInk);
    const bool first = f == frames.front();
    drawing.add(Circle{at, first ? 6.0f : 3.4f, kInk});
    if (first) drawing.add(Circle{at, 3.6f, drawing.background()});
  }
}

}  // namespace loom::picture
