// SPDX-License-Identifier: MIT
#pragma once

// What a build left of each state and why; a part of `build_states`, not of the library's surface.

#include <span>
#include <vector>

#include <loom/behavior/state_build.h>
#include <loom/behavior/state_edges.h>
#include <loom/behavior/state_prune.h>
#include <loom/compare/metric.h>

namespace loom::behavior {

/// Tells what pruning left of every state. Where a state lost everything, looks for the nearest transitions the machine
/// allows between it and what was kept, in and out, at any distance.
std::vector<StateYield> find_yields(const StateMachine& machine, const StateFrames& frames,
                                    std::span<const graph::GraphClip> clips, graph::EdgesView edges,
                                    const StatePruning& pruning, const compare::Metric& metric);

/// One sentence on what was nearest; empty where nothing is missing.
std::string describe_missing(const StateYield& yield);

}  // namespace loom::behavior
