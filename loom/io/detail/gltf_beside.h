// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/io/detail/gltf_document.h>

namespace loom::io {

/// Reads a neighbour of the file. The address must stay within the folder: a motion file from a stranger is no way to
/// read other files.
Result<std::string> fetch_beside(const std::string& folder, const std::string& uri);

/// Takes a glTF file apart that may keep its numbers beside it, in `folder`; nowhere where that is empty.
Result<GltfDocument> open_gltf(std::string_view bytes, const std::string& folder);

}  // namespace loom::io
