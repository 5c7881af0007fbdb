// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// Reads every motion in the file at `path`; the format is taken from the ending (.bvh, .amc, .skm, .glb, .gltf,
/// .fbx, .dae and what else Assimp reads). Most formats hold one motion; glTF and FBX may hold several.
///
/// Fails with file, line where there is one, and what was expected. Never crashes and never takes more than a few
/// times the file's size in memory, whatever the file.
Result<std::vector<ReadClip>> read_motion(const std::string& path, const ReadOptions& options = {});

/// Reads a skeleton that comes without motion, an ASF or SK file, as one frame at rest: to look at it.
Result<ReadClip> read_skeleton(const std::string& path, const ReadOptions& options = {});

/// Whether `read_motion` knows this ending. A skeleton alone is no motion: it is read with its AMC or SKM.
bool is_motion_file(std::string_view path);

/// Whether the ending is that of a skeleton without motion (.asf, .sk), which `read_skeleton` reads.
bool is_skeleton_file(std::string_view path);

}  // namespace loom::io
