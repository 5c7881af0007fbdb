// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/io/gltf_write.h>

namespace loom::io {

/// A packed model (see `pack_gltf`) as several characters in one scene, with what stands around them: copy c has its
/// nodes from c × the model's number of nodes on, and shares meshes, materials and textures with the others. Props are
/// scaled by `prop_scale`, from metres to the units of the model. Without a second copy and props the model as it is.
/// Fails on no copies, on a model that has no nodes, and past 4 GiB.
Result<std::string> stage_model(std::string_view glb, std::size_t copies, std::span<const GltfProp> props = {},
                                float prop_scale = 1);

}  // namespace loom::io
