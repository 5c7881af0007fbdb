// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>

namespace loom::project {

/// What is to go out of a library.
struct Removal {
  std::vector<library::ClipInfo> clips;
  std::vector<library::ArtefactInfo> artefacts;
};

/// Something that stays and cannot be used any more, since something it is made of goes.
struct Dependent {
  library::ArtefactInfo artefact;
  std::vector<std::string> needs;  ///< "clip 'walk-1'", "fragments 'moves'"; what of it goes, or cannot be used
};

/// What of the library depends on what goes, one step or more away: a policy depends on its fragments, and these on
/// their clips. Reads what was built of clips where clips go; what cannot be read depends on nothing.
Result<std::vector<Dependent>> find_dependents(const library::Library& library, const Removal& removal);

/// Adds what is nothing without what goes, and goes with it: the similar pairs of a graph and the policy trained on it.
Result<void> add_what_goes_along(const library::Library& library, Removal& removal);

/// Takes all of it out, in one transaction.
Result<void> remove(library::Library& library, const Removal& removal);

/// One artefact with what goes along, by name; what depends on it stays, and cannot be used any more.
Result<void> remove_artefact(library::Library& library, const std::string& kind, const std::string& name);

}  // namespace loom::project
