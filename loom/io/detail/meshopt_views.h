// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom::io {

/// How a buffer view is packed (EXT_meshopt_compression).
struct MeshoptView {
  std::string_view bytes;  ///< as they lie in the file
  std::size_t count = 0;   ///< elements
  std::size_t stride = 0;  ///< bytes each
  std::string mode;        ///< "ATTRIBUTES", "TRIANGLES" or "INDICES"
  std::string filter{};    ///< "NONE" or empty, "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"
};

/// Unpacks it: count × stride bytes. Fails on a mode, a stride or a filter that the extension does not allow, on more
/// elements than so many bytes can hold, and on bytes that are no such stream.
Result<std::string> unpack_meshopt(const MeshoptView& view);

/// Packs elements of `stride` bytes without loss, the other way round. Fails where the mode has no room for such
/// elements.
Result<std::string> pack_meshopt(std::string_view elements, std::size_t stride, const std::string& mode);

}  // namespace loom::io
