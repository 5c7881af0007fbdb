// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>

namespace loom::machine {

/// What going on for ever costs from each frame of a motion graph, and so what each step is worth (Srinivasan 2009
/// eq. 3.3): Q(i, j) = D(i, j) + discount × the least Q(j, k).
///
/// D is the distance of a transition. Going on to the recording's next frame costs nothing: eq. 3.2 compares the next
/// frame with itself there, and the current one with itself.
struct QValues {
  double discount = 0;        ///< as asked for
  std::vector<double> least;  ///< one a node: the least Q of its steps
  std::size_t rounds = 0;     ///< of the solver

  /// Of going on from `node`, which must have a next frame.
  [[nodiscard]] double of_going_on(graph::Node node) const { return discount * least[node + 1]; }
  [[nodiscard]] double of(const graph::Transition& transition) const {
    return transition.distance + discount * least[transition.to];
  }
};

/// Finds them, exact but for rounding.
///
/// Repeating eq. 3.3 over all edges takes as many sweeps as the discount lets costs reach back, thousands of them. Here
/// every node holds one step, its best so far: these steps make of the graph trees that lead into circles, whose costs
/// are known in one pass; then every node takes the step that is best by these costs, until none changes (Howard 1960).
/// O(nodes + transitions) a round; some tens of rounds.
///
/// Fails on a discount outside [0, 1), a graph without nodes, a node without a step, and when `progress` asks to stop.
Result<QValues> solve_q_values(const graph::MotionGraph& graph, double discount, const Progress& progress = {});

}  // namespace loom::machine
