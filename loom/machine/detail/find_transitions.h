// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/machine/build.h>
#include <loom/machine/built_machine.h>

namespace loom::machine {

/// What the cheapest transition from a state to another costs, square metres; infinite where there is none.
Result<double> cheapest_between(const BuiltState& from, const BuiltState& to, const BuildOptions& options);

/// Finds the transitions of `machine` between the states, where Srinivasan 2009 §5.4.4 has them: a cycle may be left
/// anywhere and entered anywhere, a motion that ends is left near its end and entered near its beginning. Cycles get as
/// many as are worth it (`choose_points`), motions that end one. The machine's warps are kept and new ones added.
///
/// Fails on warps outside the motions, with their line, and where everything was thrown out.
Result<std::vector<BuiltTransition>> find_transitions(std::span<const BuiltState> states,
                                                      behavior::StateMachine& machine, const BuildOptions& options,
                                                      const Progress& progress);

/// Which parameters of its target a transition fits, for samples of those of its source: the states are blended with
/// both along the warp and compared by the same distance as all frames. Of a target without parameters it is known what
/// entering it costs. Empty where neither has any.
Result<std::vector<ParametricEntry>> find_entries(const BuiltState& from, const BuiltState& to,
                                                  std::span<const behavior::WarpKnot> knots);

/// The same between two different states alone: instant. Warps of `machine` between them that nobody holds must be gone
/// from it; those that are found are added.
Result<std::vector<BuiltTransition>> find_transitions_between(std::size_t from, std::size_t to,
                                                              std::span<const BuiltState> states,
                                                              behavior::StateMachine& machine,
                                                              const BuildOptions& options);

}  // namespace loom::machine
