// SPDX-License-Identifier: MIT
#include "loom/read_options.h"

#include "loom/choice.h"

namespace loom::app {

void add_root_offset(Options& options, io::ReadOptions& read) {
  add_choice<io::RootOffset>(
      options, "--root-offset", read.root_offset,
      {{"auto", io::RootOffset::kAuto}, {"add", io::RootOffset::kAdd}, {"replace", io::RootOffset::kReplace}},
      "whether positions of a BVH file's root add to its OFFSET or replace it (auto: as the body stands on the floor)");
}

}  // namespace loom::app
