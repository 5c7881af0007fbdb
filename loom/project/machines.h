// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
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

/// A frame of a clip as the library has it.
struct ClipFrame {
  std::string clip;  ///< with how it was taken, as people read it
  std::uint32_t frame = 0;
};
/// The same of a frame of a graph, counted through all of its clips: of MissingEdge::nearest.
ClipFrame clip_frame(const graph::MotionGraph& graph, const graph::FrameNumbers& numbers, std::uint32_t frame);

/// What a stored machine lacks.
struct MachineGaps {
  bool mined = false;        ///< it was mined, and the graph is still there; else nothing below is known
  graph::MotionGraph graph;  ///< without its motion
  std::vector<machine::MissingEdge> missing;  ///< of all pairs, or of the transitions of `wanted`
};

/// Mines the machine called `name` again, as it was mined, to see why two of its states have no edge between them; its
/// probabilities may have been changed since. `wanted`, where given, is a machine drawn by hand with states of the same
/// names: only its transitions are asked about. Nothing is stored.
Result<MachineGaps> find_gaps(const library::Library& library, const std::string& name,
                              const behavior::StateMachine* wanted = nullptr, const Progress& progress = {});

/// Keeps `machine` under `name` in place of the one that was there, whose motion goes with it. One transaction.
/// `parameters` say where it comes from, as JSON.
Result<void> put_machine(library::Library& library, const std::string& name, const behavior::StateMachine& machine,
                         const std::string& parameters);

/// Builds the machine called `name` and keeps its motion beside it; the machine is stored anew, with the reference
/// motions and the warps that were found. One transaction. What was pinned or thrown out before is kept.
Result<machine::BuiltMachine> build_machine(library::Library& library, const std::string& name,
                                            const machine::BuildOptions& options = {}, const Progress& progress = {});

/// The options that the machine called `name` was built with, so that it can be built anew alike; the usual ones where
/// it was not built yet.
Result<machine::BuildOptions> built_with(const library::Library& library, const std::string& name);

/// Has `warps` lead from one state of the built machine called `name` to another from now on, and keeps it. What is
/// found beside them is found with the machine's own options. One transaction; instant, unless it is a state's way to
/// itself, with which the state is filled anew.
Result<void> change_warps(library::Library& library, const std::string& name, std::size_t from, std::size_t to,
                          std::vector<behavior::MachineWarp> warps, const Progress& progress = {});

}  // namespace loom::project
