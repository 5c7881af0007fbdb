// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>
#include <loom/machine/prefer.h>

namespace loom::machine {

inline constexpr const char* kMachineKind = "machine";

/// A change of a machine's probabilities that can be taken back.
struct MachineEdit {
  std::string what;           ///< for people: "walk, run, jump preferred (least)"
  std::vector<float> before;  ///< the weights of all transitions before it, in the order of the machine's
};

/// A machine of behaviors as a library keeps it: what the file of states says, and what was done to it since.
struct BehaviorMachine {
  behavior::StateMachine machine;
  std::vector<MachineEdit> edits;  ///< in the order they were made
};

/// The machine as bytes. Same machine, same bytes.
std::vector<std::byte> to_bytes(const BehaviorMachine& machine);
/// Reads `to_bytes` back, believing nothing.
Result<BehaviorMachine> machine_from_bytes(std::span<const std::byte> bytes);

/// A machine out of a library.
struct StoredMachine {
  BehaviorMachine machine;
  std::string parameters;  ///< what it was mined from and how, as JSON
};

/// Stores a machine under `name`, in place of what was there.
Result<void> store_machine(library::Library& library, const std::string& name, const BehaviorMachine& machine,
                           const std::string& parameters);

/// Loads the machine called `name`. Fails when there is none (naming those there are) and when it is damaged.
Result<StoredMachine> load_machine(const library::Library& library, const std::string& name);

/// Gives the machine the probabilities that were found for ways, as an edit that can be taken back. `what` says for
/// people which ways.
void take(BehaviorMachine& machine, const Preferred& preferred, const std::string& what);

/// Takes the last edit back. Fails where there is none.
Result<MachineEdit> undo(BehaviorMachine& machine);

}  // namespace loom::machine
