// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/kinematics.h>
#include <loom/polish/foot_planter.h>
#include <loom/polish/knee.h>
#include <loom/polish/root_shift.h>

namespace loom::polish {
namespace {

constexpr float kRiseSeconds = 2;        // a standing height once learned rises no faster than this
constexpr float kRested = 0.02f;         // metres; a tired point this near to its own way may be held again
constexpr float kStopAtOnce = 0.3f;      // metres a second that a landing point may always lose at once
constexpr float kLivelySeconds = 1;      // over which the largest jump of a point is remembered
constexpr float kRunOutSeconds = 0.03f;  // in which it loses the rest
constexpr float kLevel = 0.001f;         // metres; ends of a foot less than this off the floor are as good as on it
constexpr float kTiredSlowness = 3;      // a foot let go while it stands returns so much slower than one that steps
constexpr float kClear = 0.02f;          // metres a foot that swings keeps off the floor, as people's do
constexpr float kSwingSpeed = 0.5f;      // metres a second from which on a foot swings
constexpr float kOutOfReach = 0.02f;     // metres a leg may fall short of its foot
constexpr float kLiftSeconds = 0.03f;    // time constant with which it is lifted and set down again
constexpr float kBendSeconds = 0.3f;     // over which the bend of a knee is averaged
constexpr float kNaturalWeight = 0.1f;   // of the natural axis of a knee, against that average

Vec3 on_floor(Vec3 v) { return {v.x, 0, v.z}; }
float floor_distance(Vec3 a, Vec3 b) { return length(on_floor(a - b)); }

/// Where a point (a joint, or an end site after the joints) is in the world.
Vec3 point_position(const motion::Skeleton& skeleton, std::size_t point, Vec3 root, std::span<const Quat> rotations) {
  if (point < skeleton.size()) return motion::joint_frame(skeleton, static_cast<int>(point), root, rotations).position;
  const motion::EndSite& site = skeleton.end_sites()[point - skeleton.size()];
  const motion::JointFrame joint = motion::joint_frame(skeleton, site.joint, root, rotations);
  return joint.position + rotate(joint.rotation, site.offset);
}

}  // namespace

Result<FootPlanter> FootPlanter::create(std::shared_ptr<const motion::Skeleton> skeleton, double rate,
                                        const FootPlanterOptions& options) {
  const Result<std::array<Foot, 2>> feet = find_feet(*skeleton);
  if (!feet) return fail_from(feet);
  return FootPlanter(std::move(skeleton), *feet, rate, options);
}

FootPlanter::FootPlanter(std::shared_ptr<const motion::Skeleton> skeleton, const std::array<Foot, 2>& feet, double rate,
                         const FootPlanterOptions& options)
    : skeleton_(std::move(skeleton)),
      soles_(motion::find_soles(*skeleton_)),
      options_(options),
      seconds_(static_cast<float>(1 / rate)) {
  for (std::size_t side = 0; side < 2; ++side) legs_[side].foot = feet[side];
  reset();
}

void FootPlanter::reset() {
  root_ = {};
  poses_ = 0;
  for (LegState& leg : legs_) {
    leg.heel = leg.toe = {};
    leg.bend = {};
    leg.lift = {};
    if (!options_.standing) continue;
    leg.heel.standing = (*options_.standing)[leg.foot.heel_part];
    leg.toe.standing = (*options_.standing)[leg.foot.toe_part];
    leg.heel.has_stood = leg.toe.has_stood = true;
  }
}

FootPlanter::LegPose FootPlanter::look_at(const Foot& foot, Vec3 root, std::span<const Quat> rotations) const {
  const motion::JointFrame hip = motion::joint_frame(*skeleton_, foot.leg.upper, root, rotations);
  LegPose pose;
  pose.hip = hip.position;
  pose.thigh = hip.rotation;
  pose.knee = motion::joint_frame(*skeleton_, foot.leg.middle, root, rotations).position;
  pose.ankle = motion::joint_frame(*skeleton_, foot.leg.end, root, rotations).position;
  pose.now = {point_position(*skeleton_, foot.heel, root, rotations),
              point_position(*skeleton_, foot.toe, root, rotations)};
  pose.sole = lowest_sole(foot, root, rotations);
  return pose;
}

/// Height in the world of the lowest point of a foot, metres.
float FootPlanter::lowest_sole(const Foot& foot, Vec3 root, std::span<const Quat> rotations) const {
  float lowest = 1e9f;
  for (const motion::SoleBall& ball : soles_.feet[foot.heel_part / 2]) {
    const motion::JointFrame joint = motion::joint_frame(*skeleton_, ball.joint, root, rotations);
    lowest = std::min(lowest, joint.position.y + rotate(joint.rotation, ball.offset).y - ball.radius);
  }
  return lowest;
}

/// Follows how lively the motion itself moves a point.
void FootPlanter::watch_point(PointState& point, Vec3 now) const {
  const Vec3 step = now - point.own_last;
  const float jump = poses_ > 1 ? distance(step, point.own_step) : 0;
  point.lively = std::max(jump, point.lively * std::exp(-seconds_ / kLivelySeconds));
  point.own_step = step;
  point.own_last = now;
}

/// Moves the correction of a point on by one pose.
void FootPlanter::move_point(PointState& point, Vec3 now, bool planted, const PointState& other) const {
  if (planted && !options_.standing) {
    // A foot comes to rest from above, so its height is learned quickly downwards and slowly upwards.
    const bool lower = !point.has_stood || now.y < point.standing;
    point.standing += (now.y - point.standing) * (lower ? 1 : 1 - std::exp(-seconds_ / kRiseSeconds));
    point.has_stood = true;
  }
  if (point.tired && (!planted || length(point.offset.value) < kRested)) point.tired = false;
  if (point.held && (!planted || floor_distance(point.held_at, now) > options_.max_wander)) {
    point.tired = planted;
    point.held = false;
  }

  // Both ends of a foot go together where only one is held.
  Vec3 goal = other.held ? other.offset.value : Vec3{};
  if (planted) goal.y = point.standing + settled_height(now.y - point.standing) - now.y;
  const Vec3 before = point.offset.value;
  point.offset.step(goal, seconds_, options_.release_seconds * (point.tired ? kTiredSlowness : 1));
  if (point.held) {
    point.held_at += point.run_out * seconds_;
    point.run_out *= std::exp(-seconds_ / kRunOutSeconds);
    Vec3& value = point.offset.value;
    value.x = point.held_at.x - now.x;
    value.z = point.held_at.z - now.z;
    point.offset.velocity.x = (value.x - before.x) / seconds_;
    point.offset.velocity.z = (value.z - before.z) / seconds_;
  }
  if (point.has_stood) {
    // A floor that was given is a floor; one that was learned does not lift a foot that goes below it.
    const float floor = options_.standing ? point.standing : std::min(now.y, point.standing);
    point.offset.value.y = std::max(point.offset.value.y, floor - now.y);
  }
}

/// Takes over where the point is put once the foot is whole again, and holds it there from its first planted pose on.
void FootPlanter::put_point(PointState& point, Vec3 now, Vec3 wanted, bool planted, bool both_held) const {
  const Vec3 speed = on_floor(wanted - point.last) / seconds_;
  point.offset.value = wanted - now;
  point.last = wanted;
  if (point.held && both_held) point.held_at = wanted;
  if (!planted || point.held || point.tired) return;
  point.held = true;
  point.held_at = wanted;
  // Stopping must not jump more than the motion itself does.
  const float stop = std::max(kStopAtOnce, point.lively / seconds_);
  point.run_out = poses_ > 1 ? speed * std::max(0.0f, 1 - stop / std::max(length(speed), 1e-6f)) : Vec3{};
}

void FootPlanter::plan_foot(LegState& leg, LegPose& pose, std::uint8_t planted) const {
  const bool heel_down = leg.foot.heel_planted(planted), toe_down = leg.foot.toe_planted(planted);
  watch_point(leg.heel, pose.now.heel);
  watch_point(leg.toe, pose.now.toe);
  move_point(leg.heel, pose.now.heel, heel_down, leg.toe);
  move_point(leg.toe, pose.now.toe, toe_down, leg.heel);
  // While both are held the foot still rolls: the end that is further off the floor gives way.
  float share = leg.toe.held ? 1.0f : (leg.heel.held ? 0.0f : 0.5f);
  const bool both_held = leg.heel.held && leg.toe.held;
  if (both_held) {
    const float heel_lift = std::max(pose.now.heel.y - leg.heel.standing, 0.0f) + kLevel;
    const float toe_lift = std::max(pose.now.toe.y - leg.toe.standing, 0.0f) + kLevel;
    share = heel_lift / (heel_lift + toe_lift);
  }
  pose.wanted = {pose.now.heel + leg.heel.offset.value, pose.now.toe + leg.toe.offset.value};
  const Vec3 own = pose.now.toe - pose.now.heel;
  keep_direction(pose.wanted, own, share);
  keep_length(pose.wanted, length(own), share);
  const FootPlace before{leg.heel.last, leg.toe.last};
  put_point(leg.heel, pose.now.heel, pose.wanted.heel, heel_down, both_held);
  put_point(leg.toe, pose.now.toe, pose.wanted.toe, toe_down, both_held);
  lift_free_foot(leg, pose, before);
}

/// A foot that its leg cannot reach any more is drawn along the floor, whatever holds it: it has to step.
void FootPlanter::let_go(LegState& leg) {
  for (PointState* point : {&leg.heel, &leg.toe}) {
    point->tired = point->tired || point->held;
    point->held = false;
  }
}

/// Contacts are those that are seen: a foot that is not held and yet goes along on the floor is lifted off it.
void FootPlanter::lift_free_foot(LegState& leg, LegPose& pose, const FootPlace& before) const {
  if (!options_.standing) return;  // only then the floor is known: it is at the height 0
  float goal = 0;
  if (!leg.heel.held && !leg.toe.held && poses_ > 1) {
    const float speed =
        std::min(floor_distance(pose.wanted.heel, before.heel), floor_distance(pose.wanted.toe, before.toe)) / seconds_;
    const float offset = std::min(pose.wanted.heel.y - pose.now.heel.y, pose.wanted.toe.y - pose.now.toe.y);
    goal = std::max(0.0f, kClear * smoothstep(speed / kSwingSpeed) - pose.sole - offset);
  }
  leg.lift.step({0, goal, 0}, seconds_, kLiftSeconds);
  pose.wanted.heel.y += leg.lift.value.y;
  pose.wanted.toe.y += leg.lift.value.y;
}

Vec3 FootPlanter::knee_axis_of(LegState& leg, const LegPose& pose) const {
  const Vec3 natural = natural_knee_axis(leg.foot, pose.hip, pose.knee, pose.now, pose.thigh);
  const Vec3 bend = forward_bend(knee_bend(pose.hip, pose.knee, pose.ankle, pose.thigh), natural);
  leg.bend += (bend - leg.bend) * (1 - std::exp(-seconds_ / kBendSeconds));
  return knee_axis(bend, normalized(leg.bend + natural * kNaturalWeight, natural));
}

void FootPlanter::plant(std::uint8_t planted, Vec3& root, std::span<Quat> rotations) {
  std::array<LegPose, 2> poses;
  std::array<LegReach, 2> reach;
  for (std::size_t side = 0; side < 2; ++side) {
    LegState& leg = legs_[side];
    LegPose& pose = poses[side];
    pose = look_at(leg.foot, root, rotations);
    plan_foot(leg, pose, planted);
    reach[side] = {leg.foot.thigh,
                   leg.foot.shank,
                   pose.hip,
                   pose.ankle,
                   ankle_target(pose.ankle, pose.now, pose.wanted),
                   leg.heel.held || leg.toe.held};
  }
  poses_ = std::min(poses_ + 1, 2);
  root_.step(root_shift_for(reach, root_.value), seconds_, options_.root_seconds);
  root += root_.value;
  for (std::size_t side = 0; side < 2; ++side) {
    const FootPlace now{poses[side].now.heel + root_.value, poses[side].now.toe + root_.value};
    const Vec3 axis = knee_axis_of(legs_[side], poses[side]);
    const float short_by = place_foot(*skeleton_, legs_[side].foot, root, rotations, axis, now, poses[side].wanted);
    if (short_by > kOutOfReach) let_go(legs_[side]);
  }
}

}  // namespace loom::polish
