// SPDX-License-Identifier: MIT
#include <loom/matching/foot_hold.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

namespace loom::matching {
namespace {

constexpr float kFurthest = 0.3f;  ///< metres; a foot is held no further from where the motion has it

}  // namespace

FootHold::FootHold(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  ankles_ = {body.left_leg.end, body.right_leg.end};
}

void FootHold::follow(const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations,
                      std::uint8_t planted) {
  const std::array<bool, 2> down = {(planted & motion::kLeftFoot) != 0, (planted & motion::kRightFoot) != 0};
  for (std::size_t side = 0; side < 2; ++side) {
    if (ankles_[side] < 0) continue;
    const Vec3 own = motion::joint_frame(skeleton, ankles_[side], root, rotations).position;
    // A foot that stands carries the body until the other has come down.
    const bool carries = feet_.held[side] && planted != 0 && !feet_.held[1 - side];
    Vec3 held = feet_.ankle[side];
    held.y = own.y;  // heels rise as a foot rolls
    feet_.held[side] = (down[side] || carries) && (!feet_.held[side] || distance(held, own) < kFurthest);
    if (!feet_.held[side] || !was_held_[side]) held = own;
    was_held_[side] = feet_.held[side];
    feet_.ankle[side] = held;
  }
}

}  // namespace loom::matching
