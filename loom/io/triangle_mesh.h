// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>

namespace loom::io {

/// A surface that does not move: a level, a table. Holes and single sheets are welcome.
struct TriangleMesh {
  std::vector<Vec3> positions;           ///< finite
  std::vector<std::uint32_t> triangles;  ///< three indices each, all of positions

  [[nodiscard]] std::size_t size() const { return triangles.size() / 3; }
  [[nodiscard]] Vec3 corner(std::size_t triangle, std::size_t which) const {
    return positions[triangles[3 * triangle + which]];
  }
};

/// The most triangles that are read from one file.
inline constexpr std::size_t kMostTriangles = 4'000'000;

/// Reads the faces of a Wavefront OBJ text: `v` and `f` lines, faces of any number of corners as fans, indices from the
/// end (negative) too; everything else is passed over. Errors have lines.
Result<TriangleMesh> read_obj(std::string_view text, const std::string& file);

/// Reads the triangles of all meshes that the scene of a glTF 2.0 file shows, where their nodes have them; skins are
/// left as they were modelled. Everything must be in the one file.
Result<TriangleMesh> read_gltf_mesh(std::string_view bytes, const std::string& file);

/// Reads `path` as what its ending says: .obj, .glb or .gltf. Fails on a file without a triangle.
Result<TriangleMesh> load_mesh(const std::string& path);

}  // namespace loom::io
