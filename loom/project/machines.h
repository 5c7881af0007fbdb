// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>
#include <loom/machine/mine.h>

namespace loom::project {

/// A machine mined from a graph, with what there is to tell about it.
struct MinedMachine {
  behavior::StateMachine machine;
  machine::Mined mined;
  graph::MotionGraph graph;                   ///< without its motion
  std::optional<machine::Likeness> likeness;  ///< where one drawn by hand was given
  std::vector<machine::MissingEdge> missing;  ///< of all pairs, or of the transitions drawn by hand
};

/// Mines the graph called `graph` and keeps the machine under `name`: the states of `hand` where it is given, else one
/// for each label. One transaction.
Result<MinedMachine> mine_machine(library::Library& library, const std::string& name, const std::string& graph,
                                  const machine::MineOptions& options, const behavior::StateMachine* hand = nullptr,
                                  const Progress& progress = {});

}  // namespace loom::project
