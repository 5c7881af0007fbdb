// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <loom/character/bone_body.h>
#include <loom/character/map_joints.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/rig.h>

namespace loom::character {
namespace {

BonePose operator*(const BonePose& outer, const BonePose& inner) {
  return {outer.position + rotate(outer.rotation, inner.position), normalized(outer.rotation * inner.rotation)};
}

/// `pose` as seen from `parent`.
BonePose seen_from(const BonePose& parent, const BonePose& pose) {
  const Quat back = conjugate(parent.rotation);
  return {rotate(back, pose.position - parent.position), normalized(back * pose.rotation)};
}

Result<void> check(std::span<const Bone> bones) {
  if (bones.empty()) return fail_as(ErrorKind::kBadInput, "the skeleton has no bones");
  if (bones.size() > motion::kMaxJoints) {
    return fail_as(ErrorKind::kBadInput, fmt::format("a skeleton may have {} bones", motion::kMaxJoints));
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b].parent < -1 || bones[b].parent >= static_cast<int>(b)) {
      return fail_as(ErrorKind::kBadInput, fmt::format("bone {} ('{}') comes before its parent", b, bones[b].name));
    }
    const Quat turn = bones[b].rest.rotation;
    if (!is_finite(bones[b].rest.position) || !is_finite(turn) || !(dot(turn, turn) > 1e-6f)) {
      return fail_as(ErrorKind::kBadInput, fmt::format("bone {} ('{}') is nowhere at rest", b, bones[b].name));
    }
  }
  return {};
}

motion::Rig rig_of(std::span<const Bone> bones, std::span<const BonePose> at_rest) {
  motion::Rig rig;
  rig.poses.emplace_back();
  rig.turns.emplace_back();
  for (std::size_t b = 0; b < bones.size(); ++b) {
    rig.joints.push_back({bones[b].name, bones[b].parent, false});
    rig.poses[0].push_back(at_rest[b].position);
    rig.turns[0].push_back(at_rest[b].rotation);
  }
  return rig;
}

/// Names that a skeleton may have: unique, not empty.
std::string joint_name(const std::vector<motion::Joint>& joints, const Bone& bone, std::size_t number) {
  const bool taken = bone.name.empty() || std::any_of(joints.begin(), joints.end(),
                                                      [&](const motion::Joint& j) { return j.name == bone.name; });
  return taken ? fmt::format("{}@{}", bone.name, number) : bone.name;
}

}  // namespace

Result<BoneBody> BoneBody::create(std::vector<Bone> bones, const std::optional<MapFile>& by_hand) {
  if (const auto sound = check(bones); !sound) return fail_from(sound);
  BoneBody made;
  made.at_rest_.resize(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) {
    bones[b].rest.rotation = normalized(bones[b].rest.rotation);
    const int parent = bones[b].parent;
    made.at_rest_[b] = parent < 0 ? bones[b].rest : made.at_rest_[static_cast<std::size_t>(parent)] * bones[b].rest;
  }
  const motion::Rig rig = rig_of(bones, made.at_rest_);
  auto map = map_joints(rig);
  if (!map) return fail_from(map);
  if (by_hand) {
    map = put_right(std::move(*map), rig, *by_hand);
    if (!map) return fail_from(map);
  }
  if (!map->human) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("the skeleton is no human's: no {}", fmt::join(map->missing, ", no ")));
  }
  const int hips = map->of(Role::kHips).joint;
  std::vector<motion::Joint> joints;
  made.joint_of_.assign(bones.size(), -1);
  for (std::size_t b = static_cast<std::size_t>(hips); b < bones.size(); ++b) {
    const bool is_hips = static_cast<int>(b) == hips;
    const int parent = is_hips               ? -1
                       : bones[b].parent < 0 ? -1
                                             : made.joint_of_[static_cast<std::size_t>(bones[b].parent)];
    if (!is_hips && parent < 0) continue;
    const Vec3 offset =
        is_hips ? Vec3{}
                : made.at_rest_[b].position - made.at_rest_[static_cast<std::size_t>(bones[b].parent)].position;
    made.joint_of_[b] = static_cast<int>(joints.size());
    made.bone_of_.push_back(static_cast<int>(b));
    joints.push_back({joint_name(joints, bones[b], b), parent, offset});
  }
  const auto to_joint = [&](int& bone) { bone = bone < 0 ? -1 : made.joint_of_[static_cast<std::size_t>(bone)]; };
  for (std::size_t r = 0; r < kRoles; ++r) {
    const int bone = map->joints[r].joint;
    to_joint(map->joints[r].joint);
    if (bone >= 0 && map->joints[r].joint < 0) {
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("bone '{}' ({}) does not hang from the hips ('{}'), and cannot be moved with them",
                                 bones[static_cast<std::size_t>(bone)].name, kRoleNames[r],
                                 bones[static_cast<std::size_t>(hips)].name));
    }
  }
  for (TwistJoint& twist : map->twists) to_joint(twist.joint);
  std::erase_if(map->twists, [](const TwistJoint& twist) { return twist.joint < 0; });
  map->fingers.clear();
  auto skeleton = motion::Skeleton::create(std::move(joints), {});
  if (!skeleton) return fail_from(skeleton);
  auto body = look_at_body(std::make_shared<const motion::Skeleton>(std::move(*skeleton)), *map);
  if (!body) return fail_from(body);
  made.body_ = std::move(*body);
  made.bones_ = std::move(bones);
  made.now_.resize(made.bones_.size());
  made.positions_.resize(made.body_.skeleton->point_count());
  made.world_.resize(made.body_.skeleton->size());
  return made;
}

int BoneBody::bone_of(Role role) const {
  const int joint = body_.of(role);
  return joint < 0 ? -1 : bone_of_[static_cast<std::size_t>(joint)];
}

void BoneBody::write(Vec3 root, std::span<const Quat> rotations, std::span<BonePose> local, std::span<BonePose> model) {
  motion::forward_kinematics(*body_.skeleton, root, rotations, positions_, world_);
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const int parent = bones_[b].parent;
    if (joint_of_[b] >= 0) {
      const auto joint = static_cast<std::size_t>(joint_of_[b]);
      now_[b] = {positions_[joint], normalized(world_[joint] * at_rest_[b].rotation)};
    } else {
      now_[b] = parent < 0 ? bones_[b].rest : now_[static_cast<std::size_t>(parent)] * bones_[b].rest;
    }
    if (!local.empty()) local[b] = parent < 0 ? now_[b] : seen_from(now_[static_cast<std::size_t>(parent)], now_[b]);
    if (!model.empty()) model[b] = now_[b];
  }
}

}  // namespace loom::character
