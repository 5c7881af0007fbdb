// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <loom/policy/detail/expectation.h>
#include <loom/policy/solver.h>

namespace loom::policy {

/// The worth of following a policy for ever: R(s, c) = earned(s, c) + what follows on arriving in next(s, c).
///
/// Each sweep is a gather. The level common to all states of a control, which a discount of 0.999 would take thousands
/// of sweeps to build up, is solved for after each: adding it changes no decision (aggregation over states, Bertsekas
/// and Castañon 1989). Where the control never changes, every path ends in a cycle whose worth is a geometric sum, and
/// one pass over the states is exact.
class PolicyEvaluation {
 public:
  /// Keeps a reference to the problem.
  explicit PolicyEvaluation(const DecisionProblem& problem);

  struct Outcome {
    std::size_t sweeps = 0;
    double residual = 0;  ///< largest change of the last sweep
  };

  /// Improves `reward` (controls × states) until a sweep changes it by less than `tolerance`, or for `most` sweeps.
  /// `future` is room of the same size. `go_on` is asked now and then.
  Outcome run(std::span<const std::uint32_t> next, std::span<const double> earned, std::span<double> reward,
              std::span<double> future, double tolerance, std::size_t most, const std::function<bool()>& go_on);

 private:
  void follow_cycles(std::span<const std::uint32_t> next, std::span<const double> earned,
                     std::span<double> reward) const;
  double sweep(std::span<const std::uint32_t> next, std::span<const double> earned, std::span<double> reward,
               std::span<const double> future, std::span<double> mean_change) const;
  void find_levels(std::span<const std::uint32_t> next);

  const DecisionProblem& problem_;
  Expectation expectation_;
  bool steady_ = false;         ///< next_control is the identity and nothing turns
  std::vector<double> levels_;  ///< controls × controls: from the mean change of a sweep to what is still to come
};

}  // namespace loom::policy
