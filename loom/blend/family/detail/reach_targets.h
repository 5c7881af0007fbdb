// SPDX-License-Identifier: MIT
#pragma once

#include <loom/blend/family/coverage.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// Tries to reach each of `coverage.targets` with the weights of `weighting`, which are to be convex, so that it comes
/// as near as the examples let it and never makes up a motion beyond them. Fills in what was reached, the errors and
/// what they come to.
void reach_targets(const Weighting& weighting, const BlendModel& model, Coverage& coverage);

/// How well a sample with this error is covered: 1 exactly, 0 not at all.
double share_covered(double error, double tolerance);

}  // namespace loom::blend
