// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::app {

/// Where a command takes its motion from: a motion file, or a library and names of clips in it.
struct Source {
  std::string path;
  std::vector<std::string> clips;  ///< of a library; empty for a file, or for all of a library
};

/// Whether to open `path` as a library: by its first bytes, or its ending where there are none to look at.
bool is_library(const std::string& path);

/// Reads the clips of `source`, in the order asked for. What the readers noticed goes to standard error. Fails on a
/// library without a clip of the given name, and on names given for a file.
Result<std::vector<motion::Clip>> read_clips(const Source& source);

}  // namespace loom::app
