// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom::io {

/// A packed model (see `pack_gltf`) with its numbers compressed without loss: EXT_meshopt_compression, which three.js,
/// Babylon, Blender and `read_model` read. Vertices, indices and keys of animations are packed, textures stay as they
/// are. Numbers that the extension has no room for (elements of other than 4, 8 … 256 bytes) stay, too. Corners of
/// triangles may come out in another order, turned round, never mirrored.
Result<std::string> compress_model(std::string_view glb);

}  // namespace loom::io
