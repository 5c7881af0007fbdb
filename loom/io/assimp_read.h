// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/animated_scene.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// Reads FBX, Collada and whatever else Assimp knows, every animation of every body (see `motions_of`).
///
/// Assimp was not written for hostile files, so it runs in a process of its own, `loom-assimp-worker`, with bounded
/// memory and time, and whatever becomes of that, the caller gets motions or an error. The library itself is not
/// linked with Assimp. The worker is looked for where LOOM_ASSIMP_WORKER says, beside the running program, in
/// ../libexec/motionloom from there, and where it was built or installed.
///
/// Fails where the worker is missing, crashes, takes too long or too much, or finds no motion.
Result<std::vector<RawMotion>> read_with_assimp(const std::string& path);

/// The same file as a scene: its nodes and skins, whether it has animations or none.
Result<AnimatedScene> read_scene_with_assimp(const std::string& path);

/// The same file made into the bytes of a .glb, with its meshes, skins, materials and embedded textures.
Result<std::string> read_glb_with_assimp(const std::string& path);

/// Where the worker is. Fails, saying where it was looked for.
Result<std::string> find_assimp_worker();

}  // namespace loom::io
