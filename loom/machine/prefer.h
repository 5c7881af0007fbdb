// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/machine/ways.h>

namespace loom::machine {

/// How the probabilities of a machine are changed so that a way becomes the cheapest (Srinivasan 2009 ch. 4).
enum class PreferMethod : std::uint8_t {
  kLeast,      ///< only the costs of the way's own transitions, by least squares (eq. 4.3, 4.4)
  kQuadratic,  ///< all costs, as little as possible in all (eq. 4.1, 4.2; Burton & Toint 1992)
};

/// "least", "quadratic".
const char* to_string(PreferMethod method);

/// Ways from state to state that are to be the cheapest: states in order, no state twice.
using StateWay = std::vector<std::size_t>;

/// What an edit did to a machine: the four measures of the work.
struct PreferMeasures {
  std::size_t edges_changed = 0;  ///< probabilities that are others now
  std::size_t ways_changed = 0;   ///< pairs of states, but for those asked for, between which another way is cheapest
  double relative_change = 0;     ///< of all costs: length of the change over the length of what they were
  double seconds = 0;             ///< it took
};

/// A machine's probabilities, changed.
struct Preferred {
  PreferMethod method = PreferMethod::kLeast;
  std::vector<Edge> edges;  ///< as `edges_of` has them, with new probabilities and costs; each state's sum to one
  PreferMeasures measures;
};

/// The ways that are cheapest only where they are cheaper than all others by this much of -log p: one in a hundred.
inline constexpr double kPreferMargin = 0.01;

/// Finds probabilities with which all of `ways` are the cheapest between their ends, near to those the machine has.
///
/// Costs are -log p (eq. 6.1). What the work leaves open is that probabilities must still add up. With kLeast what else
/// leaves the states of a way shares what is left, in the proportions it had, and so becomes dearer where the way
/// becomes cheaper; with kQuadratic the sums are conditions of the problem. Eq. 4.4 compares the way with one other;
/// here conditions are added for the cheapest other way until none is too cheap (Burton & Toint), so that ways which
/// share transitions with the wanted one are seen too.
///
/// Fails on a way of fewer than two states or with one twice, along a transition that is not there (naming it), on ways
/// that contradict each other (naming both), and where no solution is found.
Result<Preferred> prefer(const behavior::StateMachine& machine, std::span<const StateWay> ways, PreferMethod method);

/// "walk,run,jump" as a way of `machine`. Fails on a state it has not, naming those it has.
Result<StateWay> parse_way(const behavior::StateMachine& machine, std::string_view text);
/// The same way round: "walk, run, jump".
std::string describe_way(const behavior::StateMachine& machine, std::span<const std::size_t> way);

/// Gives the machine's transitions the probabilities found as weights.
void apply(const Preferred& preferred, behavior::StateMachine& machine);

}  // namespace loom::machine
