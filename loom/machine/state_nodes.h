// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>

namespace loom::machine {

/// Frames that a stretch of motion has at least of which a state is made: a window of comparison, as take::gather wants
/// it. What is labelled for less, as strokes are, marks a moment.
inline constexpr std::size_t kShortestState = 12;

/// Which state of `machine` each node of a graph belongs to, by the labels, clips and families that the states take;
/// kNoState for the rest. Where motion belongs to several states, the one written first takes it.
///
/// Fails, with the machine's line, on a label, a clip or a family that the library has not and that is not optional. A
/// state whose motion is in the library but not in the graph simply has no nodes.
Result<std::vector<std::uint32_t>> states_of_nodes(const library::Library& library, const graph::MotionGraph& graph,
                                                   const behavior::StateMachine& machine);

}  // namespace loom::machine
