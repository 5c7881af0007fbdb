// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// Names bytes by what they are: 32 hexadecimal digits of XXH3-128, the same on every machine.
///
/// Used to notice that a file was imported before and that the inputs of a graph have changed. It guards against
/// accident, not against a forger.
std::string content_hash(std::span<const std::byte> bytes);

/// The hash of a whole file, read in pieces. Fails when it cannot be read.
Result<std::string> file_hash(const std::string& path);

/// The hash of what a clip shows: skeleton, rate and frames. Its name and labels do not count.
std::string clip_hash(const motion::Clip& clip);

}  // namespace loom::library
