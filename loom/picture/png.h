// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/picture/raster.h>

namespace loom::picture {

/// The bytes of a PNG file of `raster`, without an alpha channel where every pixel is opaque.
Result<std::vector<std::uint8_t>> to_png(const Raster& raster);

}  // namespace loom::picture
