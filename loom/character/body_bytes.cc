// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <loom/base/bytes.h>
#include <loom/character/body_bytes.h>
#include <loom/motion/skeleton_blob.h>

namespace loom::character {
namespace {

constexpr float kLongest = 1000;  ///< metres: no leg and no foot is longer
constexpr float kUnit = 1e-3f;    ///< by how much a turn may differ from length one

struct StoredTwist {
  std::int32_t of = 0, joint = 0;
};

bool is_place(Vec3 v) {
  return is_finite(v) && std::abs(v.x) <= kLongest && std::abs(v.y) <= kLongest && std::abs(v.z) <= kLongest;
}

bool is_length(float metres) { return metres > 0 && metres <= kLongest; }

/// Whether `inner` is `outer` or lies between it and the root.
bool hangs_from(const motion::Skeleton& skeleton, int outer, int inner) {
  for (int j = outer; j >= 0; j = skeleton.joint(static_cast<std::size_t>(j)).parent) {
    if (j == inner) return true;
  }
  return false;
}

/// What a Transfer relies on; empty when it holds.
std::string find_fault(const HumanBody& body) {
  const auto joints = static_cast<int>(body.skeleton->size());
  const auto is_joint = [&](int joint) { return joint >= 0 && joint < joints; };
  for (const int joint : body.joints) {
    if (joint != -1 && !is_joint(joint)) return "a part is no joint of it";
  }
  for (const Role role :
       {Role::kHips, Role::kLeftThigh, Role::kRightThigh, Role::kLeftUpperArm, Role::kRightUpperArm}) {
    if (body.of(role) < 0) return "it has no " + std::string(role_name(role));
  }
  for (const std::vector<int>* chain : {&body.trunk, &body.neck}) {
    for (std::size_t i = 0; i < chain->size(); ++i) {
      if (!is_joint((*chain)[i]) || (i > 0 && (*chain)[i] <= (*chain)[i - 1])) return "its back is not in order";
    }
  }
  for (const TwistJoint& twist : body.twists) {
    if (!is_joint(twist.joint) || body.of(twist.of) < 0) return "a twist joint lies on no bone";
    if (!hangs_from(*body.skeleton, twist.joint, body.of(twist.of))) return "a twist joint lies on no bone";
  }
  if (body.frames.size() != body.skeleton->size()) return "it has not as many frames as joints";
  for (const Quat& frame : body.frames) {
    if (!is_finite(frame) || std::abs(dot(frame, frame) - 1) > kUnit) return "a frame is no turn";
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (!is_length(body.leg[side])) return "a leg has no length";
    const FootShape& foot = body.feet[side];
    for (const Vec3 place : {foot.heel, foot.ball, foot.toe, foot.tip}) {
      if (!is_place(place)) return "a foot has no shape";
    }
    if (!body.has_foot[side]) continue;
    int outer = -1;
    for (const Role role : {Role::kLeftFoot, Role::kLeftShin, Role::kLeftThigh}) {
      const int joint = body.joints[static_cast<std::size_t>(role) + side];
      if (joint < 0 || joint == outer || (outer >= 0 && !hangs_from(*body.skeleton, outer, joint))) {
        return "a leg is no leg";
      }
      outer = joint;
    }
  }
  return is_length(body.hip_height) ? std::string{} : "its hips are at no height";
}

tl::unexpected<Error> damaged(const std::string& how) {
  return fail_as(ErrorKind::kDamaged, "the body is damaged: " + how);
}

}  // namespace

std::vector<std::byte> to_bytes(const HumanBody& body) {
  ByteWriter out;
  out.array(std::span<const std::byte>(motion::to_blob(*body.skeleton)));
  out.value(body.joints);
  out.array(std::span<const int>(body.trunk));
  out.array(std::span<const int>(body.neck));
  std::vector<StoredTwist> twists;
  for (const TwistJoint& twist : body.twists) twists.push_back({static_cast<std::int32_t>(twist.of), twist.joint});
  out.array(std::span<const StoredTwist>(twists));
  out.array(std::span<const Quat>(body.frames));
  out.value(body.leg);
  out.value(body.hip_height);
  out.value(body.feet);
  for (const bool foot : body.has_foot) out.value<std::uint8_t>(foot ? 1 : 0);
  return out.take();
}

Result<HumanBody> human_body_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  auto skeleton = motion::skeleton_from_blob(in.array<std::byte>());
  if (!skeleton) return fail_from(skeleton);
  HumanBody body;
  body.skeleton = std::make_shared<const motion::Skeleton>(std::move(*skeleton));
  body.joints = in.value<decltype(body.joints)>();
  body.trunk = in.array<int>();
  body.neck = in.array<int>();
  for (const StoredTwist& twist : in.array<StoredTwist>()) {
    if (twist.of < 0 || static_cast<std::size_t>(twist.of) >= kRoles) return damaged("a twist joint lies on no bone");
    body.twists.push_back({static_cast<Role>(twist.of), twist.joint});
  }
  body.frames = in.array<Quat>();
  body.leg = in.value<decltype(body.leg)>();
  body.hip_height = in.value<float>();
  body.feet = in.value<decltype(body.feet)>();
  for (bool& foot : body.has_foot) foot = in.value<std::uint8_t>() != 0;
  if (!in.finished()) return damaged("it ends too soon or too late");
  if (const std::string fault = find_fault(body); !fault.empty()) return damaged(fault);
  return body;
}

}  // namespace loom::character
