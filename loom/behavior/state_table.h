// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <loom/behavior/state_graph.h>

namespace loom::behavior {

/// The numbers of one state (Chiu 2007 table 1).
struct StateRow {
  std::string state;
  std::size_t frames = 0;
  std::size_t nodes = 0;
  double mean_length_s = 0;  ///< of a node
};

/// How quickly one gets from a state to another.
struct StatePairTime {
  std::uint32_t from = 0, to = 0;
  bool direct = false;  ///< the machine has the transition
  Link link = Link::kPlain;
  /// From a node of the one state to each node of the other, mean over all pairs: what is played in between, from the
  /// end of the one to the beginning of the other, nothing where they follow each other (Chiu 2007 table 1).
  double mean_to_each_s = -1;   ///< only for fully connected transitions; -1 otherwise
  double worst_to_each_s = -1;  ///< mean over source nodes, of the target node that takes longest
  double share_within = -1;     ///< of the target nodes, those whose mean is under `kPromptSeconds`
  /// From any frame to the first frame of the nearest node: what a request waits, mean over all frames.
  double mean_to_nearest_s = 0;
  double worst_to_nearest_s = 0;
};

/// What counts as answering at once: a tenth of a second.
inline constexpr double kPromptSeconds = 0.1;

struct StateTable {
  std::vector<StateRow> states;
  std::vector<StatePairTime> times;  ///< of every ordered pair of different states that have motion
};

/// Measures a state graph. O(routes).
StateTable measure_states(const StateGraph& states);

}  // namespace loom::behavior
