// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// A graph out of a library, ready to be played.
struct StoredGraph {
  std::shared_ptr<const MotionGraph> graph;
  std::shared_ptr<const take::TakeSet> motion;
  std::string parameters;  ///< how it was built, as JSON
  std::string hash;        ///< of its bytes in the library: what is made for a graph remembers it by this
};

/// The kinds of artefact a build leaves: the graph, and the similar pairs it was chosen from.
inline constexpr const char* kGraphKind = "graph";
inline constexpr const char* kPairsKind = "graph-pairs";

/// Loads the graph called `name`, with the labels its clips have now. Fails when there is none (naming those there
/// are), or when the library's clips have changed since it was built.
Result<StoredGraph> load_graph(const library::Library& library, const std::string& name);

}  // namespace loom::graph
