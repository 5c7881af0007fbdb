// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>

#include "loom/command.h"

namespace loom::app {

inline constexpr const char* kStatesAbout = "characters directed by states: graphs bound to a state machine";

/// The machine in `file`, or the built-in fighting machine where it is empty.
Result<behavior::StateMachine> open_machine(const std::string& file);

/// The options of a build that all commands share.
void add_build_options(Options& options, behavior::StateBuildOptions& build);

/// Builds with a progress bar, which ends at the share `end` where more work comes after.
Result<behavior::StateBuild> build_with_bar(const library::Library& library, const behavior::StateMachine& machine,
                                            const behavior::StateBuildOptions& options, double end = 1);

/// What a build left of each state, for machines and for people.
nlohmann::json yields_json(const behavior::StateMachine& machine, const behavior::StateBuild& build);
void print_yields(const behavior::StateMachine& machine, const behavior::StateBuild& build);

}  // namespace loom::app
