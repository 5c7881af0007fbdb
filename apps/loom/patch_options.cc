// SPDX-License-Identifier: MIT
#include "loom/patch_options.h"

#include "loom/choice.h"

namespace loom::app {

void add_patch_options(Options& options, PatchArguments& arguments) {
  add_choice(options, "--shape", arguments.shape, {"table", "wall", "ball"},
             "of a small mesh: level, upright and facing the body, or round (table)");
  options.add_option("--size", arguments.patch.size, "of a small mesh, metres across (0.3)")->check(positive());
  options.add_option("--points", arguments.patch.points, "of a small mesh, along each side (9)")
      ->check(between(std::size_t{2}, blend::kMaxPatchPoints));
}

Result<blend::Patch> patch_of(const PatchArguments& arguments) {
  blend::Patch patch = arguments.patch;
  patch.shape = *blend::patch_shape_named(arguments.shape);
  if (const auto valid = validate(patch); !valid) return fail_from(valid);
  return patch;
}

}  // namespace loom::app
