// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/stream.h>

namespace loom::app {

/// What the demo makes of a library by weaving its clips: a graph, and new motion from it.
struct DemoGraph {
  std::size_t nodes = 0, transitions = 0;
  double component_share = 0;
  std::filesystem::path report;               ///< the page about the graph
  std::vector<motion::Recording> recordings;  ///< a walk, and the motion along a path; feet planted
  std::vector<std::filesystem::path> files;   ///< the same as .glb, and a contact sheet of each
};

/// Builds a graph called "main" in the library, walks on it for half a minute, follows an S-shaped path, and writes all
/// of it below `folder`.
Result<DemoGraph> make_demo_graph(const std::filesystem::path& folder, const std::string& library,
                                  const Progress& progress);

}  // namespace loom::app
