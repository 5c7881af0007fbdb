// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>

namespace loom::graph {

/// The labels that some clip of the graph carries, but no node: their motion was lost to pruning. Sorted.
std::vector<std::string> lost_labels(const MotionGraph& graph);

/// What to tell somebody who asks for a label that no node carries: that its motion was lost to pruning, where it was,
/// and which labels there are.
Error unknown_label(const MotionGraph& graph, const std::string& label);

}  // namespace loom::graph
