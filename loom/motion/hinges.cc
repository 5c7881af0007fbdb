// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/hinges.h>

namespace loom::motion {
namespace {

constexpr float kWellBent = 0.34f;  // sine of the bend from which on it tells the axis: 20 degrees
constexpr float kHanging = 0.5f;    // cosine to the vertical below which a bone does not hang: 60 degrees
constexpr float kSameWay = 0.5f;    // cosine between the axis a motion shows and the one at rest, at least

/// The two bones of a limb, unit length, in the world.
struct Bones {
  Vec3 first, second;
};

Bones bones_of(const WorldPoses& poses, std::size_t frame, const Limb& limb) {
  const Vec3 a = poses.position(frame, index(limb.upper)), b = poses.position(frame, index(limb.middle));
  return {normalized(b - a), normalized(poses.position(frame, index(limb.end)) - b)};
}

/// Which way the body faces at rest: left × up.
Vec3 facing_at_rest(const std::vector<Vec3>& rest, const Body& body) {
  if (!body.has_legs()) return {0, 0, 1};
  Vec3 left = rest[index(body.left_leg.upper)] - rest[index(body.right_leg.upper)];
  left.y = 0;
  return normalized(cross(left, Vec3{0, 1, 0}), {0, 0, 1});
}

/// The axis a motion bends the limb about where it is well bent.
Vec3 shown_axis(const WorldPoses& poses, const Limb& limb) {
  Vec3 sum;
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const Bones bones = bones_of(poses, f, limb);
    const Vec3 bend = cross(bones.first, bones.second);
    if (length(bend) > kWellBent) sum += rotate(conjugate(poses.rotation(f, index(limb.upper))), bend);
  }
  return normalized(sum, {0, 0, 0});
}

}  // namespace

bool stands_at_rest(const Skeleton& skeleton, const Body& body) {
  if (!body.has_legs()) return false;
  const std::vector<Vec3> rest = rest_positions(skeleton);
  for (const Limb& leg : {body.left_leg, body.right_leg}) {
    const Vec3 thigh = rest[index(leg.middle)] - rest[index(leg.upper)];
    const Vec3 shank = rest[index(leg.end)] - rest[index(leg.middle)];
    if (-normalized(thigh).y < kHanging || -normalized(shank).y < kHanging) return false;
  }
  return true;
}

Vec3 hinge_axis_at_rest(const Skeleton& skeleton, const Body& body, const Limb& limb) {
  const std::vector<Vec3> rest = rest_positions(skeleton);
  const Vec3 facing = facing_at_rest(rest, body);
  const Vec3 first = rest[index(limb.middle)] - rest[index(limb.upper)];
  const bool is_arm = limb.end == body.left_arm.end || limb.end == body.right_arm.end;
  Vec3 pole = is_arm ? -facing : facing;
  if (!is_arm && limb.tip >= 0) {
    // Toes tell better than hips, unless the foot rests hanging or tucked away.
    Vec3 toes = rest[index(limb.tip)] - rest[index(limb.end)];
    toes.y = 0;
    if (dot(normalized(toes, {0, 0, 0}), facing) > kSameWay) pole = normalized(toes);
  }
  return normalized(cross(pole, first), {1, 0, 0});
}

Hinges find_hinges(const Skeleton& skeleton, const WorldPoses& poses) {
  const Body body = find_body(skeleton);
  const std::array<const Limb*, kHinges> limbs{&body.left_leg, &body.right_leg, &body.left_arm, &body.right_arm};
  const bool rest_tells = stands_at_rest(skeleton, body);
  Hinges hinges;
  for (std::size_t h = 0; h < kHinges; ++h) {
    if (!limbs[h]->complete()) continue;
    const Vec3 at_rest = hinge_axis_at_rest(skeleton, body, *limbs[h]), shown = shown_axis(poses, *limbs[h]);
    const bool believed = rest_tells ? dot(shown, at_rest) > kSameWay : length(shown) > 0;
    hinges[h] = Hinge{*limbs[h], believed ? shown : at_rest};
  }
  return hinges;
}

float signed_bend(const WorldPoses& poses, std::size_t frame, const Hinge& hinge) {
  const Bones bones = bones_of(poses, frame, hinge.limb);
  const Vec3 axis = rotate(poses.rotation(frame, index(hinge.limb.upper)), hinge.axis);
  return std::atan2(dot(cross(bones.first, bones.second), axis), dot(bones.first, bones.second));
}

}  // namespace loom::motion
