// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/kinematics.h>
#include <loom/polish/toes.h>

namespace loom::polish {
namespace {

constexpr float kMostBent = 40 * kDegree;  ///< that toes are bent up at most
constexpr float kArm = 0.02f;              ///< metres from the joint of the toes; what is nearer is not moved by it
constexpr float kSoft = 0.003f;            ///< metres; of toes this deep half the depth stays, so that they do not jerk

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
  const auto tip = static_cast<std::size_t>(foot.leg.tip);
  const motion::JointFrame toes = motion::joint_frame(skeleton, foot.leg.tip, root, rotations);
  float bend = 0;
  Vec3 axis;
  for (const motion::SoleBall& ball : sole) {
    if (ball.joint != foot.leg.tip) continue;
    const Vec3 arm = rotate(toes.rotation, ball.offset);
    const float along = std::hypot(arm.x, arm.z);
    const float depth = lowest - (toes.position.y + arm.y - ball.radius);
    if (depth <= 0 || along < kArm) continue;
    const float lift = depth * depth / (depth + kSoft), arm_length = length(arm);
    const float raised = std::asin(std::min(1.0f, (arm.y + lift) / arm_length)) - std::asin(arm.y / arm_length);
    if (raised <= bend) continue;
    bend = raised;
    axis = {-arm.z / along, 0, arm.x / along};
  }
  if (bend == 0) return;
  const Quat up = axis_angle(axis, std::min(bend, kMostBent));
  const Quat parent = toes.rotation * conjugate(rotations[tip]);
  rotations[tip] = normalized(conjugate(parent) * up * toes.rotation);
}

}  // namespace loom::polish
