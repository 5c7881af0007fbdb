// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

namespace loom::machine {

/// The state of a node that belongs to none.
inline constexpr std::uint32_t kNoState = std::numeric_limits<std::uint32_t>::max();

/// How a machine of behaviors is mined from a motion graph (Srinivasan 2009 ch. 3).
struct MineOptions {
  double discount = 0.99;  ///< gamma of eq. 3.3, a frame
  double delta = 0.70;     ///< of eq. 3.4: steps worse than so much of the range of a place go
  /// Steps are compared with those of so many seconds before and after. The work compares the steps of single frames,
  /// of which its dense graph has dozens; a graph of local minima has one or two there, and the worse of two always
  /// goes. 0: as the work does.
  double window_seconds = 1.0 / 3.0;
  double least_probability = 0.01;  ///< edges of the machine rarer than this go
  double longest_cycle_s = 1.5;     ///< a state is cyclic when its frames come round within this time
};

/// What there is between two states, in one direction.
struct MinedPair {
  std::size_t steps = 0;   ///< edges of the motion graph, going on included
  std::size_t kept = 0;    ///< after pruning by Q-values (eq. 3.4): kappa
  double density = 0;      ///< kappa over the frames of both (eq. 3.5)
  double probability = 0;  ///< the row's densities, rare ones left out, scaled to sum to one
};

/// A machine as it was mined, with what it rests on.
struct Mined {
  std::size_t states = 0;
  std::vector<std::size_t> frames;   ///< one a state
  std::vector<double> cyclic_share;  ///< one a state: of its frames, those that come round within the state
  std::vector<MinedPair> pairs;      ///< states × states; nothing from a state to itself
  std::size_t q_rounds = 0;          ///< of the solver
  double seconds = 0;                ///< it took

  [[nodiscard]] const MinedPair& pair(std::size_t from, std::size_t to) const { return pairs[from * states + to]; }
  [[nodiscard]] bool has_edge(std::size_t from, std::size_t to) const { return pair(from, to).probability > 0; }
  [[nodiscard]] bool cyclic(std::size_t state) const { return cyclic_share[state] >= kCyclicShare; }
  [[nodiscard]] std::size_t edges() const;

  /// A state of which as much comes round is cyclic: walks and runs have 0.9 and more within 1.5 s, jumps that begin
  /// and end standing 0.77, walks that end in a stop 0.56 (performer 16 of the CMU database).
  static constexpr double kCyclicShare = 0.8;
};

/// Mines the edges between `states` states, of which `state_of` tells that of each node (or kNoState).
///
/// Fails on options out of range, on a state of a node that is none, as `solve_q_values` does, and when `progress` asks
/// to stop. Sorting aside O(nodes + transitions × those within a window).
Result<Mined> mine(const graph::MotionGraph& graph, std::span<const std::uint32_t> state_of, std::size_t states,
                   const MineOptions& options = {}, const Progress& progress = {});

/// Two states without an edge between them, and what would be needed for one.
struct MissingEdge {
  /// Why there is none.
  enum class Why : std::uint8_t {
    kNoMotion,  ///< one of the two has no frame in the graph
    kNoStep,    ///< no two frames are alike enough
    kPruned,    ///< there are steps, all of them worse than what else there is (eq. 3.4)
    kRare,      ///< rarer than the least probability
  };
  std::size_t from = 0, to = 0;
  Why why = Why::kNoStep;
  bool no_way = false;  ///< not through other states either
  /// The most alike frames that are known, beyond the graph's threshold too: what they are and how far apart.
  std::optional<graph::SimilarPair> nearest;
};

/// "no_motion", "no_step", "pruned", "rare".
const char* to_string(MissingEdge::Why why);

/// The ordered pairs of different states without an edge. `pairs` are those the graph was chosen from, frames counted
/// over all of its clips; `wanted`, where given, says which edges are asked about: those of a machine drawn by hand.
std::vector<MissingEdge> find_missing(const Mined& mined, const graph::MotionGraph& graph,
                                      std::span<const std::uint32_t> state_of,
                                      std::span<const graph::SimilarPair> pairs,
                                      const behavior::StateMachine* wanted = nullptr);

/// How a mined machine compares with one drawn by hand, of the same states.
struct Likeness {
  std::size_t mined_edges = 0, hand_edges = 0, common_edges = 0;  ///< self-transitions are not counted
  double chi = 0;  ///< connectivity factor: mined over drawn edges (eq. 3.6)
  double rho = 0;  ///< reproducibility index: the share of drawn edges that were found (eq. 3.7)
};

/// Fails where the machine drawn by hand has no edge between two different states, or other states than the mined one.
Result<Likeness> compare_with(const Mined& mined, const behavior::StateMachine& hand);

/// The same of two machines, whose states are told apart by their names: a drawn transition of a state that the other
/// has not was not found. Fails where the drawn one has no transition between two different states.
Result<Likeness> compare_machines(const behavior::StateMachine& found, const behavior::StateMachine& hand);

/// Which state the nodes of a graph belong to where there is no machine yet: each label is a state, in the order of
/// `MotionGraph::labels`. A frame with several labels belongs to the one that fewest frames carry: it says most.
std::vector<std::uint32_t> states_by_label(const graph::MotionGraph& graph, std::span<const std::string> labels);

/// A mined machine as one people can read: transitions weighted by their probabilities, cyclic states with a transition
/// to themselves. `states` says what they are called and hold, one a state of `mined`.
behavior::StateMachine to_machine(const Mined& mined, std::string name, std::vector<behavior::MachineState> states);

}  // namespace loom::machine
