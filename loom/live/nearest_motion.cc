// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/live/nearest_motion.h>
#include <loom/motion/kinematics.h>

namespace loom::live {
namespace {

using character::kRoles;
using character::Role;

constexpr double kPosesASecond = 10;
constexpr float kGoesOn = 0.9f;  ///< the share that the distance of the next pose counts

/// What a part that a body lacks does: as what it hangs from.
void fill_missing(const character::HumanBody& body, std::span<Quat> turns) {
  const auto take = [&](Role role, Role from) {
    if (body.of(role) < 0) turns[static_cast<std::size_t>(role)] = turns[static_cast<std::size_t>(from)];
  };
  take(Role::kSpine, Role::kHips);
  take(Role::kChest, Role::kSpine);
  take(Role::kNeck, Role::kChest);
  take(Role::kHead, Role::kNeck);
  for (int side = 0; side < 2; ++side) {
    const auto of = [&](Role left) { return static_cast<Role>(static_cast<int>(left) + side); };
    take(of(Role::kLeftShoulder), Role::kChest);
    take(of(Role::kLeftForearm), of(Role::kLeftUpperArm));
    take(of(Role::kLeftHand), of(Role::kLeftForearm));
    take(of(Role::kLeftShin), of(Role::kLeftThigh));
    take(of(Role::kLeftFoot), of(Role::kLeftShin));
    take(of(Role::kLeftToe), of(Role::kLeftFoot));
  }
}

}  // namespace

Result<NearestMotion> NearestMotion::create(std::span<const motion::Clip> clips) {
  NearestMotion motion;
  double seconds = 0;
  for (const motion::Clip& clip : clips) seconds += clip.duration();
  const double step = std::max(1 / kPosesASecond, seconds / static_cast<double>(kMostPoses));
  for (const motion::Clip& clip : clips) {
    const auto body = character::look_at_body(clip);
    if (!body || clip.frames() == 0) continue;
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    bool starts = true;
    for (double t = 0; t <= clip.duration() && motion.poses() < kMostPoses; t += step) {
      const auto f = to_whole<std::size_t>(std::round(t * clip.rate));
      if (f >= clip.frames()) break;
      std::array<Quat, kRoles> turns;
      for (std::size_t r = 0; r < kRoles; ++r) {
        const int joint = body->joints[r];
        if (joint >= 0) turns[r] = normalized(poses.rotation(f, index(joint)) * body->frames[index(joint)]);
      }
      fill_missing(*body, turns);
      const Quat back = conjugate(twist_about(turns[0], {0, 1, 0}));
      for (Quat& turn : turns) turn = normalized(back * turn);
      motion.turns_.insert(motion.turns_.end(), turns.begin(), turns.end());
      motion.starts_.push_back(starts);
      starts = false;
    }
  }
  if (motion.poses() == 0) return fail("there is no human motion to complete from");
  return motion;
}

std::span<const Quat, kRoles> NearestMotion::nearest(const PartFrame& frame, Cursor& cursor) const {
  std::array<std::size_t, kRoles> sensed{};
  std::size_t count = 0;
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (frame.has(static_cast<Role>(r))) sensed[count++] = r;
  }
  float best = 1e9f;
  std::size_t found = cursor.pose;
  for (std::size_t p = 0; p < poses(); ++p) {
    float off = 0;
    for (std::size_t i = 0; i < count && off < best; ++i) {
      const float same = dot(turns_[p * kRoles + sensed[i]], frame.turns[sensed[i]]);
      off += 1 - same * same;  // sin² of half the angle
    }
    const bool goes_on = cursor.begun && (p == cursor.pose || (p == cursor.pose + 1 && !starts_[p]));
    if (goes_on) off *= kGoesOn;
    if (off < best) {
      best = off;
      found = p;
    }
  }
  cursor = {found, true};
  return std::span<const Quat, kRoles>(turns_.data() + found * kRoles, kRoles);
}

}  // namespace loom::live
