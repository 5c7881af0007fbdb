// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/components.h>

namespace loom::behavior {

inline constexpr std::uint32_t kNoState = ~std::uint32_t{0};

/// What became of a node.
enum class Fate : std::uint8_t {
  kKept,
  kStateless,         ///< belongs to no state of the machine
  kOutsideSelf,       ///< outside the largest component of its own self-transitioning state
  kOutsideComponent,  ///< outside the largest component of the whole graph
};

struct StatePruning {
  std::vector<Fate> fate;  ///< one a node
  int rounds = 0;          ///< until nothing changed
};

/// What a machine leaves of a graph (Chiu 2007 §4): the largest strongly connected component; of every state in `self`
/// its own largest component; the component of the whole again; until nothing changes. In what is left every node
/// reaches every other, and within a state of `self` without leaving the state. Components of equal size: the one whose
/// first node comes first. A component that is a single node counts only where the node leads to itself.
///
/// `edges` are those the machine allows; `state_of` has one entry a node, `self` one a state. Every round but the last
/// drops a node and is O(nodes + edges).
StatePruning prune_states(graph::EdgesView edges, std::span<const std::uint32_t> state_of,
                          const std::vector<bool>& self);

}  // namespace loom::behavior
