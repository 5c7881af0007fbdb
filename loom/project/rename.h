// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/project/dependents.h>

namespace loom::project {

/// A clip and what it is to be called.
struct Renaming {
  std::string from, to;
};

/// The names that a pattern gives to clips, in their order: '*' stands for the old name, '#' for 1, 2, 3 ..., with as
/// many digits as the last needs. Fails on a pattern with neither where there are several clips.
Result<std::vector<Renaming>> renamings(const std::vector<std::string>& clips, const std::string& pattern);

/// What was built of clips that get other names, and so would not find them any more.
Result<std::vector<Dependent>> broken_by(const library::Library& library, const std::vector<Renaming>& wanted);

/// Gives clips other names, all or none; labels, motion and where they came from stay. Names may be exchanged. What was
/// built of them by name does not find them any more (`broken_by`). Fails on a clip that is not there, on a name that
/// is taken or unusable, and on two clips that would have one.
Result<void> rename(library::Library& library, const std::vector<Renaming>& wanted);

}  // namespace loom::project
