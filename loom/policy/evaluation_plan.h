// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/controllers.h>

namespace loom::policy {

/// What comparing controllers (`compare_controllers`) would take, and what of it is left out where that is too much.
///
/// The measure is looks: transitions that a search for a maximum runs over, most of them passed over in blocks. Both
/// the best paths (a look a step of a trace) and the policies (a look a bin and sweep) come to so many times
/// fragments², so that a set five times as large takes twenty-five times as long. Counting looks and not seconds, the
/// same set is judged the same way on every machine.
struct EvaluationWork {
  std::size_t fragments = 0, bins = 0;
  std::vector<std::size_t> steps;         ///< of each trace, in fragments
  std::vector<PolicyKind> kinds;          ///< policies to compare
  PolicyKind given = PolicyKind::kModel;  ///< the one that is being judged: never left out
  bool solved = true;                     ///< and need not be solved
  bool thresholded = true;                ///< with the variants of few transitions

  /// Looks in all. O(traces + kinds).
  [[nodiscard]] double looks() const;
};

/// Looks a comparison may take unless more is asked for: so many took 300 s of processor time, on both cores
/// (docs/results/fragments.md).
inline constexpr double kMostLooks = 2.5e12;

/// As much of `wanted` as `most` looks allow. Given up are, in this order and no more than needs be: the variants of
/// few transitions, traces down to a third of them (the first are kept), the policies spread, steady, model and greedy
/// other than the given one, and traces down to one. Fails where that one alone is too much.
Result<EvaluationWork> plan_evaluation(const EvaluationWork& wanted, double most = kMostLooks);

/// In words what `planned` leaves out of `wanted`: "8 of 12 traces, the policies spread, steady"; empty when nothing.
std::string left_out(const EvaluationWork& wanted, const EvaluationWork& planned);

}  // namespace loom::policy
