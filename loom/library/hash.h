// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// The hash of a whole file, read in pieces. Fails when it cannot be read.
Result<std::string> file_hash(const std::string& path);

/// The hash of what a clip shows: skeleton, rate and frames. Its name and labels do not count.
std::string clip_hash(const motion::Clip& clip);

}  // namespace loom::library
