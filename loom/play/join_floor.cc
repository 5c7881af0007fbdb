// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/motion/kinematics.h>
#include <loom/play/join_floor.h>
#include <loom/polish/knee.h>
#include <loom/polish/toes.h>

namespace loom::play {
namespace {

constexpr float kSoft =
    0.01f;  ///< metres; of a foot carried this deep half the depth stays, so that it is not stopped at once

/// How far to lift a point that is `depth` too low.
float lift_of(float depth) { return depth > 0 ? depth * depth / (depth + kSoft) : 0; }

}  // namespace

JoinFloor::JoinFloor(std::shared_ptr<const motion::Skeleton> skeleton,
                     const std::array<float, motion::kFootParts>& standing)
    : skeleton_(std::move(skeleton)) {
  const auto found = polish::find_feet(*skeleton_);
  if (!found) return;
  feet_ = *found;
  soles_ = motion::find_soles(*skeleton_);
  for (std::size_t side = 0; side < 2; ++side) {
    standing_[side] = {standing[(*feet_)[side].heel_part], standing[(*feet_)[side].toe_part], 0};
  }
  lowest_ = standing_;
}

JoinFloor::Place JoinFloor::place_of(std::size_t side, Vec3 root, std::span<const Quat> rotations) const {
  return {polish::place_of(*skeleton_, (*feet_)[side], root, rotations),
          polish::sole_height(*skeleton_, soles_.feet[side], root, rotations)};
}

JoinFloor::Places JoinFloor::places(Vec3 root, std::span<const Quat> rotations) const {
  Places places;
  if (!feet_) return places;
  for (std::size_t side = 0; side < 2; ++side) places[side] = place_of(side, root, rotations);
  return places;
}

void JoinFloor::begin(Vec3 root, std::span<const Quat> rotations, bool again) {
  if (!feet_) return;
  const Places old = places(root, rotations);
  if (!again) lowest_ = standing_;
  for (std::size_t side = 0; side < 2; ++side) {
    Lowest& lowest = lowest_[side];
    lowest.heel = std::min(lowest.heel, old[side].ends.heel.y);
    lowest.toe = std::min(lowest.toe, old[side].ends.toe.y);
    lowest.sole = std::min(lowest.sole, old[side].sole);
  }
}

void JoinFloor::keep(const Places& plain, Vec3 root, std::span<Quat> rotations) const {
  if (!feet_) return;
  for (std::size_t side = 0; side < 2; ++side) {
    const polish::Foot& foot = (*feet_)[side];
    const float floor = std::min(lowest_[side].sole, plain[side].sole);
    lift(side, floor, plain[side].ends, root, rotations);
    // The toes have a joint of their own, and point into the floor where the foot does not: they bend for what is left,
    // since a foot that comes down fast would have them bent all at once.
    polish::raise_toes(*skeleton_, foot, soles_.feet[side], floor, root, rotations);
  }
}

void JoinFloor::lift(std::size_t side, float floor, const polish::FootPlace& plain, Vec3 root,
                     std::span<Quat> rotations) const {
  const polish::Foot& foot = (*feet_)[side];
  const auto [now, now_sole] = place_of(side, root, rotations);
  const float sole = lift_of(floor - now_sole);
  const float heel = std::max(sole, lift_of(std::min(lowest_[side].heel, plain.heel.y) - now.heel.y));
  const float toe = std::max(sole, lift_of(std::min(lowest_[side].toe, plain.toe.y) - now.toe.y));
  if (heel == 0 && toe == 0) return;
  polish::FootPlace wanted = now;
  wanted.heel.y += heel;
  wanted.toe.y += toe;
  // The end that is lifted stays up, and the other gives way.
  polish::keep_length(wanted, distance(now.heel, now.toe), heel > toe ? 0.0f : 1.0f);
  polish::place_foot(*skeleton_, foot, root, rotations, polish::knee_axis_in(*skeleton_, foot, now, root, rotations),
                     now, wanted);
}

}  // namespace loom::play
