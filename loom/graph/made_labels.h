// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/graph/motion_graph.h>
#include <loom/motion/stream.h>

namespace loom::graph {

/// The labels of motion that was made of a graph's clips, since the frames it was taken from carry them
/// (motion/carried_labels.h).
std::vector<motion::Label> labels_of(const MotionGraph& graph, const motion::Recording& made);

}  // namespace loom::graph
