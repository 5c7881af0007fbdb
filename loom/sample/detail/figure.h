// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/sample/detail/foot_plan.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {

/// A hand goal at one instant: how far the hand is on its way to `position`.
struct HandPull {
  Side side = kRight;
  bool in_chest = false;  ///< `position` is in the chest's frame rather than the world's
  Vec3 position;          ///< metres
  Vec3 arc;               ///< metres the way there bulges, in the same frame
  float weight = 0;       ///< 0 to 1
  float elbow_out = 0;    ///< share of outward added to the elbow's direction
};

/// Everything that decides a pose except where the hips are.
struct FigureTargets {
  Posture posture;
  double heading = 0;
  std::array<FootPose, 2> feet;
  std::vector<HandPull> hands;  ///< applied one after the other
};

/// A pose of the sample body with the world positions of all its points.
struct Figure {
  motion::Pose pose;
  std::array<Vec3, kPointCount> points;
};

/// Beyond this share of their length arms do not stretch.
inline constexpr float kStraightArm = 0.99f;

/// Puts the hips at `hips` and everything else where the targets say: torso and head by their angles, legs to the
/// feet, arms by their angles or to their goals.
Figure place_figure(const FigureTargets& targets, Vec3 hips);

/// Metres by which the hips of `figure` must sink for the legs to reach the planted feet; 0 when they do.
float missing_reach(const FigureTargets& targets, const Figure& figure);

}  // namespace loom::sample
