// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_build.h>
#include <loom/blend/family/family_build.h>
#include <loom/graph/build.h>
#include <loom/graph/connect/connect.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>
#include <loom/policy/fragments.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/trace.h>
#include <loom/policy/train.h>
#include <loom/take/gather.h>

namespace loom::project {

// What is built in a library and kept there under a name, with the parameters that made it: the command, the studio and
// the demo build through these, so that the same action keeps the same thing. Each is one transaction; stopped or
// failed, the library is as it was.

/// A graph, of motion gathered for it.
struct BuiltGraph {
  take::Gathered source;
  graph::Built built;
};
Result<BuiltGraph> build_graph(library::Library& library, const std::string& name, const take::GatherOptions& source,
                               const graph::BuildOptions& build, const Progress& progress = {});

/// A well-connected graph, of motion gathered for it.
struct ConnectedGraph {
  take::Gathered source;
  graph::Connected connected;
};
Result<ConnectedGraph> connect_graph(library::Library& library, const std::string& name,
                                     const take::GatherOptions& source, const graph::ConnectOptions& options,
                                     const Progress& progress = {});

/// A family of clips.
Result<blend::BuiltFamily> build_family(library::Library& library, const std::string& name,
                                        const blend::FamilyOptions& options, const Progress& progress = {});

/// The graph of a state machine.
Result<behavior::StateBuild> build_states(library::Library& library, const std::string& name,
                                          const behavior::StateMachine& machine,
                                          const behavior::StateBuildOptions& options, const Progress& progress = {});

/// The options that states in a library were built with; the usual ones where their parameters do not say.
behavior::StateBuildOptions state_options_from(const std::string& parameters);

/// Seconds of fragments that are to be played, where nobody asks for another length. With the work's tenth of a second
/// a policy goes over to something else two and three times a second: a join, however bad, costs it one fragment, and
/// half of what is seen is joins. Changed wishes are answered before a fragment is over (policy/fragment_stream.h), so
/// that longer ones answer hardly later.
inline constexpr double kPlayedFragmentSeconds = 0.25;

/// Fragments.
Result<policy::CutMotion> cut_fragments(library::Library& library, const std::string& name,
                                        const policy::CutOptions& options, const Progress& progress = {});

/// How a policy over fragments is trained.
struct PolicyOptions {
  std::string fragments;  ///< their name in the library
  std::size_t bins = 0;   ///< of controls, where the players' lie; 0: the usual ones
  policy::TrainOptions train;
  policy::MotionQualityOptions quality{.support_metres = 0.2};
  double discount = 0.999;
  bool restart = false;  ///< do not go on from an earlier policy of the same name
};
struct TrainedPolicy {
  policy::Policy policy;
  bool started_from_earlier = false;
};
/// A policy over fragments, for players who left `traces`. One that was stopped before it was solved is kept as well:
/// the next training goes on from it.
Result<TrainedPolicy> train_policy(library::Library& library, const std::string& name, const PolicyOptions& options,
                                   const std::vector<policy::Trace>& traces, const Progress& progress = {});

/// The policy of a graph; it has the graph's name.
Result<policy::GraphPolicy> train_graph_policy(library::Library& library, const std::string& graph,
                                               const policy::GraphPolicyOptions& options,
                                               const Progress& progress = {});

}  // namespace loom::project
