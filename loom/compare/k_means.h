// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loom::compare {

/// Divides `points` (rows of `width` numbers) into at most `clusters` groups, each point with the nearest mean
/// (Lloyd 1982), from first means chosen far apart (k-means++, Arthur and Vassilvitskii 2007). Returns the group of
/// each point, all groups from 0 on in use. Stops when nothing changes or after `iterations` rounds. Deterministic for
/// a seed, whatever the number of threads. O(points × clusters × width) a round, on all cores.
std::vector<std::uint32_t> k_means(std::span<const float> points, std::size_t width, std::size_t clusters,
                                   std::size_t iterations, std::uint64_t seed);

}  // namespace loom::compare
