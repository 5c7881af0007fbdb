// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/bend_axis.h>
#include <loom/motion/kinematics.h>
#include <loom/play/standing_feet.h>
#include <loom/polish/knee.h>

namespace loom::play {
namespace {

constexpr float kReleaseSeconds = 0.08f;  ///< time constant with which a foot that swings returns to the blend
constexpr float kFurthest = 0.15f;        ///< metres from the blend; a foot that stands further off is drawn along
constexpr float kNowhere = 1e-5f;         ///< metres; what is less than this apart is left as it is
constexpr float kBendSeconds = 0.3f;      ///< over which the bend of a knee is averaged
constexpr float kNaturalWeight = 0.1f;    ///< of the natural axis of a knee, against that average

Vec3 along_floor(Vec3 way) { return {way.x, 0, way.z}; }

/// A pose's leg, as far as a knee's axis needs it.
Vec3 axis_of_knee(const motion::Skeleton& skeleton, const polish::Foot& foot, const polish::FootPlace& place,
                  const motion::StreamPose& pose, float seconds, Vec3& of_late) {
  const motion::JointFrame hip = motion::joint_frame(skeleton, foot.leg.upper, pose.root, pose.rotations);
  const Vec3 knee = motion::joint_frame(skeleton, foot.leg.middle, pose.root, pose.rotations).position;
  const Vec3 ankle = motion::joint_frame(skeleton, foot.leg.end, pose.root, pose.rotations).position;
  const Vec3 natural = polish::natural_knee_axis(foot, hip.position, knee, place, hip.rotation);
  const Vec3 bend = polish::forward_bend(motion::limb_bend(hip.position, knee, ankle, hip.rotation), natural);
  of_late += (bend - of_late) * (1 - std::exp(-seconds / kBendSeconds));
  return motion::bend_axis(bend, normalized(of_late + natural * kNaturalWeight, natural));
}

}  // namespace

std::optional<StandingFeet> StandingFeet::create(std::shared_ptr<const motion::Skeleton> skeleton, double rate) {
  const auto feet = polish::find_feet(*skeleton);
  if (!feet) return {};
  return StandingFeet(std::move(skeleton), *feet, rate);
}

StandingFeet::StandingFeet(std::shared_ptr<const motion::Skeleton> skeleton, const std::array<polish::Foot, 2>& feet,
                           double rate)
    : skeleton_(std::move(skeleton)), seconds_(static_cast<float>(1 / rate)) {
  for (std::size_t side = 0; side < 2; ++side) feet_[side].foot = feet[side];
}

void StandingFeet::tell(const Blended& motion) {
  for (Kept& kept : feet_) {
    if (!kept.foot.heel_planted(motion.planted) && !kept.foot.toe_planted(motion.planted)) continue;
    const polish::FootPlace now = place_of(*skeleton_, kept.foot, motion.root, motion.rotations);
    const polish::FootPlace before = place_of(*skeleton_, kept.foot, motion.root_before, motion.rotations_before);
    kept.heel_step += along_floor(now.heel - before.heel) * motion.weight;
    kept.toe_step += along_floor(now.toe - before.toe) * motion.weight;
    kept.standing += motion.weight;
  }
}

void StandingFeet::move(Kept& kept, const polish::FootPlace& now, std::uint8_t planted) const {
  const bool down = kept.foot.heel_planted(planted) || kept.foot.toe_planted(planted);
  // A foot that lands goes with the blend until it is down: to be stopped in mid-air it would have to jump.
  const bool stands = kept.down && down && kept.standing > 0;
  const auto move_end = [&](polish::Spring& apart, Vec3 last, Vec3 step, Vec3 at) {
    if (!stands) {
      apart.step({}, seconds_, kReleaseSeconds);
      return;
    }
    const Vec3 was = apart.value;
    apart.value += along_floor(last - at) + step * (1 / kept.standing);
    apart.value = apart.value * (kFurthest / std::max(kFurthest, length(apart.value)));
    apart.velocity = (apart.value - was) * (1 / seconds_);
  };
  move_end(kept.heel, kept.last.heel, kept.heel_step, now.heel);
  move_end(kept.toe, kept.last.toe, kept.toe_step, now.toe);
  kept.last = now;
  kept.down = down;
  kept.heel_step = kept.toe_step = {};
  kept.standing = 0;
}

void StandingFeet::put(Kept& kept, const polish::FootPlace& now, motion::StreamPose& pose) const {
  const Vec3 axis = axis_of_knee(*skeleton_, kept.foot, now, pose, seconds_, kept.bend);
  if (length(kept.heel.value) < kNowhere && length(kept.toe.value) < kNowhere) return;
  polish::FootPlace wanted{now.heel + kept.heel.value, now.toe + kept.toe.value};
  // The end that stands is where it is to be.
  const bool on_toe = kept.foot.toe_planted(pose.planted) && !kept.foot.heel_planted(pose.planted);
  // Its ends may be held past each other, where the motions point it different ways.
  keep_direction(wanted, now.toe - now.heel, on_toe ? 1.0f : 0.0f);
  keep_length(wanted, distance(now.heel, now.toe), on_toe ? 1.0f : 0.0f);
  // What was taken back is not asked for again when the foot rolls on to its other end.
  kept.heel.value = along_floor(wanted.heel - now.heel);
  kept.toe.value = along_floor(wanted.toe - now.toe);
  place_foot(*skeleton_, kept.foot, pose.root, pose.rotations, axis, now, wanted);
}

void StandingFeet::hold(motion::StreamPose& pose) {
  for (Kept& kept : feet_) {
    const polish::FootPlace now = place_of(*skeleton_, kept.foot, pose.root, pose.rotations);
    move(kept, now, pose.planted);
    put(kept, now, pose);
  }
}

}  // namespace loom::play
