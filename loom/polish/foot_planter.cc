// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/bend_axis.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/detail/root_shift.h>
#include <loom/polish/foot_planter.h>
#include <loom/polish/knee.h>
#include <loom/polish/toes.h>

namespace loom::polish {
namespace {

constexpr float kRiseSeconds = 2;         // a standing height once learned rises no faster than this
constexpr float kStopAtOnce = 0.3f;       // metres a second that a landing point may always lose at once
constexpr float kLivelySeconds = 1;       // over which the largest jump of a point is remembered
constexpr float kRunOutSeconds = 0.03f;   // in which it loses the rest
constexpr float kLevel = 0.001f;          // metres; ends of a foot less than this off the floor are as good as on it
constexpr float kStepSeconds = 0.25f;     // that a step of its own takes
constexpr float kFastestStart = 2;        // metres a second by which such a step may lag behind the motion as it begins
constexpr float kStepHeight = 0.05f;      // metres it is lifted by then
constexpr float kAlone = 2.0f;            // a foot that alone carries the body is held back so much further ...
constexpr float kTwistedAlone = 1.5f;     // ... and turned so much further
constexpr float kTwisted = 38 * kDegree;  // a foot held turned so far from the way the motion has it steps
constexpr float kFlatLength = 0.06f;      // metres on the floor from heel to toe; shorter, a foot points nowhere
constexpr float kUneasy = 0.1f;           // metres; a foot this far from its own place is set right once both stand ...
constexpr float kUneasySeconds = 0.3f;    // ... for so long ...
constexpr float kAtRest = 0.2f;           // ... and are at rest, metres a second
constexpr float kDown = 0.035f;  // metres; a sole this low is about to touch the floor: what lands fast stops ...
constexpr float kClearOfFloor = 0.026f;    // ... before it does. Metres a foot that swings keeps off, as people's do
constexpr float kSwingSpeed = 0.5f;        // metres a second from which on a foot swings
constexpr float kOutOfReach = 0.02f;       // metres a leg may fall short of its foot ...
constexpr float kAloneOutOfReach = 0.04f;  // ... and of the only one that stands: let go, nothing would carry the body
constexpr float kRaiseSeconds =
    0.012f;                            // time constant with which it is lifted: slower, it is drawn along the floor ...
constexpr float kLookAhead = 0.015f;   // seconds ahead that it is seen coming to the floor
constexpr float kLiftSeconds = 0.03f;  // ... and set down again
constexpr float kCarriedOff = 0.06f;   // metres; a foot whose sole the motion has so high stands no more
constexpr float kTakingOff = 0.02f;    // metres; so low a sole of a motion that flies has not left the floor yet ...
constexpr float kLetFly = 0.15f;       // ... unless it is held back by so many metres
constexpr float kStill = 0.4f;         // metres a second; a foot that landed and runs out faster does not carry yet
constexpr float kPassing = 0.07f;      // metres to the side by which a foot goes by the other ...
constexpr float kPassesBy = 0.35f;     // ... from where it is this far from being beside it
constexpr float kStretchSoftly = 0.01f;  // share of a leg's length short of which it is bent softly ...
constexpr float kStretched = 0.1f;       // ... where planting holds its foot so many metres off
constexpr float kHeedSeconds = 0.03f;    // in which the root heeds what the legs ask of it
constexpr float kBendSeconds = 0.3f;     // over which the bend of a knee is averaged
constexpr float kNaturalWeight = 0.1f;   // of the natural axis of a knee, against that average

Vec3 on_floor(Vec3 v) { return {v.x, 0, v.z}; }
float apart_on_floor(Vec3 a, Vec3 b) { return length(on_floor(a - b)); }

/// The angle between two ways, radians.
float angle_between_ways(Vec3 a, Vec3 b) {
  return std::acos(std::clamp(dot(normalized(a), normalized(b)), -1.0f, 1.0f));
}

/// How far all of a foot is from all of another along a direction, metres; negative where it is not.
float room_between(const FootPlace& foot, const FootPlace& other, Vec3 along) {
  return std::min(dot(foot.heel, along), dot(foot.toe, along)) -
         std::max(dot(other.heel, along), dot(other.toe, along));
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
  root_goal_ = {};
  poses_ = 0;
  for (LegState& leg : legs_) {
    leg.heel = leg.toe = {};
    leg.bend = {};
    leg.lift = {};
    leg.step = 1;
    leg.standing_for = 0;
    leg.raised = false;
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
  pose.now = place_of(*skeleton_, foot, root, rotations);
  pose.sole = lowest_sole(foot, root, rotations, pose.now, pose.now);
  return pose;
}

/// Height in the world of the lowest point of a foot once it is brought from where it is to where it is to be, metres.
float FootPlanter::lowest_sole(const Foot& foot, Vec3 root, std::span<const Quat> rotations, const FootPlace& now,
                               const FootPlace& wanted) const {
  float lowest = 1e9f;
  for (const motion::SoleBall& ball : soles_.feet[foot.heel_part / 2]) {
    const motion::JointFrame joint = motion::joint_frame(*skeleton_, ball.joint, root, rotations);
    const Vec3 centre = joint.position + rotate(joint.rotation, ball.offset);
    lowest = std::min(lowest, ankle_target(centre, now, wanted).y - ball.radius);
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

/// The FootBits of what is held and runs out no faster than `fastest`, metres a second.
std::uint8_t FootPlanter::held_bits(float fastest) const {
  std::uint8_t held = 0;
  const auto add = [&](const PointState& point, std::size_t part) {
    if (point.held && length(point.run_out) <= fastest) held = static_cast<std::uint8_t>(held | 1 << part);
  };
  for (const LegState& leg : legs_) {
    add(leg.heel, leg.foot.heel_part);
    add(leg.toe, leg.foot.toe_part);
  }
  return held;
}

/// Whether the motion has taken a foot that is held off the floor. Who flies (nothing is planted) takes off once the
/// sole has left it: a join into a flight shows its motion later than it tells of it.
bool FootPlanter::carried_off(const LegState& leg, const LegPose& pose, bool flies) const {
  if (!options_.standing) return flies;  // only then the floor is known
  const float off = std::max(length(on_floor(leg.heel.offset.value)), length(on_floor(leg.toe.offset.value)));
  return pose.sole > (flies ? kTakingOff : kCarriedOff) || (flies && off > kLetFly);
}

/// What is planted, and what must be held beside it: as long as no foot goes on standing that stands still, those that
/// were held do, unless the motion has carried them off.
std::uint8_t FootPlanter::keep_support(std::uint8_t planted, const std::array<LegPose, 2>& poses) const {
  if ((planted & held_bits(kStill)) != 0) return planted;
  std::uint8_t held = held_bits();
  for (std::size_t side = 0; side < 2; ++side) {
    const std::uint8_t foot = side == 0 ? motion::kLeftFoot : motion::kRightFoot;
    if (carried_off(legs_[side], poses[side], planted == 0)) held = static_cast<std::uint8_t>(held & ~foot);
  }
  return static_cast<std::uint8_t>(planted | held);
}

/// Both ends of a foot go together where only one is held, which has been moved already: only what differs between them
/// dies away, however fast the motion draws the foot from where it is held.
void FootPlanter::follow_end(PointState& point, const PointState& held) const {
  Spring apart{point.offset_before.value - held.offset_before.value,
               point.offset_before.velocity - held.offset_before.velocity};
  apart.step({}, seconds_, options_.release_seconds);
  const Spring along{held.offset.value + apart.value, held.offset.velocity + apart.velocity};
  point.offset.value = {along.value.x, point.offset.value.y, along.value.z};
  point.offset.velocity = {along.velocity.x, point.offset.velocity.y, along.velocity.z};
}

/// Moves the correction of a point on by one pose.
void FootPlanter::move_point(LegState& leg, PointState& point, Vec3 now, bool planted, const PointState& other) const {
  if (planted && !options_.standing) {
    // A foot comes to rest from above, so its height is learned quickly downwards and slowly upwards.
    const bool lower = !point.has_stood || now.y < point.standing;
    point.standing += (now.y - point.standing) * (lower ? 1 : 1 - std::exp(-seconds_ / kRiseSeconds));
    point.has_stood = true;
  }
  Vec3 goal;
  if (planted) goal.y = point.standing + settled_height(now.y - point.standing) - now.y;
  const Vec3 before = point.offset.value;
  point.offset_before = point.offset;
  point.offset.step(goal, seconds_, options_.release_seconds);
  if (!point.held && other.held) follow_end(point, other);
  Vec3& value = point.offset.value;
  if (point.held) {
    point.held_at += point.run_out * seconds_;
    point.run_out *= std::exp(-seconds_ / kRunOutSeconds);
    value.x = point.held_at.x - now.x;
    value.z = point.held_at.z - now.z;
  } else if (leg.stepping()) {
    // It starts at the speed it has, which is none where it stood, and ends at that of the motion.
    const float left = 1 - smoothstep(leg.step), run = kStepSeconds * leg.step * (1 - leg.step) * (1 - leg.step);
    value.x = point.step_from.x * left + point.step_speed.x * run;
    value.z = point.step_from.z * left + point.step_speed.z * run;
  }
  if (point.held || leg.stepping()) {
    point.offset.velocity.x = (value.x - before.x) / seconds_;
    point.offset.velocity.z = (value.z - before.z) / seconds_;
  }
  if (point.has_stood) {
    // A floor that was given is a floor; one that was learned does not lift a foot that goes below it.
    const float floor = options_.standing ? point.standing : std::min(now.y, point.standing);
    value.y = std::max(value.y, floor - now.y);
  }
}

/// Takes over where the point is put once the foot is whole again, and holds it there from its first planted pose on.
void FootPlanter::put_point(PointState& point, Vec3 now, Vec3 wanted, bool may_hold, bool both_held) const {
  const Vec3 speed = on_floor(wanted - point.last) / seconds_;
  point.offset.value = wanted - now;
  point.last = wanted;
  if (point.held && both_held) point.held_at = wanted;
  if (!may_hold || point.held) return;
  point.held = true;
  point.held_at = wanted;
  // Stopping must not jump more than the motion itself does.
  const float stop = std::max(kStopAtOnce, point.lively / seconds_);
  point.run_out = poses_ > 1 ? speed * std::max(0.0f, 1 - stop / std::max(length(speed), 1e-6f)) : Vec3{};
}

/// How far a foot that is held by both its ends is turned from the way the motion has it point, radians.
float FootPlanter::twist(const LegState& leg, const LegPose& pose) {
  if (!leg.heel.held || !leg.toe.held) return 0;
  const Vec3 held = on_floor(leg.toe.held_at - leg.heel.held_at), own = on_floor(pose.now.toe - pose.now.heel);
  if (length(held) < kFlatLength || length(own) < kFlatLength) return 0;
  return std::acos(std::clamp(dot(normalized(held), normalized(own)), -1.0f, 1.0f));
}

/// Whether a foot is held so far from where the motion has it, or so far turned, that it steps.
bool FootPlanter::has_to_step(const LegState& leg, const LegPose& pose, const LegState& other) const {
  const auto wander = [](const PointState& point, Vec3 now) {
    return point.held ? apart_on_floor(point.held_at, now) : 0.0f;
  };
  const float off = std::max(wander(leg.heel, pose.now.heel), wander(leg.toe, pose.now.toe));
  if (off > options_.max_wander * (other.held() ? 1 : kAlone)) return true;
  if (twist(leg, pose) > kTwisted * (other.held() ? 1 : kTwistedAlone)) return true;
  const auto rests = [&](const LegState& l) {
    return l.standing_for > kUneasySeconds && length(on_floor(l.heel.own_step)) < kAtRest * seconds_;
  };
  if (off < kUneasy || !rests(leg) || !rests(other)) return false;
  return off >= std::max(length(on_floor(other.heel.offset.value)), length(on_floor(other.toe.offset.value)));
}

/// Whether a foot has come to the floor, or keeps still on something higher.
bool FootPlanter::is_down(const LegState& leg, const LegPose& pose) const {
  if (!options_.standing) return true;  // only then the floor is known: it is at the height 0
  const float offset = std::min(leg.heel.offset.value.y, leg.toe.offset.value.y) + leg.lift.value.y;
  const float speed = std::min(length(leg.heel.own_step), length(leg.toe.own_step)) / seconds_;
  return pose.sole + offset < kDown || speed < kStopAtOnce;
}

void FootPlanter::plan_foot(std::size_t side, std::array<LegPose, 2>& poses, std::uint8_t planted) {
  LegState& leg = legs_[side];
  LegPose& pose = poses[side];
  const LegState& other = legs_[1 - side];
  const bool heel_down = leg.foot.heel_planted(planted), toe_down = leg.foot.toe_planted(planted);
  watch_point(leg.heel, pose.now.heel);
  watch_point(leg.toe, pose.now.toe);
  leg.standing_for = leg.held() ? leg.standing_for + seconds_ : 0;
  leg.step = std::min(leg.step + seconds_ / kStepSeconds, 1.0f);
  if (leg.held() && has_to_step(leg, pose, other)) {
    begin_step(leg);
    leg.step = seconds_ / kStepSeconds;  // by this pose it is on its way
  }
  leg.heel.held = leg.heel.held && heel_down;
  leg.toe.held = leg.toe.held && toe_down;
  if (leg.toe.held) move_point(leg, leg.toe, pose.now.toe, toe_down, leg.heel);
  move_point(leg, leg.heel, pose.now.heel, heel_down, leg.toe);
  if (!leg.toe.held) move_point(leg, leg.toe, pose.now.toe, toe_down, leg.heel);
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
  keep_from_spinning(leg, pose, share);
  if (!leg.held()) keep_apart(side, poses);
  pose.along =
      std::min(apart_on_floor(pose.wanted.heel, leg.heel.last), apart_on_floor(pose.wanted.toe, leg.toe.last)) /
      seconds_;
  const bool may_hold = leg.held() || (!leg.stepping() && is_down(leg, pose));
  put_point(leg.heel, pose.now.heel, pose.wanted.heel, heel_down && may_hold && !leg.raised, both_held);
  put_point(leg.toe, pose.now.toe, pose.wanted.toe, toe_down && may_hold, both_held);
}

/// A foot near the floor turns no faster than feet do: what it is let go of may point elsewhere by then.
void FootPlanter::keep_from_spinning(const LegState& leg, LegPose& pose, float heel_share) const {
  if (poses_ < 2) return;
  // It turns in space with the motion, and by itself no faster than feet do.
  const Vec3 own_before = (leg.toe.own_last - leg.toe.own_step) - (leg.heel.own_last - leg.heel.own_step);
  const float own_turn = angle_between_ways(own_before, pose.now.toe - pose.now.heel);
  limit_tilt(pose.wanted, leg.toe.last - leg.heel.last, own_turn + kFastestTurn * seconds_, heel_share);
  if (pose.sole > kNearFloor) return;
  limit_turn(pose.wanted, leg.toe.last - leg.heel.last, kFastestTurn * seconds_, heel_share);
}

/// A foot that is moved goes by the other and not through it: as far to its own side as the motion has it, where that
/// is no more than feet need to pass.
void FootPlanter::keep_apart(std::size_t side, std::array<LegPose, 2>& poses) const {
  if (poses_ < 2) return;
  const Vec3 outwards = normalized(on_floor(poses[side].hip - poses[1 - side].hip), {0, 0, 0});
  const FootPlace other{legs_[1 - side].heel.last, legs_[1 - side].toe.last};
  FootPlace& wanted = poses[side].wanted;
  const float own = room_between(poses[side].now, poses[1 - side].now, outwards);
  const float lacks = std::min(own, kPassing) - room_between(wanted, other, outwards);
  if (lacks <= 0) return;
  const Vec3 ahead = cross(outwards, {0, 1, 0});
  const float gap = std::max(room_between(wanted, other, ahead), room_between(wanted, other, ahead * -1.0f));
  const Vec3 aside = outwards * (lacks * (1 - smoothstep(std::max(gap, 0.0f) / kPassesBy)));
  wanted.heel += aside;
  wanted.toe += aside;
}

/// A foot that its leg cannot reach any more would be drawn along the floor, whatever holds it: it steps.
void FootPlanter::begin_step(LegState& leg) {
  leg.step = 0;
  for (PointState* point : {&leg.heel, &leg.toe}) {
    point->held = false;
    point->step_from = point->offset.value;
    const float speed = length(on_floor(point->offset.velocity));
    point->step_speed = point->offset.velocity * std::min(1.0f, kFastestStart / std::max(speed, 1e-6f));
  }
}

/// Contacts are those that are seen: a foot that is not held and yet goes along on the floor is lifted off it, and one
/// that is held rolls over the floor, not through it.
void FootPlanter::lift_foot(LegState& leg, LegPose& pose, Vec3 root, std::span<const Quat> rotations) const {
  float clear = leg.stepping() ? kStepHeight * std::sin(kPi * leg.step) : 0, height = 0;
  if (options_.standing && poses_ > 1) {
    if (!leg.held()) clear = std::max(clear, kClearOfFloor * smoothstep(pose.along / kSwingSpeed));
    height = lowest_sole(leg.foot, root, rotations, pose.now, pose.wanted);
  }
  // One that comes down fast, as joins have it, is lifted before it is there: no lift follows it at once.
  const float falls = poses_ > 1 && !leg.held() ? std::min(0.0f, height - leg.height) / seconds_ : 0;
  leg.height = height;
  const float goal = std::max(0.0f, clear - height - falls * kLookAhead);
  leg.lift.step({0, goal, 0}, seconds_, goal > leg.lift.value.y ? kRaiseSeconds : kLiftSeconds);
  pose.wanted.heel.y += leg.lift.value.y;
  pose.wanted.toe.y += leg.lift.value.y;
}

Vec3 FootPlanter::knee_axis_of(LegState& leg, const LegPose& pose) const {
  const Vec3 natural = natural_knee_axis(leg.foot, pose.hip, pose.knee, pose.now, pose.thigh);
  const Vec3 bend = forward_bend(motion::limb_bend(pose.hip, pose.knee, pose.ankle, pose.thigh), natural);
  leg.bend += (bend - leg.bend) * (1 - std::exp(-seconds_ / kBendSeconds));
  return motion::bend_axis(bend, normalized(leg.bend + natural * kNaturalWeight, natural));
}

/// A foot that stands further back than its leg reaches rolls over its toe; its heel then has left the floor.
void FootPlanter::roll_over_toe(LegState& leg, LegPose& pose, const FootPlace& now) const {
  leg.raised = false;
  if (!leg.toe.held) return;
  const Vec3 ankle = ankle_target(pose.ankle + root_.value, now, pose.wanted), heel = pose.wanted.heel;
  raise_heel(leg.foot, pose.hip + root_.value, ankle, distance(pose.hip, pose.ankle), pose.wanted);
  const Vec3 raised = pose.wanted.heel - heel;
  if (length(raised) < kLevel) return;
  leg.raised = true;
  leg.heel.held = false;
  leg.heel.offset.value += raised;
  leg.heel.last += raised;
}

std::uint8_t FootPlanter::plant(std::uint8_t planted, Vec3& root, std::span<Quat> rotations) {
  std::array<LegPose, 2> poses;
  std::array<LegReach, 2> reach;
  for (std::size_t side = 0; side < 2; ++side) poses[side] = look_at(legs_[side].foot, root, rotations);
  planted = keep_support(planted, poses);
  for (std::size_t side = 0; side < 2; ++side) {
    LegState& leg = legs_[side];
    LegPose& pose = poses[side];
    plan_foot(side, poses, planted);
    lift_foot(leg, pose, root, rotations);
    reach[side] = {
        leg.foot.thigh, leg.foot.shank, pose.hip, pose.ankle, ankle_target(pose.ankle, pose.now, pose.wanted),
        leg.held()};
  }
  poses_ = std::min(poses_ + 1, 2);
  // What a foot that lands or is let go asks of the root comes all at once; a body is not to be jerked by it.
  root_goal_ += (root_shift_for(reach, root_.value) - root_goal_) * (1 - std::exp(-seconds_ / kHeedSeconds));
  root_.step(root_goal_, seconds_, options_.root_seconds);
  root += root_.value;
  for (std::size_t side = 0; side < 2; ++side) {
    const FootPlace now{poses[side].now.heel + root_.value, poses[side].now.toe + root_.value};
    roll_over_toe(legs_[side], poses[side], now);
    const Vec3 axis = knee_axis_of(legs_[side], poses[side]);
    // A leg stretched by planting alone comes to its full length softly, or the knee would snap as the foot is let go.
    const float off = apart_on_floor(poses[side].now.heel, poses[side].wanted.heel);
    const float straightest = 1 - kStretchSoftly * smoothstep(off / kStretched);
    const float short_by =
        place_foot(*skeleton_, legs_[side].foot, root, rotations, axis, now, poses[side].wanted, straightest);
    if (options_.standing) {  // only then the floor is known
      raise_toes(*skeleton_, legs_[side].foot, soles_.feet[side], std::min(poses[side].sole, 0.0f), root, rotations);
    }
    const float most_short = legs_[1 - side].held() ? kOutOfReach : kAloneOutOfReach;
    if (short_by > most_short && legs_[side].held()) begin_step(legs_[side]);
  }
  return held_bits();
}

}  // namespace loom::polish
