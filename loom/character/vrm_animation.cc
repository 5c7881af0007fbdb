// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/character/vrm_animation.h>
#include <loom/io/vrma_write.h>
#include <loom/motion/kinematics.h>

namespace loom::character {
namespace {

/// A bone of VRM, the joint it is and the bone it hangs from.
struct Bone {
  std::string name;
  int joint = -1, parent = -1;
};

/// Puts the bones of a body together, parents first.
class BoneList {
 public:
  explicit BoneList(const HumanBody& body) : body_(body) {
    const int hips = add("hips", body.of(Role::kHips), -1);
    int top = hips;
    if (!body.trunk.empty()) top = add("spine", body.trunk.front(), top);
    if (body.trunk.size() > 2) top = add("chest", body.trunk[body.trunk.size() / 2], top);
    if (body.trunk.size() > 1) top = add(body.trunk.size() > 2 ? "upperChest" : "chest", body.trunk.back(), top);
    const int neck = body.neck.empty() ? top : add("neck", body.neck.front(), top);
    add("head", body.of(Role::kHead), neck);
    for (const int right : {0, 1}) {
      chain(right, top,
            {{{"Shoulder", Role::kLeftShoulder},
              {"UpperArm", Role::kLeftUpperArm},
              {"LowerArm", Role::kLeftForearm},
              {"Hand", Role::kLeftHand}}});
      chain(right, hips,
            {{{"UpperLeg", Role::kLeftThigh},
              {"LowerLeg", Role::kLeftShin},
              {"Foot", Role::kLeftFoot},
              {"Toes", Role::kLeftToe}}});
    }
  }

  [[nodiscard]] const std::vector<Bone>& bones() const { return bones_; }

  /// Of what VRM 1.0 requires; empty where all is there.
  [[nodiscard]] std::string missing() const {
    for (const char* needed :
         {"hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm",
          "rightHand", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot"}) {
      if (std::none_of(bones_.begin(), bones_.end(), [&](const Bone& bone) { return bone.name == needed; }))
        return needed;
    }
    return {};
  }

 private:
  int add(std::string name, int joint, int parent) {
    if (joint < 0) return parent;
    bones_.push_back({std::move(name), joint, parent});
    return static_cast<int>(bones_.size()) - 1;
  }

  void chain(int right, int from, const std::array<std::pair<const char*, Role>, 4>& parts) {
    for (const auto& [name, role] : parts) {
      const int joint = body_.of(static_cast<Role>(static_cast<int>(role) + right));
      from = add((right == 0 ? "left" : "right") + std::string(name), joint, from);
    }
  }

  const HumanBody& body_;
  std::vector<Bone> bones_;
};

}  // namespace

Result<std::string> vrm_animation(const HumanBody& body, const motion::Clip& clip, float floor) {
  if (clip.joints() != body.skeleton->size()) return fail("the clip is on another body");
  const BoneList list(body);
  if (const std::string missing = list.missing(); !missing.empty()) {
    return fail_as(ErrorKind::kBadInput, fmt::format("VRM requires a bone that the body has not: {}", missing));
  }
  const std::vector<Vec3> rest = motion::rest_positions(*body.skeleton);
  io::HumanMotion motion{clip.name, clip.rate, {}, {}};
  for (const Bone& bone : list.bones()) {
    Vec3 offset;
    if (bone.parent >= 0) {
      // At rest a part is turned from the canonical body by its frame: turned back, bones point as in T-pose.
      const int above = list.bones()[index(bone.parent)].joint;
      offset = rotate(conjugate(body.frames[index(above)]), rest[index(bone.joint)] - rest[index(above)]);
    }
    motion.bones.push_back({bone.name, bone.parent, offset, {}});
  }
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const auto part = [&](std::size_t f, int joint) {
    return poses.rotation(f, index(joint)) * body.frames[index(joint)];
  };
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (std::size_t b = 0; b < list.bones().size(); ++b) {
      const Bone& bone = list.bones()[b];
      const Quat above = bone.parent < 0 ? Quat{} : part(f, list.bones()[index(bone.parent)].joint);
      motion.bones[b].rotations.push_back(normalized(conjugate(above) * part(f, bone.joint)));
    }
    motion.hips.push_back(poses.position(f, index(body.of(Role::kHips))) - Vec3{0, floor, 0});
  }
  // How high the hips are in T-pose: players scale the way by it.
  const int hips = body.of(Role::kHips);
  const Vec3 thighs = (rest[index(body.of(Role::kLeftThigh))] + rest[index(body.of(Role::kRightThigh))]) * 0.5f;
  const Vec3 down = rotate(conjugate(body.frames[index(hips)]), thighs - rest[index(hips)]);
  motion.bones[0].offset = Vec3{0, body.hip_height - down.y, 0};
  return io::format_vrma(motion);
}

}  // namespace loom::character
