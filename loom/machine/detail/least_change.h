// SPDX-License-Identifier: MIT
#pragma once

// Numbers changed as little as possible so that conditions hold; what editing a machine asks a solver for.

#include <cstddef>
#include <utility>
#include <vector>

#include <loom/base/result.h>

namespace loom::machine {

/// Costs x that are to stay near what they were.
struct LeastChange {
  /// A condition on some of them: the sum of factor × x, and of factor × the cost of what a row leaves over, is at most
  /// `most`. That cost is -log(1 - the sum of the row's probabilities).
  struct Limit {
    std::vector<std::pair<std::size_t, double>> terms;       ///< which number, and its factor
    std::vector<std::pair<std::size_t, double>> leavings{};  ///< which row, and its factor
    double most = 0;
  };
  /// Probabilities exp(-x) that add up: to `sum`, or to no more than it.
  struct Row {
    std::vector<std::size_t> members;
    double sum = 1;
    bool exact = false;
  };
  std::vector<double> wanted;  ///< what they were
  std::vector<double> start;   ///< where to look from; as many
  double least = 0;            ///< none may be lower
  std::vector<Row> rows;
  std::vector<Limit> limits;
};

/// The nearest numbers, by the sum of squares, with which all conditions hold: sequential quadratic programming (SLSQP,
/// Kraft 1994, of NLopt). Nothing where there are none, as far as the solver can tell.
///
/// A quadratic program proper knows linear conditions alone, and that probabilities add up to one is none: each step
/// here is a quadratic program about the place the last one led to.
Result<std::vector<double>> solve_least_change(const LeastChange& problem);

}  // namespace loom::machine
