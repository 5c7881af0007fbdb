// SPDX-License-Identifier: MIT
#pragma once

#include <loom/io/raw_motion.h>

#include "loom/options.h"

namespace loom::app {

/// Adds `--root-offset`, which says how positions of a BVH file's root go together with its OFFSET. `read` must outlive
/// the parsing of `options`.
void add_root_offset(Options& options, io::ReadOptions& read);

}  // namespace loom::app
