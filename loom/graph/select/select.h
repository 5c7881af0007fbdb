// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/select/requirement.h>

namespace loom::graph {

/// How a selection is found.
enum class SelectMethod : std::uint8_t {
  kIterative,  ///< the iterative sub-graph algorithm (Zhao 2009 §5.3)
  kSteiner,    ///< directed Steiner trees, cut short afterwards (appendix A.1)
  kRandom,     ///< several random orders, of whose answers only what they share is kept (appendix A.2)
};

/// Which frames a selection may use.
enum class SelectFrom : std::uint8_t {
  kCore,   ///< those of one shortest way between every two key frames (§5.3.5)
  kWhole,  ///< all of the graph
};

/// In which order ways are looked for (§5.3.2).
enum class SelectOrder : std::uint8_t { kDescending, kAscending, kRandom, kSequential };

struct SelectOptions {
  SelectMethod method = SelectMethod::kIterative;
  SelectFrom from = SelectFrom::kCore;
  SelectOrder order = SelectOrder::kDescending;
  bool required_first = true;  ///< begin with the frames without which nothing will do (§5.3.1)
  bool branches = true;        ///< go on with frames that many ways share, until it gets no smaller (§5.3.3)
  std::size_t rounds = 100;    ///< of the local search that goes on from the answer
  double seconds = 0;          ///< let it go on so long instead; then the answer depends on the machine
  bool bound = true;           ///< reckon how small a selection could be
  std::uint64_t seed = 1;      ///< of random orders and of the local search
  /// Frames that are there already, such as those of an earlier selection: they are kept, and cost nothing.
  std::vector<Node> start;
};

/// A selection: the frames that do what a user wants, and how it was found.
struct Selection {
  std::vector<Node> nodes;         ///< ascending
  std::size_t key_frames = 0;      ///< distinct ones
  std::size_t core_nodes = 0;      ///< frames on shortest ways between key frames
  std::size_t core_edges = 0;      ///< between these
  std::size_t required_nodes = 0;  ///< frames no selection can do without, key frames among them
  std::size_t before_search = 0;   ///< frames before the local search
  double lower_bound = 0;          ///< no selection out of the same frames is smaller than this
  std::vector<std::size_t> sizes;  ///< after each iteration (figure 5.4)
  double core_seconds = 0, required_seconds = 0, select_seconds = 0, search_seconds = 0, bound_seconds = 0;
  std::size_t peak_memory_bytes = 0;
};

/// The smallest set of a graph's frames found that holds all key motions and meets what is asked of the ways between
/// them. Fails without key motions, where `task.strict` and the graph cannot do what is asked (saying between which
/// motions, and what it can do), where there is too little memory, and where `progress` asks to stop.
Result<Selection> select(const MotionGraph& graph, const SelectionTask& task, const SelectOptions& options = {},
                         const Progress& progress = {});

/// The graph of some of a graph's nodes, ascending, and all edges between them. Clips of which nothing is left are left
/// out, but for recorded ones that mixed ones are made of.
MotionGraph sub_graph(const MotionGraph& graph, std::span<const Node> nodes);

}  // namespace loom::graph
