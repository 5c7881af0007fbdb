// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/animated_scene.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// Reads every animation of a glTF 2.0 file (.glb or .gltf) from memory, one motion for each body it moves (see
/// `motions_of` for which nodes are joints and which pose is the rest).
///
/// Buffers outside the file are read from `folder` and nowhere else; with an empty `folder` they are an error. `file`
/// names the file in messages. Key times may be irregular and the interpolation any of glTF's. End sites, frame rates
/// and labels that `write_gltf` put in are found again.
Result<std::vector<RawMotion>> read_gltf(std::string_view bytes, const std::string& file, const std::string& folder);

/// The same file as a scene: its nodes and skins, whether it has animations or none.
Result<AnimatedScene> read_gltf_scene(std::string_view bytes, const std::string& file, const std::string& folder);

}  // namespace loom::io
