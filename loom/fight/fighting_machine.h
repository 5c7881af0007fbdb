// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>

namespace loom::fight {

/// The built-in fighting machine (Chiu 2007 fig. 2a, with the attack split into punch and kick as in §6): for the
/// sample motions, and for libraries with the labels punch, kick, block, and boxing or walk.
const std::string& fighting_machine_text();

/// The same, read and settled.
behavior::StateMachine fighting_machine();

}  // namespace loom::fight
