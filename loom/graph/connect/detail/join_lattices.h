// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/connect/detail/lattice.h>
#include <loom/graph/connect/detail/way_graph.h>

namespace loom::graph {

/// Ways between lattices that may be of use: between mixes of different pairs of motions, and between a mix and
/// recordings that it is not made of (Zhao 2009 §4.1.2 compares all frames with all). Of those between the same two
/// lattices the smoothest few, sorted by distance. Of each, what it begins and ends with is similar, found by the
/// all-pairs engine.
///
/// Compares as many mixed frames as `kMostCompared`: rows of which something is not `connected` (a byte a node) come
/// first, then others, evenly. O(compared²).
Result<std::vector<Way>> ways_between_lattices(const Lattices& lattices, std::span<const std::uint8_t> connected,
                                               const LatticeSetting& setting, const Progress& progress);

inline constexpr std::size_t kMostCompared = 40'000;

/// Which nodes can be reached from those that are `connected`, and which lead to one of them.
struct Reach {
  std::vector<std::uint8_t> from, to;
};
Reach reach_of(std::span<const std::uint8_t> connected, std::span<const std::uint8_t> goes_on,
               std::span<const Way> ways);

/// Of `candidates` those that lead from what is connected to what could not be reached, or to it from what did not lead
/// there: again and again, until no more of them do. `ways` are the ways there are already.
std::vector<Way> ways_that_join(std::span<const Way> candidates, std::span<const std::uint8_t> connected,
                                std::span<const std::uint8_t> goes_on, std::vector<Way> ways);

}  // namespace loom::graph
