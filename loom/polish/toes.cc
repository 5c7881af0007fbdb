// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include <loom/motion/kinematics.h>
#include <loom/polish/toes.h>

namespace loom::polish {
namespace {

constexpr float kMostBent = 40 * kDegree;  ///< that toes are bent up at most
constexpr float kArm = 0.02f;              ///< metres from the axis of the toes; what is nearer is not moved by it
constexpr float kSoft = 0.003f;            ///< metres; of toes this deep half the depth stays, so that they do not jerk
/// Sine of the slope of toes that bend as far as they have to; steeper ones less, and those that point straight down
/// not at all: bending would hardly lift them, and the foot has to be lifted instead.
constexpr float kSlopes = 0.5f;
constexpr float kAcross = 0.2f;  ///< sine of the angle of foot and shank that tells which way is up for a foot

/// The axis in the world about which toes bend up, which is across the foot however that lies: up is by the rest pose
/// where that is one of standing, and else where the shank is.
std::optional<Vec3> toe_axis(const motion::Skeleton& skeleton, const Foot& foot, Vec3 toes, Vec3 root,
                             std::span<const Quat> rotations) {
  const motion::JointFrame ankle = motion::joint_frame(skeleton, foot.leg.end, root, rotations);
  const motion::JointFrame knee = motion::joint_frame(skeleton, foot.leg.middle, root, rotations);
  const Vec3 up = foot.hinge ? rotate(ankle.rotation, Vec3{0, 1, 0}) : normalized(knee.position - ankle.position);
  const Vec3 across = cross(normalized(toes - ankle.position), up);
  if (length(across) < kAcross) return {};
  return normalized(across);
}

/// How far something at `arm` from the joint has to turn about `axis` to rise by `lift` metres, radians. Nothing where
/// it does not rise by that.
float bend_for_lift(Vec3 arm, Vec3 axis, float lift) {
  const Vec3 across = arm - axis * dot(arm, axis), rises = cross(axis, across);
  if (length(across) < kArm || rises.y <= 0) return 0;
  // Its height goes like a sine, from `begins` on.
  const float highest = std::hypot(across.y, rises.y), begins = std::atan2(across.y, rises.y);
  const float bend = std::asin(std::min(1.0f, (across.y + lift) / highest)) - begins;
  return bend * smoothstep(rises.y / (kSlopes * length(across)));
}

}  // namespace

float sole_height(const motion::Skeleton& skeleton, std::span<const motion::SoleBall> sole, Vec3 root,
                  std::span<const Quat> rotations) {
  float lowest = 1e9f;
  motion::JointFrame frame;
  int joint = -1;
  for (const motion::SoleBall& ball : sole) {
    if (ball.joint != joint) frame = motion::joint_frame(skeleton, joint = ball.joint, root, rotations);
    lowest = std::min(lowest, (frame.position + rotate(frame.rotation, ball.offset)).y - ball.radius);
  }
  return lowest;
}

void raise_toes(const motion::Skeleton& skeleton, const Foot& foot, std::span<const motion::SoleBall> sole,
                float lowest, Vec3 root, std::span<Quat> rotations) {
  if (foot.leg.tip < 0) return;
  const motion::JointFrame toes = motion::joint_frame(skeleton, foot.leg.tip, root, rotations);
  const std::optional<Vec3> axis = toe_axis(skeleton, foot, toes.position, root, rotations);
  if (!axis) return;
  float bend = 0;
  for (const motion::SoleBall& ball : sole) {
    if (ball.joint != foot.leg.tip) continue;
    const Vec3 arm = rotate(toes.rotation, ball.offset);
    const float depth = lowest - (toes.position.y + arm.y - ball.radius);
    if (depth > 0) bend = std::max(bend, bend_for_lift(arm, *axis, depth * depth / (depth + kSoft)));
  }
  if (bend == 0) return;
  Quat& local = rotations[static_cast<std::size_t>(foot.leg.tip)];
  const Quat parent = toes.rotation * conjugate(local);
  local = normalized(conjugate(parent) * axis_angle(*axis, std::min(bend, kMostBent)) * toes.rotation);
}

}  // namespace loom::polish
