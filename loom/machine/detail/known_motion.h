// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>

namespace loom::machine {

/// What a library has that states can take.
struct KnownMotion {
  std::set<std::string> labels, clips, families;

  [[nodiscard]] const std::set<std::string>& of(behavior::Holding holding) const;
  [[nodiscard]] bool has(const behavior::TakenMotion& taken) const { return of(taken.holding).contains(taken.name); }
};

Result<KnownMotion> look_for_motion(const library::Library& library);

/// What a state takes of a library: of the sets it offers the first of which the library has anything, without what is
/// optional and not there. Fails, with the machine's line, on what is not there and not optional.
Result<std::vector<behavior::TakenMotion>> motion_of(const KnownMotion& known, const behavior::MachineState& state);

}  // namespace loom::machine
