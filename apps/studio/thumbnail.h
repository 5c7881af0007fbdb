// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::studio {

/// A clip as a small picture, the bytes of a PNG file on white paper: three of its poses, seen from the side, the
/// middle one in full colour. 192 × 128 pixels. The clip must have frames.
Result<std::string> thumbnail(const motion::Clip& clip);

}  // namespace loom::studio
