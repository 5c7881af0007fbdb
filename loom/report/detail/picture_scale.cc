// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/picture/plot.h>
#include <loom/report/detail/picture_scale.h>

namespace loom::report {

using picture::Camera;
using picture::Cells;
using picture::Drawing;
using picture::Point;
using picture::Rect;

constexpr picture::TextStyle kSmall{11.5f, picture::kFaintInk};

void draw_scale(Drawing& drawing, const Rect& frame, double high, const std::string& unit) {
  constexpr std::size_t kSteps = 64;
  Cells scale{frame, 1, {}};
  for (std::size_t i = 0; i < kSteps; ++i) {
    scale.colors.push_back(picture::scale_color(1 - static_cast<float>(i) / (kSteps - 1)));
  }
  drawing.add(std::move(scale));
  const picture::Axes axes{frame, {0, 1}, {0, high}};
  const std::vector<double> marks = picture::ticks(axes.y, 4);
  const double step = marks.size() > 1 ? marks[1] - marks[0] : high;
  for (const double value : marks) {
    const Point p = axes.at(1, value);
    drawing.text({p.x + 6, p.y + 4}, picture::tick_label(value, step), kSmall);
  }
  drawing.text({frame.x, frame.y - 8}, unit, kSmall);
}

void fit_camera(Camera& camera, const std::vector<Vec3>& points, const Rect& frame) {
  float left = 0, right = 0, bottom = 0, top = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float x = dot(points[i], camera.right), y = dot(points[i], camera.up);
    left = i == 0 ? x : std::min(left, x);
    right = i == 0 ? x : std::max(right, x);
    bottom = i == 0 ? y : std::min(bottom, y);
    top = i == 0 ? y : std::max(top, y);
  }
  camera.target = camera.right * ((left + right) / 2) + camera.up * ((bottom + top) / 2);
  camera.centre = {frame.x + frame.width / 2, frame.y + frame.height / 2};
  camera.scale = std::min(frame.width / std::max(0.1f, right - left), frame.height / std::max(0.1f, top - bottom));
}

}  // namespace loom::report
