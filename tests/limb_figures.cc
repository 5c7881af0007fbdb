// SPDX-License-Identifier: MIT
#include "tests/limb_figures.h"

#include <cmath>
#include <numbers>

namespace loom::testing {
namespace {

constexpr double kDegreesOf = 180 / std::numbers::pi;

Vec3 point(const motion::WorldPoses& poses, std::size_t frame, int joint) {
  return poses.position(frame, static_cast<std::size_t>(joint));
}

Vec3 middle_of_hips(const motion::WorldPoses& poses, std::size_t frame, const motion::Body& body) {
  return lerp(point(poses, frame, body.left_leg.upper), point(poses, frame, body.right_leg.upper), 0.5f);
}

}  // namespace

LimbFigures limb_figures(const motion::WorldPoses& poses, std::size_t frame, const motion::Body& body) {
  const auto at = [&](int joint) { return point(poses, frame, joint); };
  Vec3 across = at(body.left_leg.upper) - at(body.right_leg.upper);
  across.y = 0;
  const Vec3 ahead = cross(normalized(across), Vec3{0, 1, 0});
  const auto forward = [&](Vec3 way) { return std::atan2(dot(way, ahead), -way.y) * kDegreesOf; };
  const auto bend = [&](const motion::Limb& limb) {
    const Vec3 a = at(limb.middle) - at(limb.upper), b = at(limb.end) - at(limb.middle);
    return std::atan2(length(cross(a, b)), dot(a, b)) * kDegreesOf;
  };
  LimbFigures figures;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const motion::Limb& leg = side == 0 ? body.left_leg : body.right_leg;
    const motion::Limb& arm = side == 0 ? body.left_arm : body.right_arm;
    figures.thigh[side] = forward(at(leg.middle) - at(leg.upper));
    figures.knee[side] = bend(leg);
    figures.arm[side] = forward(at(arm.middle) - at(arm.upper));
    figures.elbow[side] = bend(arm);
  }
  const Vec3 trunk = at(body.neck) - middle_of_hips(poses, frame, body);
  figures.trunk = std::atan2(dot(trunk, ahead), trunk.y) * kDegreesOf;
  return figures;
}

std::size_t highest_frame(const motion::WorldPoses& poses, const motion::Body& body) {
  std::size_t highest = 0;
  for (std::size_t f = 1; f < poses.frames; ++f) {
    if (middle_of_hips(poses, f, body).y > middle_of_hips(poses, highest, body).y) highest = f;
  }
  return highest;
}

std::size_t lowest_frame(const motion::WorldPoses& poses, const motion::Body& body) {
  std::size_t lowest = 0;
  for (std::size_t f = 1; f < poses.frames; ++f) {
    if (middle_of_hips(poses, f, body).y < middle_of_hips(poses, lowest, body).y) lowest = f;
  }
  return lowest;
}

}  // namespace loom::testing
