// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/motion/kinematics.h>
#include <loom/play/join_floor.h>
#include <loom/polish/knee.h>

namespace loom::play {
namespace {

constexpr float kSoft =
    0.01f;  ///< metres; of a foot carried this deep half the depth stays, so that it is not stopped at once

/// How far to lift a point that is `depth` too low.
float lift_of(float depth) { return depth > 0 ? depth * depth / (depth + kSoft) : 0; }

/// What the knee of a pose bends about, in the frame of its thigh.
Vec3 knee_axis_of(const motion::Skeleton& skeleton, const polish::Foot& foot, const polish::FootPlace& now, Vec3 root,
                  std::span<const Quat> rotations) {
  const motion::JointFrame hip = motion::joint_frame(skeleton, foot.leg.upper, root, rotations);
  const Vec3 knee = motion::joint_frame(skeleton, foot.leg.middle, root, rotations).position;
  const Vec3 ankle = motion::joint_frame(skeleton, foot.leg.end, root, rotations).position;
  const Vec3 natural = polish::natural_knee_axis(foot, hip.position, knee, now, hip.rotation);
  const Vec3 bend = polish::knee_bend(hip.position, knee, ankle, hip.rotation);
  return polish::knee_axis(polish::forward_bend(bend, natural), natural);
}

}  // namespace

JoinFloor::JoinFloor(std::shared_ptr<const motion::Skeleton> skeleton,
                     const std::array<float, motion::kFootParts>& standing)
    : skeleton_(std::move(skeleton)) {
  const auto found = polish::find_feet(*skeleton_);
  if (!found) return;
  feet_ = *found;
  for (std::size_t side = 0; side < 2; ++side) {
    standing_[side] = {standing[(*feet_)[side].heel_part], standing[(*feet_)[side].toe_part]};
  }
  lowest_ = standing_;
}

JoinFloor::Places JoinFloor::places(Vec3 root, std::span<const Quat> rotations) const {
  Places places;
  if (!feet_) return places;
  for (std::size_t side = 0; side < 2; ++side) {
    places[side] = polish::place_of(*skeleton_, (*feet_)[side], root, rotations);
  }
  return places;
}

void JoinFloor::begin(Vec3 root, std::span<const Quat> rotations, bool again) {
  if (!feet_) return;
  const Places old = places(root, rotations);
  if (!again) lowest_ = standing_;
  for (std::size_t side = 0; side < 2; ++side) {
    lowest_[side] = {std::min(lowest_[side].heel, old[side].heel.y), std::min(lowest_[side].toe, old[side].toe.y)};
  }
}

void JoinFloor::keep(const Places& plain, Vec3 root, std::span<Quat> rotations) const {
  if (!feet_) return;
  for (std::size_t side = 0; side < 2; ++side) {
    const polish::Foot& foot = (*feet_)[side];
    const polish::FootPlace now = polish::place_of(*skeleton_, foot, root, rotations);
    const float heel = lift_of(std::min(lowest_[side].heel, plain[side].heel.y) - now.heel.y);
    const float toe = lift_of(std::min(lowest_[side].toe, plain[side].toe.y) - now.toe.y);
    if (heel == 0 && toe == 0) continue;
    polish::FootPlace wanted = now;
    wanted.heel.y += heel;
    wanted.toe.y += toe;
    // The end that is lifted stays up, and the other gives way.
    polish::keep_length(wanted, distance(now.heel, now.toe), heel > toe ? 0.0f : 1.0f);
    polish::place_foot(*skeleton_, foot, root, rotations, knee_axis_of(*skeleton_, foot, now, root, rotations), now,
                       wanted);
  }
}

}  // namespace loom::play
