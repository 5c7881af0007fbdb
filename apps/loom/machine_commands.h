// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/behavior/state_machine.h>

#include "loom/command.h"

namespace loom::app {

inline constexpr const char* kMachineAbout = "machines of behaviors: mined from motion, put right, built and played";

/// States and edges of a machine: what each `loom machine` command tells of it.
nlohmann::json machine_json(const behavior::StateMachine& machine);
/// The same for people.
void print_machine(const behavior::StateMachine& machine);

}  // namespace loom::app
