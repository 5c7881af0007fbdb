// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/blend/family/local_coverage.h>

#include "loom/options.h"

namespace loom::app {

/// The mesh that local coverage looks at (`loom blend coverage --around`, `loom blend lead --coverage`).
struct PatchArguments {
  std::string shape = "table";
  blend::Patch patch;
};

void add_patch_options(Options& options, PatchArguments& arguments);
/// The mesh that was asked for; fails on one that is none.
Result<blend::Patch> patch_of(const PatchArguments& arguments);

}  // namespace loom::app
