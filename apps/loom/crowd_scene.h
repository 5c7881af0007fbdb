// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/stream.h>

#include "loom/onto.h"

namespace loom::app {

/// Writes a crowd as one scene, .glb or .gltf, each walker in a colour or all on one character, with what stands around
/// them.
Result<void> write_crowd(std::span<const motion::Recording> recordings, std::span<const io::GltfProp> props,
                         const std::string& path, const std::optional<Onto>& onto = {});

}  // namespace loom::app
