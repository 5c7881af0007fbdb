// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/control/solver.h>

namespace loom::control {

/// The worth of what follows on arriving in each state, control by control: discount × sum over d of next_control(c, d)
/// R(t, d), with the control turned along with the body where the problem says so. `reward` and `future` are controls ×
/// states. This is the part of eq. 2 that does not depend on where one comes from; as one product of a small matrix
/// with a wide one it costs controls² × states, vectorised, on all cores. Sums run over d in order, so that the result
/// is the same on every machine.
void expect(const DecisionProblem& problem, std::span<const double> reward, std::span<double> future);

/// How controls follow each other, averaged over the states a policy goes to: controls × controls, rows sum to 1. It is
/// next_control itself where controls do not turn.
std::vector<double> mean_next_control(const DecisionProblem& problem, std::span<const std::uint32_t> next);

}  // namespace loom::control
