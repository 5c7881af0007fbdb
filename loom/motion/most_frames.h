// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace loom::motion {

/// Of all clips that anything is built from, together; also where in its recording a stretch may begin. Three months at
/// 30 Hz: what a stored graph or set of fragments says beyond is damage.
inline constexpr std::uint64_t kMostFramesOfAll = std::uint64_t{1} << 28;

}  // namespace loom::motion
