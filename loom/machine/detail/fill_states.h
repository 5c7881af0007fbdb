// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/machine/built_machine.h>

namespace loom::machine {

/// States with their motion, in the order of the machine.
struct FilledStates {
  std::vector<BuiltState> states;
  std::set<std::string> clips;  ///< of the library, that they are made of
};

/// The frames a second of the first family that a state takes; 30 where none does.
Result<double> usual_rate(const library::Library& library, const behavior::StateMachine& machine);

/// Fills the states of `machine`: families with all their examples, others with one stretch, which becomes their
/// `reference` statement, and cycles with the warp that closes them, which becomes one of the machine's.
Result<FilledStates> fill_states(const library::Library& library, behavior::StateMachine& machine,
                                 const BuildOptions& options, const Progress& progress);

}  // namespace loom::machine
