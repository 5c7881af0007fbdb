// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

// A limb bent by less than this (as a sine, 6 degrees) is so straight that its own plane is mostly noise; towards
// straight the plane a knee or an elbow naturally bends in takes over.
constexpr float kNearlyStraight = 0.1f;
constexpr float kFolded = 1e-5f;        // the same for a limb folded back on itself
constexpr float kShortestBone = 1e-6f;  // metres

/// The part of `v` across the unit vector `axis`.
Vec3 across(Vec3 v, Vec3 axis) { return v - axis * dot(v, axis); }

/// Any unit vector across the unit vector `axis`.
Vec3 any_across(Vec3 axis) {
  return normalized(std::abs(axis.x) < 0.7f ? cross(axis, Vec3{1, 0, 0}) : cross(axis, Vec3{0, 1, 0}));
}

/// From the end joint to its tip, or to whatever hangs from it, in the frame of the end joint.
Vec3 foot_or_hand(const Skeleton& skeleton, const Limb& limb) {
  if (limb.tip > 0) return skeleton.joint(index(limb.tip)).offset;
  for (const EndSite& site : skeleton.end_sites()) {
    if (site.joint == limb.end) return site.offset;
  }
  return {};
}

/// Where the knee or elbow of a straight limb points, in the world: a foot stands out from its shin and the knee bends
/// towards its toes; a hand goes on along its forearm and the elbow bends backwards, on a body that faces +Z at rest.
Vec3 natural_pole(const Skeleton& skeleton, const Limb& limb, Quat end, Quat upper_parent) {
  const Vec3 tip = normalized(foot_or_hand(skeleton, limb), {0, 0, 0});
  const Vec3 bone = normalized(skeleton.joint(index(limb.end)).offset);
  const bool is_foot = length(tip) > 0 && dot(tip, bone) < 0.7f;
  return is_foot ? rotate(end, tip) : rotate(upper_parent, Vec3{0, 0, -1});
}

/// How far apart the limb's ends are to be for a target at `wanted`.
double reach_for(double wanted, double a, double b, const TwoBoneOptions& options) {
  const double full = a + b, soft = std::clamp<double>(options.soften_from, 0, 1) * full;
  double reach = wanted;
  if (wanted > soft && soft < full) reach = soft + (full - soft) * (1 - std::exp((soft - wanted) / (full - soft)));
  reach = std::max(reach, std::min<double>(wanted, options.straight_to * full));
  const double folded = std::sqrt(std::max(0.0, a * a + b * b + 2 * a * b * std::cos(options.most_bent)));
  return std::clamp(reach, std::max(folded, std::abs(a - b)), full);
}

/// How far the second bone is turned from going straight on, for ends `d` apart: the law of cosines in its half-angle
/// form, which keeps its precision at both ends.
double bend_for(double d, double a, double b) {
  const double open = d * d - (a - b) * (a - b), shut = (a + b) * (a + b) - d * d;
  return 2 * std::atan2(std::sqrt(std::max(shut, 0.0)), std::sqrt(std::max(open, 0.0)));
}

/// The axis the limb bends about: turning the second bone by a positive angle about it bends the limb more.
Vec3 bend_axis(Vec3 first, Vec3 second, Vec3 pole) {
  const Vec3 own = cross(first, second);  // as long as the sine of the bend
  const float bent = length(own) / kNearlyStraight;
  // A folded limb has little but its own plane to go by, and has it as exactly as floats are.
  const bool folded = dot(first, second) < 0 && length(own) > kFolded;
  if (bent >= 1 || folded) return normalized(own);
  const Vec3 natural = across(cross(pole, first), first);
  const Vec3 mixed = own + normalized(natural, {0, 0, 0}) * (0.5f * kNearlyStraight * (1 - smoothstep(bent)));
  return normalized(across(mixed, first), any_across(first));
}

/// The rotation from direction `from` to direction `to`; where they are opposed it goes about `axis`.
Quat swing(Vec3 from, Vec3 to, Vec3 axis) {
  if (dot(from, to) > -0.999f) return rotation_between(from, to);
  const Quat half_turn = axis_angle(axis, kPi);
  return rotation_between(rotate(half_turn, from), to) * half_turn;
}

/// The turn about `axis` that brings the part of `from` across it in line with that of `to`.
Quat twist_towards(Vec3 axis, Vec3 from, Vec3 to) {
  const Vec3 a = across(from, axis), b = across(to, axis);
  if (length(a) < 1e-5f || length(b) < 1e-5f) return {};
  return axis_angle(axis, std::atan2(dot(cross(a, b), axis), dot(a, b)));
}

}  // namespace

float solve_two_bone(const Skeleton& skeleton, const Limb& limb, Vec3 root, std::span<Quat> rotations, Vec3 target,
                     const TwoBoneOptions& options) {
  const JointFrame upper = joint_frame(skeleton, limb.upper, root, rotations);
  const JointFrame middle = joint_frame(skeleton, limb.middle, root, rotations);
  const JointFrame end = joint_frame(skeleton, limb.end, root, rotations);
  const float a = distance(upper.position, middle.position), b = distance(middle.position, end.position);
  if (a < kShortestBone || b < kShortestBone) return distance(end.position, target);

  const Quat upper_parent = upper.rotation * conjugate(rotations[index(limb.upper)]);
  const Vec3 first = (middle.position - upper.position) / a, second = (end.position - middle.position) / b;
  const Vec3 pole = options.pole ? *options.pole : natural_pole(skeleton, limb, end.rotation, upper_parent);
  const Vec3 axis = options.hinge ? normalized(across(rotate(upper.rotation, *options.hinge), first), any_across(first))
                                  : bend_axis(first, second, pole);

  // Bend the middle joint until the ends of the limb are as far apart as the target is.
  const Vec3 to_target = target - upper.position;
  const double d = reach_for(length(to_target), a, b, options);
  const auto bend = static_cast<float>(bend_for(d, a, b));
  const float bent = std::atan2(dot(cross(first, second), axis), dot(first, second));
  const Vec3 wanted = rotate(axis_angle(axis, bend), first);
  const Quat turn = axis_angle(axis, bend - bent);
  const Quat bend_by = rotation_between(rotate(turn, second), wanted) * turn;

  // Swing the whole limb so that its end lies in the direction of the target.
  const Vec3 chord = first * a + wanted * b;
  Quat swing_by;
  if (length(chord) > 1e-6f && length(to_target) > 1e-6f) {
    const Vec3 direction = normalized(to_target);
    swing_by = swing(normalized(chord), direction, axis);
    if (options.pole) swing_by = twist_towards(direction, rotate(swing_by, first), *options.pole) * swing_by;
  }

  // Write it back as local rotations; what hangs between the three joints goes along.
  Quat& q_upper = rotations[index(limb.upper)];
  Quat& q_middle = rotations[index(limb.middle)];
  Quat& q_end = rotations[index(limb.end)];
  const Quat middle_parent = middle.rotation * conjugate(q_middle);
  const Quat end_parent = swing_by * bend_by * end.rotation * conjugate(q_end);
  q_upper = normalized(conjugate(upper_parent) * swing_by * upper.rotation);
  q_middle = normalized(conjugate(middle_parent) * bend_by * middle.rotation);
  q_end = normalized(conjugate(end_parent) * end.rotation);
  return distance(upper.position + rotate(swing_by, chord), target);
}

}  // namespace loom::motion
