// SPDX-License-Identifier: MIT
#include "studio/thumbnail.h"

#include <algorithm>
#include <array>

#include <loom/base/whole.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>
#include <loom/picture/stage.h>

namespace loom::studio {
namespace {

constexpr float kWidth = 96, kHeight = 64, kScale = 2;  ///< pixels of the layout, and pixels to each
constexpr float kMargin = 4;
constexpr float kStep = 24;                                   ///< pixels from one pose to the next
constexpr std::array<float, 3> kMoments{0.15f, 0.85f, 0.5f};  ///< share of the clip; the last is drawn on top
constexpr std::array<float, 3> kPlaces{-1, 1, 0};
constexpr std::array<float, 3> kFades{0.62f, 0.62f, 0};

/// The poses alone as a clip: what lies between them does not show.
motion::Clip chosen_poses(const motion::Clip& clip) {
  motion::Clip poses;
  poses.skeleton = clip.skeleton;
  for (const float moment : kMoments) {
    const auto frame = to_whole<std::size_t>(moment * static_cast<float>(clip.frames() - 1));
    poses.roots.push_back(clip.roots[frame]);
    const auto rotations = clip.pose(frame);
    poses.rotations.insert(poses.rotations.end(), rotations.begin(), rotations.end());
  }
  return poses;
}

}  // namespace

Result<std::string> thumbnail(const motion::Clip& clip) {
  const motion::Clip poses = chosen_poses(clip);
  const picture::Performance performance = picture::prepare(poses);
  float low = performance.poses.positions[0].y, high = low;
  for (const Vec3& p : performance.poses.positions) {
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  const float tall = std::max(high - low, 0.1f) * 1.12f;  // limbs have thickness
  picture::Drawing drawing(kWidth, kHeight);
  for (std::size_t i = 0; i < kMoments.size(); ++i) {
    picture::Camera camera = picture::look(picture::View::kSide, performance.ground[i].heading - 0.45f);
    camera.scale = (kHeight - 2 * kMargin) / tall;
    camera.target = {performance.ground[i].x, low + (high - low) / 2, performance.ground[i].z};
    camera.centre = {kWidth / 2 + kStep * kPlaces[i], kHeight / 2};
    picture::draw_figure(drawing, performance.figure, performance.anchors(i), camera, kFades[i]);
  }
  auto png = picture::to_png(picture::rasterise(drawing, kScale));
  if (!png) return fail_from(png);
  return std::string(png->begin(), png->end());
}

}  // namespace loom::studio
