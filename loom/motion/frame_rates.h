// SPDX-License-Identifier: MIT
#pragma once

namespace loom::motion {

/// What a clip's frames a second may be. No recording is outside, and sums of seconds and frames stay whole numbers.
inline constexpr double kSlowestRate = 1e-3, kFastestRate = 1e5;

/// What a person may ask for, of a resampled clip, of an import or of a graph: outside it is a mistake.
inline constexpr double kLowestAskedRate = 1, kHighestAskedRate = 1000;

constexpr bool is_usable_rate(double rate) { return rate >= kSlowestRate && rate <= kFastestRate; }

}  // namespace loom::motion
