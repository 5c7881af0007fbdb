// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/bend_axis.h>
#include <loom/motion/contacts.h>
#include <loom/motion/hinges.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>

namespace loom::polish {
namespace {

// Share of the leg's length from which on the last bit of stretch is approached asymptotically, unless the leg is
// recorded straighter than that.
constexpr float kSoftenFrom = 0.99f;

// Radians. Further than this no foot is turned from where the motion has it.
constexpr float kMostTurned = 60 * kDegree;
// The same for a foot that stands upright, whichever way it is turned: the floor does not tell where it points.
constexpr float kMostTilted = 50 * kDegree;
// Metres on the floor from heel to toe; shorter than the first, its ends tell no way; shorter than the second in
// the motion, the foot stands upright and points nowhere; shorter than the third, it does not turn.
constexpr float kShortest = 0.02f, kFlat = 0.08f, kPoints = 0.06f;

// A leg that has to reach further than this share of its length has the foot roll over its toe, unless it is recorded
// straighter; and no steeper than that it is made to stand.
constexpr float kReach = 0.997f, kSteepest = 60 * kDegree;

// Radians that a foot may be turned round its shank against where the shank has it, and the share of a foot's length
// across the shank that tells its way.
constexpr float kMostRound = 75 * kDegree;
constexpr float kTellsWay = 0.5f;

// Metres. A planted point this far above where it stands keeps half of that height.
constexpr float kBobbing = 0.01f;

/// `apart` turned towards `own` so far that the angle between them is no larger than `most`.
Vec3 within(Vec3 apart, Vec3 own, float most) {
  const float angle = std::acos(std::clamp(dot(normalized(apart), normalized(own)), -1.0f, 1.0f));
  const Vec3 axis = cross(own, apart);
  if (angle <= most) return apart;
  if (length(axis) < 1e-6f) return normalized(own) * length(apart);
  return rotate(axis_angle(normalized(axis), most), normalized(own)) * length(apart);
}

/// How far a foot is turned round its shank from where the shank has it, radians; nothing where it goes on along it.
std::optional<float> turned_round(Vec3 toes, Vec3 shank_way, Quat shank, Quat foot) {
  const auto across = [&](Vec3 way) { return way - shank_way * dot(way, shank_way); };
  const Vec3 natural = across(rotate(shank, toes)), is = across(rotate(foot, toes));
  if (length(natural) < kTellsWay || length(is) < kTellsWay) return {};
  return std::atan2(dot(cross(natural, is), shank_way), dot(natural, is));
}

/// Where a point (a joint, or an end site after the joints) is in the world.
Vec3 point_position(const motion::Skeleton& skeleton, std::size_t point, Vec3 root, std::span<const Quat> rotations) {
  if (point < skeleton.size()) return motion::joint_frame(skeleton, static_cast<int>(point), root, rotations).position;
  const motion::EndSite& site = skeleton.end_sites()[point - skeleton.size()];
  const motion::JointFrame joint = motion::joint_frame(skeleton, site.joint, root, rotations);
  return joint.position + rotate(joint.rotation, site.offset);
}

}  // namespace

Result<std::array<Foot, 2>> find_feet(const motion::Skeleton& skeleton) {
  const Result<motion::FootPoints> points = motion::find_foot_points(skeleton);
  if (!points) return fail_from(points);
  const motion::Body body = motion::find_body(skeleton);
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  std::array<Foot, 2> feet;
  for (std::size_t side = 0; side < 2; ++side) {
    Foot& foot = feet[side];
    foot.leg = side == 0 ? body.left_leg : body.right_leg;
    foot.heel_part = 2 * side;
    foot.toe_part = 2 * side + 1;
    foot.heel = static_cast<std::size_t>((*points)[foot.heel_part]);
    foot.toe = static_cast<std::size_t>((*points)[foot.toe_part]);
    const Vec3 hip = rest[static_cast<std::size_t>(foot.leg.upper)],
               knee = rest[static_cast<std::size_t>(foot.leg.middle)];
    foot.thigh = distance(hip, knee);
    if (motion::stands_at_rest(skeleton, body)) foot.hinge = motion::hinge_axis_at_rest(skeleton, body, foot.leg);
    if (foot.hinge) {
      const Vec3 ankle = rest[static_cast<std::size_t>(foot.leg.end)];
      const Vec3 toe = foot.toe < skeleton.size() ? skeleton.joint(foot.toe).offset
                                                  : skeleton.end_sites()[foot.toe - skeleton.size()].offset;
      if (length(toe) > 0 && distance(ankle, knee) > 0) foot.toes = normalized(toe);
    }
    foot.shank = distance(knee, rest[static_cast<std::size_t>(foot.leg.end)]);
  }
  return feet;
}

FootPlace place_of(const motion::Skeleton& skeleton, const Foot& foot, Vec3 root, std::span<const Quat> rotations) {
  return {point_position(skeleton, foot.heel, root, rotations), point_position(skeleton, foot.toe, root, rotations)};
}

void keep_length(FootPlace& place, float length, float heel_share) {
  const Vec3 apart = place.toe - place.heel;
  const float now = loom::length(apart);
  if (now < 1e-6f) return;
  const Vec3 error = apart * ((length - now) / now);
  place.heel -= error * heel_share;
  place.toe += error * (1 - heel_share);
}

void keep_direction(FootPlace& place, Vec3 own, float heel_share) {
  const Vec3 apart = place.toe - place.heel;
  const float own_length = std::hypot(own.x, own.z), length = std::hypot(apart.x, apart.z);
  Vec3 kept = apart;
  if (own_length < kFlat) {
    kept = within(apart, own, kMostTilted);
  } else {
    const float turned = std::atan2(own.z * apart.x - own.x * apart.z, own.x * apart.x + own.z * apart.z);
    if (length >= kShortest && std::abs(turned) <= kMostTurned) return;
    // The ends have come too near each other, or past each other, to tell a way: then it is the motion's own.
    const float turn = length < kShortest ? 0.0f : std::copysign(kMostTurned, turned);
    kept = rotate(axis_angle({0, 1, 0}, turn), Vec3{own.x, 0, own.z});
    kept.y = apart.y;
  }
  const Vec3 error = kept - apart;
  place.heel -= error * heel_share;
  place.toe += error * (1 - heel_share);
}

float settled_height(float above) {
  const float lift = std::max(above, 0.0f);
  return lift * lift * lift / (lift * lift + kBobbing * kBobbing);
}

Quat foot_turn(const FootPlace& now, const FootPlace& wanted) {
  const Vec3 from = now.toe - now.heel, to = wanted.toe - wanted.heel;
  const bool has_length = length(from) > 1e-4f && length(to) > 1e-4f;
  return has_length ? rotation_between(from, to) : Quat{};
}

Vec3 ankle_target(Vec3 ankle, const FootPlace& now, const FootPlace& wanted) {
  return wanted.heel + rotate(foot_turn(now, wanted), ankle - now.heel);
}

void limit_turn(FootPlace& place, Vec3 before, float most, float heel_share) {
  Vec3 apart = place.toe - place.heel;
  const float points = std::min(kPoints, kTellsWay * length(apart));  // feet may be short
  before.y = apart.y = 0;
  if (length(before) < points || length(apart) < points) return;
  const float turn = std::atan2(before.z * apart.x - before.x * apart.z, dot(before, apart));
  if (std::abs(turn) <= most) return;
  const Vec3 error = rotate(axis_angle({0, 1, 0}, std::copysign(most, turn) - turn), apart) - apart;
  place.heel -= error * heel_share;
  place.toe += error * (1 - heel_share);
}

void limit_tilt(FootPlace& place, Vec3 before, float most, float heel_share) {
  const Vec3 apart = place.toe - place.heel;
  const Vec3 error = within(apart, before, most) - apart;
  place.heel -= error * heel_share;
  place.toe += error * (1 - heel_share);
}

void raise_heel(const Foot& foot, Vec3 hip, Vec3 ankle, float recorded, FootPlace& place) {
  const auto whole = static_cast<float>(foot.thigh + foot.shank);
  const float reach = std::clamp(recorded, kReach * whole, whole);
  Vec3 back = place.heel - place.toe;
  back.y = 0;
  if (distance(hip, ankle) <= reach || length(back) < kShortest) return;
  back = normalized(back);
  // In the upright plane of the foot: it keeps pointing where it does.
  const Vec3 axis = cross(back, {0, 1, 0}), to_ankle = ankle - place.toe, to_hip = hip - place.toe;
  const float ankle_up = std::atan2(to_ankle.y, dot(to_ankle, back)), hip_up = std::atan2(to_hip.y, dot(to_hip, back));
  const float aside = dot(to_ankle, axis) * dot(to_hip, axis);
  const float a = std::hypot(to_ankle.y, dot(to_ankle, back)), b = std::hypot(to_hip.y, dot(to_hip, back));
  if (a < 1e-3f || b < 1e-3f) return;
  // The angle at the toe at which the ankle is as far from the hip as the leg reaches.
  const float cosine = (dot(to_ankle, to_ankle) + dot(to_hip, to_hip) - reach * reach - 2 * aside) / (2 * a * b);
  const float turn = hip_up - ankle_up - std::acos(std::clamp(cosine, -1.0f, 1.0f));
  const float steep = std::asin(std::clamp((place.heel.y - place.toe.y) / length(place.heel - place.toe), -1.0f, 1.0f));
  const float most = std::max(0.0f, kSteepest - steep);
  place.heel = place.toe + rotate(axis_angle(axis, std::clamp(turn, 0.0f, most)), place.heel - place.toe);
}

float place_foot(const motion::Skeleton& skeleton, const Foot& foot, Vec3 root, std::span<Quat> rotations,
                 Vec3 knee_axis, const FootPlace& now, const FootPlace& wanted, float straightest) {
  const motion::JointFrame hip = motion::joint_frame(skeleton, foot.leg.upper, root, rotations);
  const motion::JointFrame ankle = motion::joint_frame(skeleton, foot.leg.end, root, rotations);
  const auto round = [&] {
    if (!foot.toes) return std::optional<float>();
    const motion::JointFrame shank = motion::joint_frame(skeleton, foot.leg.middle, root, rotations);
    const motion::JointFrame end = motion::joint_frame(skeleton, foot.leg.end, root, rotations);
    const Vec3 way = normalized(end.position - shank.position);
    return turned_round(*foot.toes, way, shank.rotation, end.rotation);
  };
  const std::optional<float> own_round = round();
  const Quat turn = foot_turn(now, wanted);
  const Vec3 target = ankle_target(ankle.position, now, wanted);
  const float recorded = distance(hip.position, ankle.position) / static_cast<float>(foot.thigh + foot.shank);
  const Vec3 knee = motion::joint_frame(skeleton, foot.leg.middle, root, rotations).position;
  const motion::TwoBoneOptions options{
      .pole = cross(target - hip.position, rotate(hip.rotation, knee_axis)),
      .soften_from = std::max(kSoftenFrom, std::min(recorded, straightest)),
      .straight_to = recorded,
      .most_bent = std::max(motion::kFullyBent, motion::limb_bend_angle(hip.position, knee, ankle.position)),
      .hinge = knee_axis};
  const float short_by = motion::solve_two_bone(skeleton, foot.leg, root, rotations, target, options);
  // The leg was bent without turning the foot in the world; now it turns by `turn` there, written in its own frame.
  Quat& local = rotations[static_cast<std::size_t>(foot.leg.end)];
  local = normalized(local * conjugate(ankle.rotation) * turn * ankle.rotation);
  // Both the motion and its planting may turn a foot, each no further than feet turn, and together they do.
  const float most = std::max(kMostRound, std::abs(own_round.value_or(0.0f)));
  if (const auto is_round = round(); is_round && std::abs(*is_round) > most) {
    const motion::JointFrame shank = motion::joint_frame(skeleton, foot.leg.middle, root, rotations);
    const Vec3 way = normalized(rotate(shank.rotation, skeleton.joint(static_cast<std::size_t>(foot.leg.end)).offset));
    const Quat back = axis_angle(way, std::copysign(most, *is_round) - *is_round);
    local = normalized(conjugate(shank.rotation) * back * shank.rotation * local);
  }
  return short_by;
}

}  // namespace loom::polish
