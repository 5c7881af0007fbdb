// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/picture/drawing.h>

namespace loom::picture {

/// Pixels, row by row from the top, four bytes each: red, green, blue, alpha.
struct Raster {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  [[nodiscard]] Color at(std::size_t x, std::size_t y) const {
    const std::uint8_t* p = rgba.data() + 4 * (y * width + x);
    return {p[0], p[1], p[2], p[3]};
  }
};

/// Paints a drawing into pixels, `scale` pixels to each of the drawing's (2 for print and dense screens).
///
/// Every shape becomes closed contours that are filled by scan lines under the non-zero winding rule, so that the
/// overlapping pieces of one stroke are painted once. Horizontally coverage is exact, vertically sampled 8 times a
/// pixel. O(height × 8 × crossings) for each shape. Width and height times scale must be in [1, 32768].
Raster rasterise(const Drawing& drawing, float scale = 1);

}  // namespace loom::picture
