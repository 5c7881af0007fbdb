// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <loom/picture/stage.h>

namespace loom::picture {
namespace {

constexpr float kHalo = 1.3f;         ///< pixels of paper around a group of parts, at most
constexpr float kThinHalo = 0.01f;    ///< and metres, so that a small figure is not eaten up
constexpr float kFarPale = 0.45f;     ///< how much paper the farthest group of a figure is mixed with
constexpr float kNewPrint = 0.08f;    ///< metres a standing foot moves before its print is drawn again
constexpr float kSoleWidth = 0.085f;  ///< metres across the ball of a footprint

Color side_color(Side side) { return side == Side::kLeft ? kWarm : side == Side::kRight ? kCool : kGrey; }

/// The floor of a clip whose feet nobody knows: the lowest place any part of the figure comes to.
float lowest_point(const Performance& performance) {
  float lowest = std::numeric_limits<float>::max();
  for (const Vec3& p : performance.poses.positions) lowest = std::min(lowest, p.y);
  return lowest;
}

/// A group of parts on its way to the paper.
struct Layer {
  int group = 0;
  float depth = 0;  ///< mean over its parts
  std::vector<const Part*> parts;
};

std::vector<Layer> layers_of(const Figure& figure, const std::vector<Vec3>& anchors, const Camera& camera) {
  const auto depth_of = [&](const Part* part) {
    return (camera.depth(anchors[static_cast<std::size_t>(part->a)]) +
            camera.depth(anchors[static_cast<std::size_t>(part->b)])) /
           2;
  };
  std::vector<Layer> layers;
  for (const Part& part : figure.parts) {
    auto layer = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.group == part.group; });
    if (layer == layers.end()) layer = layers.insert(layers.end(), Layer{part.group, 0, {}});
    layer->depth += depth_of(&part);
    layer->parts.push_back(&part);
  }
  for (Layer& layer : layers) {
    layer.depth /= static_cast<float>(layer.parts.size());
    std::stable_sort(layer.parts.begin(), layer.parts.end(),
                     [&](const Part* a, const Part* b) { return depth_of(a) < depth_of(b); });
  }
  std::stable_sort(layers.begin(), layers.end(), [](const Layer& a, const Layer& b) { return a.depth < b.depth; });
  return layers;
}

}  // namespace

std::vector<Vec3> Performance::anchors(std::size_t frame) const {
  std::vector<Vec3> places(figure.anchors.size());
  figure.place({poses.positions.data() + frame * poses.points, poses.points},
               {poses.rotations.data() + frame * poses.joints, poses.joints}, places);
  return places;
}

Performance prepare(const motion::Clip& clip, const motion::Contacts* contacts) {
  Performance performance{&clip,
                          make_figure(*clip.skeleton),
                          motion::forward_kinematics(clip),
                          motion::GroundFrameFinder(*clip.skeleton).find(clip),
                          {},
                          {}};
  if (contacts != nullptr) {
    performance.contacts = *contacts;
  } else if (auto found = motion::find_contacts(clip)) {
    performance.contacts = std::move(*found);
  }
  if (performance.contacts) {
    performance.floor = performance.contacts->ground;
  } else {
    performance.floor.height = lowest_point(performance);
  }
  return performance;
}

Camera look(View view, float heading, float pitch) {
  const Vec3 up{0, 1, 0}, forward{std::sin(heading), 0, std::cos(heading)};
  const Vec3 left = cross(up, forward);
  Camera camera;
  if (view == View::kTop) {
    camera.right = forward;
    camera.toward = up;
  } else {
    const Vec3 level = view == View::kSide ? -left : forward;  // towards a viewer at the horizon
    camera.right = view == View::kSide ? forward : left;
    camera.toward = level * std::cos(pitch) + up * std::sin(pitch);
  }
  camera.up = cross(camera.toward, camera.right);
  return camera;
}

void draw_figure(Drawing& drawing, const Figure& figure, const std::vector<Vec3>& anchors, const Camera& camera,
                 float fade) {
  const std::vector<Layer> layers = layers_of(figure, anchors, camera);
  const float halo = std::min(kHalo, kThinHalo * camera.scale);
  const float nearest = layers.back().depth, range = std::max(nearest - layers.front().depth, 1e-6f);
  for (const Layer& layer : layers) {
    const float pale = kFarPale * (nearest - layer.depth) / range;
    const auto capsule = [&](const Part* part, float grow, Color color) {
      return Capsule{camera.project(anchors[static_cast<std::size_t>(part->a)]),
                     camera.project(anchors[static_cast<std::size_t>(part->b)]), part->radius_a * camera.scale + grow,
                     part->radius_b * camera.scale + grow, color};
    };
    for (const Part* part : layer.parts) drawing.add(capsule(part, halo, drawing.background()));
    for (const Part* part : layer.parts) {
      const Color color = mix(side_color(part->side), drawing.background(), pale);
      drawing.add(capsule(part, 0, mix(color, drawing.background(), fade)));
    }
  }
}

void draw_shadow(Drawing& drawing, const Performance& performance, const std::vector<Vec3>& anchors,
                 const Camera& camera, Color color) {
  constexpr float kFine = 500;  // the outline is flattened as if a metre had so many pixels
  for (const Part& part : performance.figure.parts) {
    const Vec3 a = anchors[static_cast<std::size_t>(part.a)], b = anchors[static_cast<std::size_t>(part.b)];
    Polygon shape{{}, color};
    for (const Point& p : outline({{a.x * kFine, a.z * kFine},
                                   {b.x * kFine, b.z * kFine},
                                   part.radius_a * kFine,
                                   part.radius_b * kFine,
                                   {}})) {
      shape.points.push_back(camera.project(performance.on_floor({p.x / kFine, 0, p.y / kFine})));
    }
    drawing.add(std::move(shape));
  }
}

std::vector<Footprint> find_footprints(const Performance& performance) {
  std::vector<Footprint> prints;
  if (!performance.contacts) return prints;
  std::optional<Footprint> last[2];
  const Sole soles[2] = {performance.figure.left_sole, performance.figure.right_sole};
  const std::uint8_t feet[2] = {motion::kLeftFoot, motion::kRightFoot};
  for (std::size_t f = 0; f < performance.poses.frames; ++f) {
    const std::vector<Vec3> anchors = performance.anchors(f);
    for (std::size_t side = 0; side < 2; ++side) {
      const Sole sole = soles[side];
      const std::uint8_t planted = performance.contacts->planted[f] & feet[side];
      if (sole.heel < 0 || planted == 0) {
        last[side].reset();
        continue;
      }
      if (planted != feet[side] && !last[side]) continue;  // a print is left by the whole foot, not by the first touch
      const Footprint now{performance.on_floor(anchors[static_cast<std::size_t>(sole.heel)]),
                          performance.on_floor(anchors[static_cast<std::size_t>(sole.toe)]),
                          side == 0 ? Side::kLeft : Side::kRight};
      if (last[side] && distance(now.toe, last[side]->toe) < kNewPrint) continue;
      last[side] = now;
      prints.push_back(now);
    }
  }
  return prints;
}

void draw_footprint(Drawing& drawing, const Footprint& print, const Camera& camera, float alpha) {
  const Vec3 along = print.toe - print.heel;
  if (length(along) < 0.02f) return;
  const Vec3 across = normalized(cross({0, 1, 0}, along)) * (kSoleWidth / 2);
  // Half a sole, as (share of the length, share of the half width), from heel to toe.
  static constexpr std::array<std::array<float, 2>, 10> kHalf = {{{-0.12f, 0.0f},
                                                                  {-0.1f, 0.42f},
                                                                  {0.0f, 0.68f},
                                                                  {0.12f, 0.7f},
                                                                  {0.3f, 0.58f},
                                                                  {0.5f, 0.72f},
                                                                  {0.72f, 1.0f},
                                                                  {0.88f, 0.95f},
                                                                  {1.02f, 0.6f},
                                                                  {1.08f, 0.0f}}};
  Polygon shape{{}, with_alpha(side_color(print.side), alpha)};
  for (const auto& [share, width] : kHalf)
    shape.points.push_back(camera.project(print.heel + along * share + across * width));
  for (std::size_t i = kHalf.size() - 2; i > 0; --i) {
    shape.points.push_back(camera.project(print.heel + along * kHalf[i][0] - across * kHalf[i][1]));
  }
  drawing.add(std::move(shape));
}

}  // namespace loom::picture
