// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loom::character {

// Numbers, one a frame, made smooth by looking both ways, so that nothing lags: what appears in one frame is made ready
// for before it and let go after it. Beyond its ends a list is taken to go on as it ends.

/// Every number and those within `bell` frames of it, weighed by a raised cosine. O(frames × bell).
std::vector<float> smoothed(std::span<const float> values, std::size_t bell);

/// The least of the numbers within `reach` frames of each, smoothed by `bell`. Where that is no wider than `reach`, no
/// entry is above its own number. O(frames × (reach + bell)).
std::vector<float> lower_envelope(std::span<const float> values, std::size_t reach, std::size_t bell);

/// The same from above.
std::vector<float> upper_envelope(std::span<const float> values, std::size_t reach, std::size_t bell);

}  // namespace loom::character
