// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/picture/drawing.h>

namespace loom::picture {

/// A surface in one pose, and what is written under it.
struct MeshPose {
  std::vector<Vec3> places;  ///< one a vertex, metres, Y up
  std::string caption;
};

/// A surface in several poses on one page, each seen from in front (against +Z) and from its left side (against +X).
struct MeshSheet {
  std::string title;
  std::vector<std::uint32_t> triangles;  ///< three indices each
  std::vector<Vec3> colours;             ///< one a triangle, linear red, green and blue
  std::vector<MeshPose> poses;
  float cell = 300;  ///< pixels a side of a picture
};

/// Draws it with hidden surfaces hidden and the floor as a line at y = 0. Fails on no poses, more than 40, and indices
/// outside a pose.
Result<Drawing> draw_mesh_sheet(const MeshSheet& sheet);

/// The same into a file, PNG or SVG after its ending.
Result<void> write_mesh_sheet(const MeshSheet& sheet, const std::string& path);

}  // namespace loom::picture
