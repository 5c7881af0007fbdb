// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include <loom/live/live_body.h>
#include <loom/live/packets/human_bones.h>

namespace loom::live {
namespace {

using character::Role;

/// From the parent, in shares of the height, in the order of the roles; of pairs the left one.
struct Bone {
  Role role;
  Vec3 offset;
};
constexpr Bone kBones[] = {
    {Role::kHips, {0, 0, 0}},
    {Role::kSpine, {0, 0.060f, 0}},
    {Role::kChest, {0, 0.115f, 0}},
    {Role::kNeck, {0, 0.125f, 0}},
    {Role::kHead, {0, 0.055f, 0.010f}},
    {Role::kLeftShoulder, {0.020f, 0.100f, 0}},
    {Role::kLeftUpperArm, {0.109f, 0.013f, 0}},
    {Role::kLeftForearm, {0.186f, 0, 0}},
    {Role::kLeftHand, {0.146f, 0, 0}},
    {Role::kLeftThigh, {0.050f, 0, 0}},
    {Role::kLeftShin, {0, -0.245f, 0}},
    {Role::kLeftFoot, {0, -0.246f, 0}},
    {Role::kLeftToe, {0, -0.030f, 0.090f}},
};

}  // namespace

Result<character::HumanBody> make_live_body(float height) {
  if (!(height >= 0.5f && height <= 3)) return fail_setting({"height"}, "a body is between 0.5 and 3 metres high");
  std::vector<motion::Joint> joints(character::kRoles);
  const auto place = [&](Role role, Vec3 offset) {
    const auto r = static_cast<std::size_t>(role);
    const auto parent = parent_of(role);
    joints[r] = {std::string(kUnityBones[r]), parent ? static_cast<int>(*parent) : motion::kNoParent, offset * height};
  };
  for (const Bone& bone : kBones) {
    place(bone.role, bone.offset);
    if (bone.role < Role::kLeftShoulder) continue;
    place(static_cast<Role>(static_cast<int>(bone.role) + 1), {-bone.offset.x, bone.offset.y, bone.offset.z});
  }
  std::vector<motion::EndSite> ends;
  const auto end = [&](Role role, Vec3 offset) { ends.push_back({static_cast<int>(role), offset * height}); };
  end(Role::kHead, {0, 0.115f, 0});
  end(Role::kLeftHand, {0.108f, 0, 0});
  end(Role::kRightHand, {-0.108f, 0, 0});
  end(Role::kLeftToe, {0, 0, 0.045f});
  end(Role::kRightToe, {0, 0, 0.045f});
  auto skeleton = motion::Skeleton::create(std::move(joints), std::move(ends));
  if (!skeleton) return fail_from(skeleton);
  character::JointMap map;
  map.human = true;
  for (std::size_t r = 0; r < character::kRoles; ++r) map.joints[r] = {static_cast<int>(r), 1};
  return character::look_at_body(std::make_shared<const motion::Skeleton>(std::move(*skeleton)), map);
}

}  // namespace loom::live
