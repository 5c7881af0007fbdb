// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>

namespace loom::graph {

/// Gives the clips of a graph the labels the library has for them now: labels are looked up when a graph is used, so
/// that one given after the build counts, and one taken away does not. Mirrored clips have theirs with sides exchanged.
/// Fails when a clip is gone, or is shorter than the graph says.
Result<void> look_up_labels(const library::Library& library, MotionGraph& graph);

/// The same for those who need no motion: clips that are gone or damaged keep the labels they had when the graph was
/// built. Their names are returned, in the order of the graph, each once.
Result<std::vector<std::string>> look_up_known_labels(const library::Library& library, MotionGraph& graph);

}  // namespace loom::graph
