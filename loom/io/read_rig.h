// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/animated_scene.h>
#include <loom/io/raw_motion.h>
#include <loom/motion/rig.h>

namespace loom::io {

/// Reads the joints of every character in the file at `path`, with motion or without: .glb, .gltf, .vrm, .fbx, .dae,
/// .bvh, .amc, .asf, .sk, .skm. Names are as the file has them, up axis and unit too.
///
/// Fails as `read_motion` does, and where the file has no joints.
Result<std::vector<motion::Rig>> read_rigs(const std::string& path, const ReadOptions& options = {});

/// The characters of a scene: the joints of its skins with all above and below them, a rig for each tree they stand in.
/// Without a skin every node is a joint: figures are made of rigid parts too. Poses: that of the nodes, and that in
/// which the skins were bound where it differs. O(nodes).
Result<std::vector<motion::Rig>> rigs_of(const AnimatedScene& scene);

/// The rig of a motion: at rest, and in its first frame where that differs.
motion::Rig rig_of(const RawMotion& motion);

}  // namespace loom::io
