// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/select/detail/chosen.h>
#include <loom/graph/select/detail/constrained_path.h>
#include <loom/graph/select/detail/problem.h>
#include <loom/graph/select/select.h>

namespace loom::graph::detail {

/// Everything asked for, in an order (Zhao 2009 §5.3.2). `random` is used for `SelectOrder::kRandom` alone.
std::vector<Wish> ordered_wishes(const Problem& problem, SelectOrder order, Random& random);

/// Adds to `chosen` whatever the wishes need, one after the other (algorithm 1 of the work).
void meet_wishes(std::span<const Wish> wishes, ConstrainedPath& paths, Chosen& chosen);

/// How many of the shortest ways within what is chosen, one for each wish, lead over each node (§5.3.3).
std::vector<std::uint32_t> count_ways(const Problem& problem, const Chosen& chosen);

/// What an iteration found.
using Iterated = std::function<bool(std::size_t size)>;

/// The iterative sub-graph algorithm (§5.3): beginning with `start`, meets all wishes again and again, each time with
/// the nodes that most ways led over there from the start, until it gets no smaller; nodes that nothing needs are left
/// out. `told` hears of the size after each iteration and says whether to go on.
std::vector<std::uint32_t> iterate(const Problem& problem, std::span<const std::uint32_t> start,
                                   std::span<const Wish> wishes, bool branches, const Iterated& told);

/// Takes out of `chosen` whatever everything is met without, nodes that few ways lead over first; never `kept`, a flag
/// a node.
void remove_needless(const Problem& problem, const std::vector<char>& kept, Chosen& chosen);

}  // namespace loom::graph::detail
