// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {

// Whatever is chosen has to meet every cut: a set of nodes of which each way that is short enough takes one.
//
// A way from s to t takes a node at every distance from s below that of t, and since the whole may be no longer than
// the limit, one from which t is near enough. So for each distance l the nodes v with from(s, v) = l and
// l + to(v, t) <= limit are a cut; in the same way for distances to t. A cut of one node is a node nobody can do
// without. Of cuts that share no node each costs one: their number bounds the size of any selection from below.

/// The nodes without which some wish cannot be met, key frames among them, as flags; those that cuts show, which are
/// all of them where the limits are what the graph can do at best and lengths are frames.
/// `likely` are flags of nodes to look at first, such as those of a selection, which has all required ones: it is
/// quicker with them, and the same.
std::vector<char> required_nodes(const Problem& problem, const std::vector<char>& likely = {});

/// How many nodes every selection has at least: the required ones, and for the rest a set of cuts, weighed so that no
/// node is in cuts of more than 1 in all (the dual of the linear programme).
double lower_bound(const Problem& problem, const std::vector<char>& required);

}  // namespace loom::graph::detail
