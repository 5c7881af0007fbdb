// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {

/// Makes a selection smaller: again and again takes a few neighbouring nodes out, meets what is no longer met another
/// way, and keeps the new selection where it is no larger. `kept` nodes stay. Goes on while `goes_on(round, size)`.
/// Returns the smallest.
std::vector<std::uint32_t> improve(const Problem& problem, const std::vector<char>& kept,
                                   std::vector<std::uint32_t> nodes, Random& random,
                                   const std::function<bool(std::size_t round, std::size_t size)>& goes_on);

}  // namespace loom::graph::detail
