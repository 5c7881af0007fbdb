// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <loom/behavior/state_machine.h>

namespace loom::report {

/// The states of a machine in the order they stand on a circle: beginning with the default state, each beside the one
/// it goes to and comes from most often of those not placed yet.
std::vector<std::size_t> order_on_circle(const behavior::StateMachine& machine);

/// A machine of behaviors drawn (Srinivasan 2009 fig. 3.3): states on a circle, cyclic ones with a double ring,
/// transitions as arrows whose widths are their probabilities. An SVG element of its own.
std::string machine_drawing(const behavior::StateMachine& machine);

/// The drawing, the probabilities as a table and what the machine was made from, as one self-contained HTML page.
/// `parameters` says how it was made, as JSON; `edits` what was changed since, for people.
std::string machine_page(const behavior::StateMachine& machine, const std::string& title, const std::string& parameters,
                         const std::vector<std::string>& edits);

}  // namespace loom::report
