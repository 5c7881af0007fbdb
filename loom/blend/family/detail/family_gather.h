// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/family_build.h>

namespace loom::blend {

/// The examples found for a family, not yet measured, thinned or aligned.
struct Gathered {
  FamilyKind kind = FamilyKind::kTable;
  double rate = 30;  ///< frames a second
  int joint = -1;    ///< the joint placed, for kinds that place one
  std::vector<FamilyMember> members;
  std::vector<library::LeftOut> left_out;  ///< what is faulty
};

/// Finds the examples of a family in a library: chooses clips, kind, rate and joint, and cuts the stretches. `notes`
/// gets what is left out and why. The first step of `build_family`, and fails as that does.
Result<Gathered> gather_examples(const library::Library& library, const FamilyOptions& options,
                                 std::vector<std::string>& notes, const Progress& progress = {});

}  // namespace loom::blend
