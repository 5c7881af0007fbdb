// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::io {

/// Writes motion to the file at `path`, in the format its ending says: .bvh for one clip, .glb or .gltf for any number
/// that share a skeleton, as animations of one character called `name`. The file is there whole or not at all.
///
/// Fails on another ending, naming those there are, and as the writers of the formats do.
Result<void> write_motion(const std::string& path, std::span<const motion::Clip> clips, const std::string& name);

/// Whether `write_motion` knows this ending.
bool is_writable_motion_file(std::string_view path);

}  // namespace loom::io
