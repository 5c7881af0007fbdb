// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/character/map_joints.h>
#include <loom/io/animated_scene.h>
#include <loom/io/gltf_model.h>
#include <loom/motion/clip.h>
#include <loom/motion/rig.h>

namespace loom::character {

/// A rigged model as motion sees it: a human body in metres, and how its joints stand for the nodes of the file.
///
/// The skeleton begins at the hips; nodes above them stay where they are, but for joints of a skin, which go along over
/// the floor: what is bound to them must not be left behind. It is hung together as a human is, whatever
/// the file does: rigs for inverse kinematics hang feet from the root and thighs from the spine. Such a joint gets keys
/// for its place in the file, so that all of it comes out the same.
struct RiggedCharacter {
  std::string name;
  HumanBody body;
  JointMap map;  ///< joints of `rig`
  motion::Rig rig;
  float metres_per_unit = 1;
  std::vector<int> rig_joints;  ///< by joint of the skeleton
  std::vector<Quat> turns;      ///< by joint of the skeleton: the node's orientation in the pose it is looked at in
  int carrier = -1;             ///< the topmost joint of a skin above the hips, in the rig; -1 where there is none
  Vec3 hips;                    ///< where they are in that pose, metres
  std::vector<std::string> warnings;  ///< in full sentences
};

/// The character in `scene` whose joints are `rig` (one of `io::rigs_of`) and are told apart by `map`. It is looked at
/// in the pose of the file that shows it best: upright, alike left and right. Fails where it is no human, saying what
/// it lacks.
Result<RiggedCharacter> rig_character(const io::AnimatedScene& scene, motion::Rig rig, JointMap map);

/// What one node does at one instant, as a child of its parent in the file and in the file's units.
struct NodePose {
  Vec3 translation;
  Quat rotation;
};

/// Poses of a character's skeleton as what the nodes of its file do, one pose after the other: for whatever shows the
/// file itself. The character must outlive it. Allocates nothing once made; not for several threads at once.
class NodePoser {
 public:
  explicit NodePoser(const RiggedCharacter& character);

  /// The nodes that are moved: those of the skeleton's joints, in their order, then that of the carrier where there is
  /// one. All others stay as the file has them.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  /// One pose; `to` has room for one a node.
  void pose(Vec3 root, std::span<const Quat> rotations, std::span<NodePose> to);

 private:
  const RiggedCharacter& character_;
  std::vector<int> nodes_;
  std::vector<int> number_;  ///< by joint of the rig that of the skeleton; -1 where it has none
  std::vector<bool> along_;  ///< by joint of the rig whether it is the carrier or lies between it and the hips
  std::vector<Vec3> places_;
  std::vector<Quat> world_;
};

/// `clip`, which is on the character's skeleton, as what the nodes of its file do.
io::NodeAnimation node_animation(const RiggedCharacter& character, const motion::Clip& clip);

/// Where the vertices of `mesh` are in a frame of `animation`, in the units of the file: what any viewer shows.
std::vector<Vec3> pose_mesh(const io::AnimatedScene& scene, const io::ModelMesh& mesh,
                            const io::NodeAnimation& animation, std::size_t frame);

/// Takes the shape of the feet from the surface around them: how deep the soles lie below the ankles, and how far back
/// they reach. Feet without a surface stay as they are.
void fit_feet(RiggedCharacter& character, const io::AnimatedScene& scene, const io::ModelMesh& mesh);

}  // namespace loom::character
