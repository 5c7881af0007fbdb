// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/machine/built_machine.h>

namespace loom::machine {

// Parametric transitions (Heck & Gleicher 2007): which parameters of its target a transition may be entered with, given
// those of its source. Known at samples of the source's space, and in between by the samples around, the nearer the
// more. None allocates. `from` are coordinates of the source, none where it has no parameters.

/// The target's coordinates that fit best, into `to`.
void enter_at(std::span<const ParametricEntry> entries, std::span<const double> from, std::span<double> to);

/// What going over costs with what fits best, square metres.
double cost_at(std::span<const ParametricEntry> entries, std::span<const double> from);

/// Brings coordinates `to` into the box of those that fit.
void bring_in(std::span<const ParametricEntry> entries, std::span<const double> from, std::span<double> to);

}  // namespace loom::machine
