// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/kinematics.h>
#include <loom/report/world_picture.h>
#include <loom/world/world_mesh.h>

namespace loom::report {
namespace {

using picture::Color;

constexpr Color kFloor{246, 244, 240, 255}, kWall{108, 104, 98, 255}, kWay{196, 60, 44, 255}, kStart{40, 130, 70, 255};

Color colour_of(world::Ask ask) {
  switch (ask) {
    case world::Ask::kNothing:
      return kWall;
    case world::Ask::kDuck:
      return {200, 130, 60, 255};
    case world::Ask::kStepOver:
      return {96, 160, 96, 255};
    case world::Ask::kJump:
      return {90, 110, 180, 255};
  }
  return kWall;
}

/// From metres to the paper.
struct Paper {
  world::Point low;
  double scale = 1;

  [[nodiscard]] picture::Point at(world::Point p) const {
    return {static_cast<float>((p.x - low.x) * scale), static_cast<float>((p.z - low.z) * scale)};
  }
  [[nodiscard]] std::vector<picture::Point> at(const std::vector<world::Point>& points) const {
    std::vector<picture::Point> drawn;
    for (const world::Point& p : points) drawn.push_back(at(p));
    return drawn;
  }
};

void draw_obstacle(picture::Drawing& drawing, const Paper& paper, const world::Obstacle& o) {
  if (o.shape == world::Shape::kMesh) {
    for (std::size_t t = 0; o.mesh && t < o.mesh->size(); ++t) {
      constexpr float kLow = 0.05f, kHigh = 2.0f;  ///< metres: what a walker meets
      std::vector<world::Point> corners;
      float lowest = 1e9f, highest = -1e9f;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 c = o.mesh->corner(t, k);
        corners.push_back(o.place(0)({static_cast<double>(c.x), static_cast<double>(c.z)}));
        lowest = std::min(lowest, c.y);
        highest = std::max(highest, c.y);
      }
      if (highest < kLow || lowest > kHigh) continue;
      drawing.add(picture::Polygon{paper.at(corners), colour_of(o.ask)});
      for (std::size_t k = 0; k < 3; ++k)
        drawing.line(paper.at(corners[k]), paper.at(corners[(k + 1) % 3]), 1, colour_of(o.ask));
    }
    return;
  }
  drawing.add(picture::Polygon{paper.at(world::outline_of(o)), colour_of(o.ask)});
  std::vector<world::Point> path;
  for (const world::Waypoint& w : o.path) path.push_back({w.at.x, w.at.z});
  if (path.size() > 1) drawing.add(picture::Polyline{paper.at(path), 1.5f, colour_of(o.ask)});
}

void draw_spot(picture::Drawing& drawing, const Paper& paper, const world::Spot& spot, Color color) {
  drawing.add(picture::Circle{paper.at(spot.at), 6, color});
  if (!spot.heading) return;
  constexpr double kArrow = 0.5;  ///< metres
  const world::Point tip{spot.at.x + kArrow * std::sin(*spot.heading), spot.at.z + kArrow * std::cos(*spot.heading)};
  drawing.line(paper.at(spot.at), paper.at(tip), 2, color);
}

void draw_walk(picture::Drawing& drawing, const Paper& paper, const motion::Clip& clip, double every) {
  const auto body = motion::BodyCapsules::of(*clip.skeleton);
  const auto step = to_whole<std::size_t>(std::max(1.0, std::round(every * clip.rate)));
  if (body) {
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    std::vector<motion::Capsule> capsules(body->size());
    for (std::size_t f = 0; f < clip.frames(); f += step) {
      body->place({&poses.positions[f * poses.points], poses.points},
                  {&poses.rotations[f * poses.joints], poses.joints}, capsules);
      for (const motion::Capsule& c : capsules) {
        const auto at = [&](Vec3 p) { return paper.at({static_cast<double>(p.x), static_cast<double>(p.z)}); };
        const auto scale = static_cast<float>(paper.scale);
        drawing.add(picture::Capsule{at(c.a), at(c.b), c.radius_a * scale, c.radius_b * scale, {84, 120, 170, 255}});
      }
    }
  }
  std::vector<world::Point> way;
  for (const Vec3& root : clip.roots) way.push_back({static_cast<double>(root.x), static_cast<double>(root.z)});
  if (way.size() > 1) drawing.add(picture::Polyline{paper.at(way), 1.5f, kWay});
}

}  // namespace

picture::Drawing world_picture(const world::World& world, const WorldPictureOptions& options) {
  world::Ground all{{0, 0}, {1, 1}};
  if (!world.ground.empty()) all = world.ground[0];
  for (const world::Ground& g : world.ground) {
    all.low = {std::min(all.low.x, g.low.x), std::min(all.low.z, g.low.z)};
    all.high = {std::max(all.high.x, g.high.x), std::max(all.high.z, g.high.z)};
  }
  if (options.within) all = *options.within;
  const double width = std::max(all.high.x - all.low.x, 1e-3), depth = std::max(all.high.z - all.low.z, 1e-3);
  const Paper paper{all.low, static_cast<double>(options.side) / std::max(width, depth)};
  picture::Drawing drawing(static_cast<float>(std::max(1.0, width * paper.scale)),
                           static_cast<float>(std::max(1.0, depth * paper.scale)), {210, 208, 204, 255});
  for (const world::Ground& g : world.ground)
    drawing.add(picture::Polygon{paper.at({g.low, {g.low.x, g.high.z}, g.high, {g.high.x, g.low.z}}), kFloor});
  for (const world::Obstacle& o : world.obstacles) draw_obstacle(drawing, paper, o);
  if (options.walk) draw_walk(drawing, paper, *options.walk, options.every);
  for (const world::Spot& s : world.starts) draw_spot(drawing, paper, s, kStart);
  for (const world::Spot& s : world.goals) draw_spot(drawing, paper, s, kWay);
  return drawing;
}

}  // namespace loom::report
