// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// What judging and deciding take in memory: asked for before they begin (base/memory.h), and told where there is not
// enough.

namespace loom::policy {

/// Bytes of the qualities of all transitions between so many states (dense_transitions.h): two for each.
double dense_transition_bytes(std::size_t states);

/// Bytes a solve takes beside the problem itself (solver.h): 53 for each decision, of which the solution keeps 12.
double solve_bytes(std::size_t states, std::size_t controls);

}  // namespace loom::policy
