// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>
#include <loom/machine/built_machine.h>

namespace loom::machine {

/// How states are filled and transitions found.
struct BuildOptions {
  double rate = 0;                  ///< frames a second of the motion; 0: those of its families, 30 where it has none
  double transition_seconds = 0.3;  ///< how long a transition takes that the program finds
  double shortest_cycle = 0.5;      ///< seconds
  double longest_cycle = 6;         ///< seconds: of the motion of a label as much is taken
  /// What a second of waiting is worth: so many square metres of distance. The more, the more transitions there are.
  double patience = 0.03;
  double longest_wait = 1.5;      ///< seconds from one transition of a cycle to the next, at the most
  double most_cycle_cost = 0.02;  ///< square metres by which the end of a cycle may differ from its beginning
  std::string body{};             ///< a body's number or a clip that moves it; empty: the only one
  bool parametric = true;         ///< find out which parameters transitions fit (ParametricEntry)
};

/// Fills the states of `machine` with motion of the library and finds transitions between them.
///
/// A family becomes a state of all its examples. Of labels and clips one stretch is taken: of a cyclic state (one with
/// a self-transition) the best cycle there is, closed by a warp from its end to its beginning; of others the stretch
/// that goes best with its neighbours. The machine of the result has these as `reference` statements and the
/// transitions as warps; what is pinned in `machine` is kept, and what is thrown out stays out.
///
/// Fails, with the line of the machine, on motion the library has not, states that move another body, cyclic states
/// without a usable self-transition, states that end and have nothing that follows them, and warps outside the motions.
Result<BuiltMachine> build(const library::Library& library, const behavior::StateMachine& machine,
                           const BuildOptions& options = {}, const Progress& progress = {});

/// The machine with other warps from state `from` to state `to`, which differ: those of `warps` that are pinned or
/// thrown out, and what is found beside them with `options`. Nothing else is looked for again, so this is instant, and
/// gives what building anew would. Fails as `build` does, with the state's numbers out of range too.
Result<BuiltMachine> change_warps(const BuiltMachine& built, std::size_t from, std::size_t to,
                                  std::vector<behavior::MachineWarp> warps, const BuildOptions& options = {});

/// The kind of artefact a built machine is: it has the name of the machine it was built of, and goes with it.
inline constexpr const char* kBuiltMachineKind = "machine-motion";

/// Stores a built machine beside the machine called `name`.
Result<void> store_built_machine(library::Library& library, const std::string& name, const BuiltMachine& built,
                                 const std::string& parameters);

/// Loads it, ready to be played. Fails where there is none, saying that the machine is to be built, and where its bytes
/// are damaged.
Result<std::shared_ptr<const BuiltMachine>> load_built_machine(const library::Library& library,
                                                               const std::string& name);

}  // namespace loom::machine
