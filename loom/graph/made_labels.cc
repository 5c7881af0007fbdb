// SPDX-License-Identifier: MIT
#include <loom/graph/made_labels.h>
#include <loom/motion/carried_labels.h>

namespace loom::graph {

std::vector<motion::Label> labels_of(const MotionGraph& graph, const motion::Recording& made) {
  return motion::carried_labels(made, [&](std::uint32_t clip) -> std::span<const motion::Label> {
    if (clip >= graph.clips.size()) return {};
    return graph.clips[clip].labels;
  });
}

}  // namespace loom::graph
