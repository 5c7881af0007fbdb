// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/base/result.h>
#include <loom/compare/cost_matrix.h>
#include <loom/machine/built_machine.h>

namespace loom::machine {

/// The distances in which the transitions from one state to another lie: for showing them, and for changing them.
struct CrossingMatrix {
  compare::CostMatrix distances;        ///< rows: frames of the state that is left; columns: of the one that is entered
  double from_begin = 0, from_end = 0;  ///< seconds of the first and the last row, as warps count them
  double to_begin = 0, to_end = 0;
};

/// Lays out the reference motions of two states as transitions are found between them: cycles from their beginning into
/// the next round, as far as transitions lead and a little further, others once. Fails where a motion is too short to
/// be compared.
Result<CrossingMatrix> crossing_matrix(const BuiltMachine& machine, std::size_t from, std::size_t to);

}  // namespace loom::machine
