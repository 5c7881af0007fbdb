// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/picture/drawing.h>

namespace loom::picture {

/// The drawing as an SVG document. Text stays text, set in the reader's own sans-serif face.
std::string to_svg(const Drawing& drawing);

/// `text` with & < > " and ' written as entities: safe within HTML and SVG, as text and as attribute. Bytes that are
/// not UTF-8 and control characters that XML forbids become the replacement character.
std::string escape_markup(std::string_view text);

}  // namespace loom::picture
