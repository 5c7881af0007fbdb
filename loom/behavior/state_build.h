// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/library/left_out.h>
#include <loom/library/library.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::behavior {

struct StateBuildOptions {
  double threshold = 0.0064;             ///< largest distance of a transition, m²: markers 8 cm apart on average
  double rate = 30;                      ///< frames a second
  bool mirror = false;                   ///< every recording a second time, left and right exchanged
  double shortest_action_seconds = 0.4;  ///< of a whole state
  double longest_action_seconds = 6;     ///< of a state that attacks: longer ones are cut at their blows
  double window_seconds = 0.2;           ///< how far into an action one may enter, and before its end leave
  double min_gap_seconds = 1.0 / 3.0;    ///< frames of one recording nearer in time than this are not compared
  std::string body{};                    ///< as take::GatherOptions::body
  bool keep_faulty = false;              ///< as take::GatherOptions::keep_faulty
  /// Only local minima become transitions (Kovar 2002), without the best entry from every frame to every action: what
  /// the work's graph is made of, to compare with. Answers come later.
  bool minima_only = false;
};

/// A transition that would be, were the threshold higher.
struct MissingTransition {
  std::string from_clip, to_clip;
  std::uint32_t from_frame = 0, to_frame = 0;  ///< at the graph's rate, within the recording
  double distance = 0;
};

/// What the construction left of a state.
struct StateYield {
  std::uint32_t state = 0;
  std::size_t frames = 0;  ///< labelled
  std::size_t kept = 0;
  std::string reason;  ///< where some were lost, why; empty otherwise
  /// Where all were lost: the nearest transition, of those the machine allows, between it and what was kept.
  std::optional<MissingTransition> missing_in, missing_out;
};

/// A finished build and what it cost.
struct StateBuild {
  std::shared_ptr<const StateGraph> states;
  std::shared_ptr<const take::TakeSet> motion;
  std::string input_hash;          ///< over the clips used and their labels
  std::vector<StateYield> yields;  ///< one a state
  std::size_t frames = 0;          ///< compared
  std::size_t similar_pairs = 0;
  int rounds = 0;  ///< of pruning
  double seconds = 0;
  std::vector<library::LeftOut> left_out;  ///< what is faulty (take::Gathered)
};

/// Builds the state-annotated graph of a machine from a library (Chiu 2007 §4): labels kept through the build, edges
/// the machine does not allow removed, largest components of the whole and of every self-transitioning state until
/// nothing changes, quickest ways for fully connected transitions. Of a family a state holds the recorded examples, as
/// they are in the library; what lies between them can be held once it is a clip.
///
/// A state that loses all its motion does not fail the build; `yields` tells. Fails, with the machine's line, on a
/// label, a clip or a family that the library has not, and on a state without any motion; and where nothing is left at
/// all, saying what was nearest.
Result<StateBuild> build_states(const library::Library& library, const StateMachine& machine,
                                const StateBuildOptions& options, const Progress& progress = {});

inline constexpr const char* kStatesKind = "states";

/// Stores a build under `name` with the parameters that made it, in place of what was there.
Result<void> store_states(library::Library& library, const std::string& name, const StateBuild& build,
                          const std::string& parameters);

/// A state graph out of a library, ready to be played.
struct StoredStates {
  std::shared_ptr<const StateGraph> states;
  std::shared_ptr<const take::TakeSet> motion;
  std::string parameters;
};

/// Loads the state graph called `name`. Fails when there is none (naming those there are), when it is damaged, and when
/// the clips or labels it was built from have changed since.
Result<StoredStates> load_states(const library::Library& library, const std::string& name);

}  // namespace loom::behavior
