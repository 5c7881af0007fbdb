// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/policy/detail/split_chances.h>
#include <loom/policy/solver.h>

namespace loom::policy {

/// The worth of what follows on arriving in each state, control by control: discount × sum over d of next_control(c, d)
/// R(t, d), with the control turned along with the body where the problem says so. `reward` and `future` are controls ×
/// states. This is the part of eq. 2 that does not depend on where one comes from; as one product of a small matrix
/// with a wide one it costs controls² × states, vectorised, on all cores, and less where controls have much in common
/// (split_chances.h). Sums run over d in order, so that the result is the same on every machine.
class Expectation {
 public:
  /// Keeps a reference to the problem.
  explicit Expectation(const DecisionProblem& problem);

  void find(std::span<const double> reward, std::span<double> future);

 private:
  const DecisionProblem& problem_;
  SplitChances chances_;            ///< discounted
  std::vector<double> common_row_;  ///< states: what is expected of what all controls have in common
};

/// How controls follow each other, averaged over the states a policy goes to: controls × controls, rows sum to 1. It is
/// next_control itself where controls do not turn.
std::vector<double> mean_next_control(const DecisionProblem& problem, std::span<const std::uint32_t> next);

}  // namespace loom::policy
