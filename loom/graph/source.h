// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// Which motion of a library a graph is made of.
struct SourceOptions {
  std::vector<std::string> labels;  ///< only the stretches that carry one of these; empty: everything
  bool mirror = false;              ///< every stretch a second time, as seen in a mirror
  double rate = 30;                 ///< frames a second to resample to
  std::string body;                 ///< a body's number or a clip that moves it; empty: the only one (library/bodies.h)
  bool keep_faulty = false;         ///< take stretches with faults of capture too (measure/faulty_stretches.h)
};

/// The motion for a graph: what the graph is to know of each clip, and the motion itself.
struct Source {
  std::vector<GraphClip> clips;
  take::TakeSet motion;
  std::string input_hash;                  ///< over all clips used, so that a graph knows when its library has changed
  std::vector<library::LeftOut> left_out;  ///< of what was asked for, what is faulty; empty when gathered again
};

/// Reads the motion for a new graph. Clips are cut around faulty stretches unless those are to be kept. Fails on a
/// library without clips, on labels it does not have (naming those it has), and on clips that move several bodies of
/// which none was chosen (told, with how to choose).
Result<Source> gather(const library::Library& library, const SourceOptions& options, const Progress& progress = {});

/// Reads the motion of a graph that was built before: the clips it names. Fails when one is gone or was changed.
Result<Source> gather_again(const library::Library& library, const MotionGraph& graph, const std::string& input_hash,
                            const Progress& progress = {});

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
