// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/stored_graph.h>

#include "loom/command.h"

namespace loom::app {

inline constexpr const char* kGraphAbout = "motion graphs: endless, seamless motion from clips";

/// No motion made here is longer than this, so that a slip of the finger does not fill a disk.
inline constexpr double kLongestSeconds = 24 * 3600;

/// The two words every command on a graph takes: the library and the graph's name.
void add_graph_options(Options& options, std::string& library, std::string& graph);

/// Opens a library and loads a graph of it.
Result<graph::StoredGraph> open_graph(const std::string& library, const std::string& name);

/// Tells the user which clips of a graph are gone, where some are: it is told with the labels of when it was built.
void notice_gone(const std::vector<std::string>& gone);

}  // namespace loom::app
