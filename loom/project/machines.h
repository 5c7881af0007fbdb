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

/// A parameter in which the motions of a state differ.
struct StateParameter {
  std::string name, unit;      ///< "turn", "deg/s"
  double least = 0, most = 0;  ///< of the examples, in that unit
};

/// Whether the motions of a state do the same thing in different ways, so that they can be blended (Srinivasan 2009
/// §5.1, multi-sequence states).
struct StateFamily {
  std::string kind;                    ///< "locomotion", as blend::to_string; empty where they make no family
  std::size_t examples = 0;            ///< that belong to it
  std::vector<StateParameter> varies;  ///< those that differ by enough to be felt
  std::string why_not;                 ///< where they make none
};

/// Looks at what a state takes: one label, clips, or a family. Nothing is stored.
StateFamily look_for_family(const library::Library& library, const behavior::MachineState& state);

/// A machine mined from a graph, with what there is to tell about it.
struct MinedMachine {
  behavior::StateMachine machine;
  machine::Mined mined;
  graph::MotionGraph graph;                   ///< without its motion
  std::optional<machine::Likeness> likeness;  ///< where one drawn by hand was given
  std::vector<machine::MissingEdge> missing;  ///< of all pairs, or of the transitions drawn by hand
  std::vector<StateFamily> families;          ///< one a state, where they were asked for
};

/// Mines the graph called `graph` and keeps the machine under `name`: the states of `hand` where it is given, else one
/// for each label. One transaction. With `families` the motions of every state are aligned to see whether they make
/// one, which takes seconds a state.
Result<MinedMachine> mine_machine(library::Library& library, const std::string& name, const std::string& graph,
                                  const machine::MineOptions& options, const behavior::StateMachine* hand = nullptr,
                                  bool families = false, const Progress& progress = {});

}  // namespace loom::project
