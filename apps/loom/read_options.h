// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <loom/io/raw_motion.h>

namespace loom::app {

/// Adds `--root-offset`, which says how positions of a BVH file's root go together with its OFFSET. `read` must outlive
/// the parsing of `options`.
void add_root_offset(CLI::App& options, io::ReadOptions& read);

}  // namespace loom::app
