// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/picture/drawing.h>

namespace loom::picture {

/// Writes a drawing to a file, SVG or PNG after the ending of `path` (any case). `scale` is pixels to the drawing's
/// pixel, for PNG. Fails on another ending, on a picture of more than 16384 pixels a side, or on a file that cannot
/// be written.
Result<void> save(const Drawing& drawing, const std::string& path, float scale = 1);

}  // namespace loom::picture
