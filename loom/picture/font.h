// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <loom/picture/drawing.h>

namespace loom::picture {

/// The built-in typeface: a monoline sans drawn with a round pen, so that pictures need no font file. It has printable
/// ASCII and a few signs (degree, times, superscript two, middle dot, dashes, micro); anything else shows as a box.

/// Width in pixels of a line of text (UTF-8) at `style`.
float text_width(std::string_view text, const TextStyle& style);

/// The pen's paths for a line of text whose baseline starts (or ends, or is centred) at `at`.
std::vector<Polyline> text_strokes(const Text& text);

/// `text` cut with a trailing ".." so that it is at most `width` pixels wide; empty if not even that fits.
std::string fit_text(std::string_view text, float width, const TextStyle& style);

}  // namespace loom::picture
