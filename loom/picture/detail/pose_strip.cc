// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/picture/detail/pose_strip.h>
#include <loom/picture/plot.h>

namespace loom::picture {
namespace {

constexpr float kRuler = 40;          ///< pixels at the left of a strip for the ruler
constexpr float kCaptionHeight = 42;  ///< pixels under each row for time and frame
constexpr float kGap = 0.1f;          ///< metres between neighbours, and above the tallest
constexpr std::size_t kMaxRows = 4;
constexpr float kQuarterTurn = 0.22f;  ///< radians a body seen from the side is turned, so that its far limbs show
constexpr float kTrailPitch = 0.3f;    ///< radians the camera of a trail looks down
constexpr float kTrailTop = 24;        ///< pixels above a trail for the times
constexpr float kFarthest = 1e6f;      ///< metres the floor of a trail reaches at most, whatever a clip says

constexpr TextStyle kTime{12.5f, kInk, Align::kMiddle};
constexpr TextStyle kSmall{11, kFaintInk, Align::kMiddle};
constexpr TextStyle kRulerText{11, kFaintInk, Align::kEnd};

/// What a set of points covers on the paper.
struct Extent {
  float left = std::numeric_limits<float>::max(), right = -left;
  float top = std::numeric_limits<float>::max(), bottom = -top;

  void add(Point p, float radius = 0) {
    left = std::min(left, p.x - radius);
    right = std::max(right, p.x + radius);
    top = std::min(top, p.y - radius);
    bottom = std::max(bottom, p.y + radius);
  }
  void add(const Figure& figure, const std::vector<Vec3>& anchors, const Camera& camera) {
    for (const Part& part : figure.parts) {
      add(camera.project(anchors[static_cast<std::size_t>(part.a)]), part.radius_a * camera.scale);
      add(camera.project(anchors[static_cast<std::size_t>(part.b)]), part.radius_b * camera.scale);
    }
  }
  [[nodiscard]] float width() const { return right - left; }
  [[nodiscard]] float height() const { return bottom - top; }
};

/// One pose of a strip, measured in metres: y = 0 is the floor, positive down as on paper.
struct Cell {
  std::size_t frame = 0;
  std::vector<Vec3> anchors;
  Camera camera;
  Extent extent;
};

/// A strip before it is put on paper.
struct Strip {
  std::vector<Cell> cells;
  float cell_width = 0;       ///< metres
  float top = 0, bottom = 0;  ///< metres, positive down
};

Strip measure_strip(const Performance& performance, const std::vector<std::size_t>& frames, View view) {
  Strip strip;
  for (std::size_t f : frames) {
    const motion::GroundFrame& ground = performance.ground[f];
    Cell cell{f, performance.anchors(f), look(view, ground.heading + (view == View::kSide ? kQuarterTurn : 0)), {}};
    cell.camera.target = performance.on_floor(ground.position());
    cell.camera.scale = 1;
    cell.extent.add(performance.figure, cell.anchors, cell.camera);
    strip.cell_width = std::max(strip.cell_width, cell.extent.width() + kGap);
    strip.top = std::min(strip.top, cell.extent.top - kGap);
    strip.bottom = std::max(strip.bottom, cell.extent.bottom);
    strip.cells.push_back(std::move(cell));
  }
  strip.bottom += 0.03f;
  return strip;
}

std::size_t columns_for(std::size_t cells, std::size_t rows) { return (cells + rows - 1) / rows; }

/// Pixels a metre at which `rows` rows fit into the frame.
float fitting_scale(const Strip& strip, float width, float height, std::size_t rows) {
  const auto columns = static_cast<float>(columns_for(strip.cells.size(), rows));
  const float across = (width - kRuler) / (columns * strip.cell_width);
  const float down = (height / static_cast<float>(rows) - kCaptionHeight) / (strip.bottom - strip.top);
  return std::min(across, down);
}

void draw_ruler(Drawing& drawing, const Rect& row, float floor_y, float scale, const Strip& strip, View view) {
  const Range range{static_cast<double>(-strip.bottom), static_cast<double>(-strip.top)};
  const int count = std::max(2, to_whole<int>(range.span() * static_cast<double>(scale) / 44));
  const std::vector<double> heights = ticks(range, count);
  for (double height : heights) {
    const float y = floor_y - static_cast<float>(height) * scale;
    const bool floor = height == 0 && view != View::kTop;
    drawing.line({row.x + kRuler, y}, {row.right(), y}, floor ? 1.6f : 1, floor ? kFaintInk : kHairline);
    const double step = heights.size() > 1 ? heights[1] - heights[0] : 1;
    drawing.text({row.x + kRuler - 8, y + 4}, tick_label(height, step) + (height == heights.back() ? " m" : ""),
                 kRulerText);
  }
}

/// The heading a trail is seen along: the way the body travels, or faces where it stays in place.
float travel_heading(const Performance& performance) {
  constexpr float kStays = 0.5f;  // metres
  const Vec3 way = performance.ground.back().position() - performance.ground.front().position();
  return length(way) > kStays ? std::atan2(way.x, way.z) : performance.ground.front().heading;
}

/// The floor a trail stands on, in the trail's own axes (metres from the start, along the way and to its left).
struct Trail {
  Camera camera;                              ///< at one pixel a metre, centred on the start
  motion::GroundFrame start;                  ///< heading along the way
  std::vector<std::vector<Vec3>> poses;       ///< anchors
  int from = 0, to = 0, left = 0, right = 0;  ///< corners of the floor, whole metres
  Extent extent;                              ///< of figures and floor

  /// A place on the floor as the camera shows it.
  [[nodiscard]] Point project(int along, int aside, const Performance& performance) const {
    const Vec3 p = transform(start, {static_cast<float>(aside), 0, static_cast<float>(along)});
    return camera.project(performance.on_floor(p));
  }
};

Trail measure_trail(const Performance& performance, const std::vector<std::size_t>& frames, View view) {
  Trail trail;
  const float heading = travel_heading(performance);
  trail.start = performance.ground.front();
  trail.start.heading = heading;
  trail.camera = look(view, heading, kTrailPitch);
  trail.camera.target = performance.on_floor(trail.start.position());
  trail.camera.scale = 1;
  const motion::GroundFrame back = inverse(trail.start);
  float from = 0, to = 0, left = 0, right = 0;
  const auto reach = [&](Vec3 p) {
    const Vec3 own = transform(back, p);
    from = std::min(from, own.z);
    to = std::max(to, own.z);
    left = std::max(left, own.x);
    right = std::min(right, own.x);
  };
  for (const motion::GroundFrame& ground : performance.ground) reach(ground.position());
  for (std::size_t f : frames) {
    trail.poses.push_back(performance.anchors(f));
    for (const Vec3& p : trail.poses.back()) reach(p);
    trail.extent.add(performance.figure, trail.poses.back(), trail.camera);
  }
  const auto corner = [](float at) { return to_whole<int>(std::clamp(at, -kFarthest, kFarthest)); };
  trail.from = corner(std::floor(from - 0.1f));
  trail.to = corner(std::ceil(to + 0.1f));
  trail.left = corner(std::ceil(left + 0.1f));
  trail.right = corner(std::floor(right - 0.1f));
  for (int along : {trail.from, trail.to}) {
    for (int aside : {trail.left, trail.right}) {
      trail.extent.add(trail.project(along, aside, performance));
    }
  }
  return trail;
}

void draw_floor(Drawing& drawing, const Trail& trail, const Performance& performance) {
  const auto at = [&](int along, int aside) { return trail.project(along, aside, performance); };
  drawing.add(Polygon{
      {at(trail.from, trail.left), at(trail.to, trail.left), at(trail.to, trail.right), at(trail.from, trail.right)},
      rgb(0xf5f7f9)});
  // A long or wide way gets coarser squares.
  const int step = std::max({1, (trail.to - trail.from) / 40, (trail.left - trail.right) / 40});
  for (int along = trail.from; along <= trail.to; along += step) {
    drawing.line(at(along, trail.left), at(along, trail.right), 1, kHairline);
    const Point p = at(along, trail.right);
    if (along == trail.from) continue;
    drawing.text({p.x, p.y + 15}, fmt::format("{}{}", along, along == trail.to ? " m" : ""), kSmall);
  }
  for (int aside = trail.right; aside <= trail.left; aside += step) {
    drawing.line(at(trail.from, aside), at(trail.to, aside), 1, kHairline);
  }
}

void draw_track(Drawing& drawing, const Performance& performance, const Camera& camera) {
  Polyline track{{}, 1.6f, with_alpha(kInk, 0.35f)};
  const std::size_t step = std::max<std::size_t>(1, performance.ground.size() / 2000);
  for (std::size_t f = 0; f < performance.ground.size(); f += step) {
    const motion::GroundFrame& ground = performance.ground[f];
    track.points.push_back(camera.project(performance.on_floor(ground.position())));
  }
  drawing.add(std::move(track));
}

/// Metres over the floor from one pose to the next, on average.
float mean_step(const Performance& performance, const std::vector<std::size_t>& frames) {
  float way = 0;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    way += distance(performance.ground[frames[i]].position(), performance.ground[frames[i - 1]].position());
  }
  return way / static_cast<float>(std::max<std::size_t>(1, frames.size() - 1));
}

/// Poses that stand apart are painted back to front; those that crowd in one place in the order of time, the past pale.
void draw_trail_poses(Drawing& drawing, const Trail& trail, const Performance& performance,
                      const std::vector<std::size_t>& frames) {
  constexpr float kCrowded = 0.3f, kPalest = 0.8f;  // metres; share of paper
  const bool crowded = mean_step(performance, frames) < kCrowded;
  std::vector<std::size_t> order(frames.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto depth = [&](std::size_t i) { return trail.camera.depth(performance.ground[frames[i]].position()); };
  if (!crowded) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth(a) < depth(b); });
  }
  for (const auto& pose : trail.poses) draw_shadow(drawing, performance, pose, trail.camera, rgb(0xdfe4e9));
  for (std::size_t i : order) {
    const float past = 1 - static_cast<float>(i + 1) / static_cast<float>(frames.size());
    draw_figure(drawing, performance.figure, trail.poses[i], trail.camera, crowded ? kPalest * past : 0);
  }
}

/// The time of each pose above its head, where no other is in the way.
void draw_trail_times(Drawing& drawing, const Trail& trail, const Performance& performance,
                      const std::vector<std::size_t>& frames) {
  float free_from = -std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Extent extent;
    extent.add(performance.figure, trail.poses[i], trail.camera);
    const float x = (extent.left + extent.right) / 2;
    if (x < free_from) continue;
    free_from = x + 44;
    const double seconds = static_cast<double>(frames[i]) / performance.clip->rate;
    drawing.text({x, extent.top - 8}, fmt::format("{:.2f} s", seconds), kSmall);
  }
}

}  // namespace

void draw_pose_strip(Drawing& drawing, const Rect& frame, const Performance& performance,
                     const std::vector<std::size_t>& frames, View view) {
  const Strip strip = measure_strip(performance, frames, view);
  std::size_t rows = 1;
  for (std::size_t r = 2; r <= std::min(kMaxRows, frames.size()); ++r) {
    if (fitting_scale(strip, frame.width, frame.height, r) > fitting_scale(strip, frame.width, frame.height, rows)) {
      rows = r;
    }
  }
  const float scale = std::max(1.0f, fitting_scale(strip, frame.width, frame.height, rows));
  const std::size_t columns = columns_for(frames.size(), rows);
  const float cell_width = (frame.width - kRuler) / static_cast<float>(columns);
  const float row_height = frame.height / static_cast<float>(rows);
  for (std::size_t i = 0; i < strip.cells.size(); ++i) {
    const Cell& cell = strip.cells[i];
    const std::size_t row_index = i / columns;
    const Rect row{frame.x, frame.y + row_height * static_cast<float>(row_index), frame.width, row_height};
    const float floor_y = row.bottom() - kCaptionHeight - strip.bottom * scale;
    if (i % columns == 0) draw_ruler(drawing, row, floor_y, scale, strip, view);
    const float middle = frame.x + kRuler + cell_width * (static_cast<float>(i % columns) + 0.5f);
    Camera camera = cell.camera;
    camera.scale = scale;
    camera.centre = {middle - scale * (cell.extent.left + cell.extent.right) / 2, floor_y};
    draw_figure(drawing, performance.figure, cell.anchors, camera);
    const double seconds = static_cast<double>(cell.frame) / performance.clip->rate;
    drawing.text({middle, row.bottom() - kCaptionHeight + 18}, fmt::format("{:.2f} s", seconds), kTime);
    drawing.text({middle, row.bottom() - kCaptionHeight + 33}, fmt::format("frame {}", cell.frame), kSmall);
  }
}

float natural_strip_height(float width, const Performance& performance, const std::vector<std::size_t>& frames,
                           View view) {
  const Strip strip = measure_strip(performance, frames, view);
  // As many rows as give each pose a decent size across the page.
  constexpr float kDecent = 105;  // pixels a metre
  std::size_t rows = 1;
  while (rows < kMaxRows && fitting_scale(strip, width, 1e6f, rows) < kDecent) ++rows;
  const float scale = std::min(fitting_scale(strip, width, 1e6f, rows), 190.0f);
  return static_cast<float>(rows) * ((strip.bottom - strip.top) * scale + kCaptionHeight);
}

void draw_trail(Drawing& drawing, const Rect& frame, const Performance& performance,
                const std::vector<std::size_t>& frames, View view) {
  Trail trail = measure_trail(performance, frames, view);
  const Extent& extent = trail.extent;
  const float height = frame.height - kTrailTop - kCaptionHeight / 2;
  const float scale = std::min(frame.width / extent.width(), height / extent.height());
  Camera& camera = trail.camera;
  camera.scale = scale;
  camera.centre = {frame.x + frame.width / 2 - scale * (extent.left + extent.right) / 2,
                   frame.y + kTrailTop + height / 2 - scale * (extent.top + extent.bottom) / 2};
  draw_floor(drawing, trail, performance);
  for (const Footprint& print : find_footprints(performance)) draw_footprint(drawing, print, camera, 0.45f);
  draw_track(drawing, performance, camera);
  draw_trail_poses(drawing, trail, performance, frames);
  draw_trail_times(drawing, trail, performance, frames);
}

float natural_trail_height(float width, const Performance& performance, const std::vector<std::size_t>& frames,
                           View view) {
  const Trail trail = measure_trail(performance, frames, view);
  const float scale = std::min(width / trail.extent.width(), 220.0f);
  return trail.extent.height() * scale + kTrailTop + kCaptionHeight / 2;
}

}  // namespace loom::picture
