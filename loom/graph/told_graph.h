// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/explain.h>
#include <loom/graph/measures.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>
#include <loom/library/library.h>

namespace loom::graph {

/// A graph without its motion, and the pairs it was chosen from: all that telling about it needs.
struct ToldGraph {
  MotionGraph graph;
  std::vector<SimilarPair> pairs;
  std::vector<std::string> gone;  ///< clips it names that the library has no longer, or has damaged
  bool in_square_metres = true;   ///< distances are those of point clouds; else radians

  /// A distance as one reads it: square metres with the centimetres between markers, or radians.
  [[nodiscard]] std::string distance(double value) const;
};

/// A graph without its motion.
struct BareGraph {
  MotionGraph graph;
  std::vector<std::string> gone;  ///< clips it names that the library has no longer, or has damaged
  std::string parameters;         ///< how it was built, as JSON
};

/// Loads the graph called `name` with the labels its clips have now; clips that are gone keep those they had when it
/// was built. Fails when there is none (naming those there are), when it is damaged, and when a clip is shorter than it
/// says.
Result<BareGraph> load_bare(const library::Library& library, const std::string& name);

/// Loads the graph called `name` to tell about it, with the pairs it was chosen from. Fails as `load_bare` does, and
/// when the pairs are damaged.
Result<ToldGraph> load_told(const library::Library& library, const std::string& name);

// What is told, as JSON text, the same for scripts (`loom graph ... --json`) and for the studio's page. What does not
// exist, such as the time of a way there is none of, is null.

/// All measures; times between behaviors by their names.
std::string measures_json(const MotionGraph& graph, const GraphMeasures& measures);
/// What pruning lost: a list of clips.
std::string losses_json(const ToldGraph& told, const Progress& progress = {});
/// Frames are those of the clip in the library, of which a graph may use a part.
std::string explanation_json(const MotionGraph& graph, const Explanation& explanation);

}  // namespace loom::graph
