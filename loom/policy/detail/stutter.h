// SPDX-License-Identifier: MIT
#pragma once

namespace loom::policy {

/// Seconds before a fragment that must not follow it (MotionQualityOptions::stutter_seconds): no more than this.
inline constexpr double kLongestStutter = 1e4;

}  // namespace loom::policy
