// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/result.h>
#include <loom/library/listing.h>
#include <loom/motion/clip.h>

#include "loom/options.h"

namespace loom::app {

/// Where a command takes its motion from: a motion file, or a library and names of clips in it.
struct Source {
  std::string path;
  std::vector<std::string> clips;  ///< of a library; empty for a file, or for all of a library
  std::string body;                ///< of a library, only clips that move this one; empty: all (add_body_option)
};

/// Whether to open `path` as a library: by its first bytes, or its ending where there are none to look at.
bool is_library(const std::string& path);

/// Adds --body: the one of a library's bodies to work on, by its number or a clip that moves it (library/bodies.h).
void add_body_option(Options& options, std::string& body);

/// What was read of a source.
struct SourceMotion {
  std::vector<motion::Clip> clips;            ///< one at least
  std::vector<library::DamagedClip> damaged;  ///< of a library of which all was asked for: what is missing
};

/// Clips that are damaged, as --json tells them: each with what is wrong with it.
nlohmann::json damaged_json(const std::vector<library::DamagedClip>& damaged);

/// Reads the clips of `source`, in the order asked for. What the readers noticed, and what is damaged, goes to standard
/// error. Fails on a library without a clip of the given name, and on names given for a file.
Result<SourceMotion> read_clips(const Source& source);

}  // namespace loom::app
