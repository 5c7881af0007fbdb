// SPDX-License-Identifier: MIT
#include "loom/crowd_picture.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
namespace {

constexpr float kPageSize = 1000, kMargin = 30;  ///< pixels
constexpr std::size_t kPieces = 6;               ///< of a way, each darker than the one before
constexpr std::size_t kEvery = 5;                ///< frames between two points of a way
constexpr picture::Color kColours[] = {picture::rgb(0xb8402a), picture::rgb(0x2a559e), picture::rgb(0x3f8a46),
                                       picture::rgb(0x9c7f28), picture::rgb(0x733f8c), picture::rgb(0x3f7f8c)};

}  // namespace

picture::Drawing draw_crowd(std::span<const motion::Recording> recordings, std::span<const crowd::Member> members,
                            const crowd::Walls& walls) {
  float low_x = 1e9f, low_z = 1e9f, high_x = -1e9f, high_z = -1e9f;
  const auto take = [&](float x, float z) {
    low_x = std::min(low_x, x - 0.5f), high_x = std::max(high_x, x + 0.5f);
    low_z = std::min(low_z, z - 0.5f), high_z = std::max(high_z, z + 0.5f);
  };
  for (const motion::Recording& recording : recordings) {
    for (const Vec3& root : recording.clip.roots) take(root.x, root.z);
  }
  for (const crowd::Wall& wall : walls.standing()) take(wall.a.x, wall.a.z), take(wall.b.x, wall.b.z);
  const float scale = (kPageSize - 2 * kMargin) / std::max(high_x - low_x, high_z - low_z);
  const auto at = [&](float x, float z) {
    return picture::Point{kMargin + (x - low_x) * scale, kMargin + (z - low_z) * scale};
  };
  picture::Drawing drawing(2 * kMargin + (high_x - low_x) * scale, 2 * kMargin + (high_z - low_z) * scale);
  for (const crowd::Wall& wall : walls.standing()) {
    const float width = std::max(2.0f, 2 * wall.radius * scale);
    drawing.add(picture::Capsule{at(wall.a.x, wall.a.z), at(wall.b.x, wall.b.z), width / 2, width / 2, picture::kInk});
  }
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const std::vector<Vec3>& roots = recordings[i].clip.roots;
    const picture::Color colour = kColours[i % std::size(kColours)];
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      const std::size_t begin = piece * roots.size() / kPieces, end = (piece + 1) * roots.size() / kPieces;
      picture::Polyline line{{}, 1.5f, picture::with_alpha(colour, 0.2f + 0.6f * static_cast<float>(piece) / kPieces)};
      for (std::size_t f = begin; f < std::min(end + kEvery, roots.size()); f += kEvery) {
        line.points.push_back(at(roots[f].x, roots[f].z));
      }
      if (line.points.size() > 1) drawing.add(std::move(line));
    }
    if (i < members.size() && !members[i].route.empty()) {
      const crowd::Flat goal = members[i].route.back();
      drawing.add(picture::Circle{at(goal.x, goal.z), 2.5f, picture::with_alpha(colour, 0.5f)});
    }
    drawing.add(picture::Circle{at(roots.back().x, roots.back().z), std::max(2.0f, 0.25f * scale), colour});
  }
  return drawing;
}

}  // namespace loom::app
