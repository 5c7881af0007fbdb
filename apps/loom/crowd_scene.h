// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/stream.h>

namespace loom::app {

/// Writes a crowd as one scene, .glb or .gltf, each walker in a colour, with what stands around them.
Result<void> write_crowd(std::span<const motion::Recording> recordings, std::span<const io::GltfProp> props,
                         const std::string& path);

}  // namespace loom::app
