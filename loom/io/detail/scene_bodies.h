// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/animated_scene.h>

namespace loom::io {

/// One body found in a scene: which nodes are its joints and where its bones end.
struct SceneBody {
  std::string name;
  std::vector<int> joints;  ///< nodes, parents before children; the first is the root, all others lie below it
  std::vector<int> ends;    ///< nodes that are end sites of these joints
};

/// Checks the hierarchy: parents within range, no cycle, no chain too deep to be true, skins and tracks that name
/// nodes there are.
Result<void> check_hierarchy(const AnimatedScene& scene);

/// Finds the bodies of a scene that `check_hierarchy` has passed, as told at `motions_of`. May add to the scene's
/// warnings. Fails where a body has more joints than a skeleton may have. About O(nodes).
Result<std::vector<SceneBody>> find_bodies(AnimatedScene& scene);

/// Whether the keys of a track differ by more than `tolerance` from the first.
bool varies(const KeyTrack<Quat>& track, float tolerance);
bool varies(const KeyTrack<Vec3>& track, float tolerance);

/// Rotations whose quaternions differ by less than this are held to stand still.
inline constexpr float kStillRotation = 1e-6f;

}  // namespace loom::io
