// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/key_track.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

inline constexpr int kNoNode = -1;

/// One node of a scene file: a transform below another, and what it is used for.
struct SceneNode {
  std::string name;
  int parent = kNoNode;  ///< any other node; the scene's checks refuse a cycle
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
  /// The orientation of the node in the space of its skin when the mesh was bound to it.
  std::optional<Quat> bind;
  bool end_site = false;   ///< no joint, but where its parent's bone ends
  bool ornament = false;   ///< a mesh, camera or light: no joint unless it is animated or lies above one
  bool container = false;  ///< wraps the whole file, such as the root Assimp adds: no joint unless it is animated
  std::string human{};     ///< which bone of a human the file says it is, in the words of VRM; empty: it says nothing
};

/// The nodes that bend one mesh.
struct SceneSkin {
  std::string name;
  std::vector<int> joints;  ///< nodes, in the order the file lists them
};

/// What an animation does to one node.
struct NodeTracks {
  int node = 0;
  KeyTrack<Quat> rotation;
  KeyTrack<Vec3> translation;
  KeyTrack<Vec3> scale;
};

/// A label on an animation, and which body it is for.
struct SceneLabel {
  motion::Label label;
  std::string body;  ///< the name of a skin; empty for all bodies
};

struct SceneAnimation {
  std::string name;
  std::vector<NodeTracks> tracks;  ///< at most one entry a node
  std::optional<double> rate;      ///< Hz, where the file tells it; else it is guessed from the keys
  std::vector<SceneLabel> labels;
};

/// An animated scene: what glTF, FBX and Collada have in common. A reader fills one from its file without further
/// thought, and `motions_of` finds the bodies in it.
struct AnimatedScene {
  std::vector<SceneNode> nodes;
  std::vector<SceneSkin> skins;
  std::vector<SceneAnimation> animations;
  std::optional<double> metres_per_unit;
  std::optional<int> up_axis;
  std::vector<std::string> warnings;
  std::size_t file_bytes = 0;  ///< the size of the file: how much motion may be made from it follows from that
};

/// The motions in a scene: one for each animation and each body that it moves.
///
/// - Bodies: the joints of each skin, together with the nodes between them and animated nodes above them; skins that
///   share joints are one body. Without skins, what lies below the animated nodes.
/// - What stands still above a body (an armature turned and scaled to 0.01) is multiplied into its root, and scales
///   into the offsets. A scale that differs by axis or changes over time is averaged, and told.
/// - Joints keep the order the skin lists them in where parents come first, else the order of the hierarchy.
/// - The rest pose is the skin's bind pose where there is one, else the nodes' own transforms.
/// - Keys become frames at the rate the file tells or the keys let guess.
///
/// Fails on indices out of range, cyclic parents, a scene without animation, an animation too long to be true.
/// Memory is bounded by a fixed amount plus a few times `file_bytes`.
Result<std::vector<RawMotion>> motions_of(AnimatedScene scene);

}  // namespace loom::io
