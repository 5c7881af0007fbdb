// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>
#include <loom/take/take_set.h>

namespace loom::machine {

/// What the motions of a state differ in, and how they are weighed for wanted parameters.
struct StateParameters {
  blend::ParameterSpace space;      ///< names, units, coordinates
  std::vector<double> least, most;  ///< of the examples, in their units
  std::vector<double> usual;        ///< those of the reference motion: the default of Srinivasan 2009 eq. 5.7
  std::shared_ptr<const blend::Triangulation> points;  ///< of the examples, in coordinates
  std::shared_ptr<const blend::Weighting> weighting;   ///< from coordinates to weights: barycentric
};

/// The weights of a state's examples for `coordinates` of its parameters: barycentric within the examples, those of the
/// nearest place among them outside. None is negative, and they sum to one. Does not allocate.
void weigh(const StateParameters& parameters, std::span<const double> coordinates, std::span<float> weights);

/// A state filled with motion: one of the four kinds of Srinivasan 2009 table 5.1, which differ in nothing but how many
/// examples `space` has and whether its end leads into its beginning.
struct BuiltState {
  std::string name;
  /// Its motion goes round: at phase 1 every example has the very pose of phase 0 (the self-transition, §5.4.2, is part
  /// of the motion).
  bool cyclic = false;
  std::optional<std::size_t> after;  ///< of a state that ends: what follows
  std::shared_ptr<const blend::BlendSpace> space;
  std::optional<StateParameters> parameters;  ///< of states with several examples
  /// Phases in seconds of the reference motion, as warps in machine files count them: phase 0 is `begin`, 1 `end`.
  double begin = 0, end = 0;
  double self_cost = 0;  ///< of a cycle: how unlike its end and its beginning were, square metres
};

/// How far into the parameters of its target a transition leads from one place in the parameters of its source.
struct ParametricEntry {
  std::vector<float> from;         ///< coordinates in the source's space; none where it has no parameters
  std::vector<float> best;         ///< those of the target that fit best; none where it has no parameters
  std::vector<float> least, most;  ///< the box of those that fit nearly as well
  float cost = 0;                  ///< at `best`, square metres
};

/// A way from a state to another: a time warp (Srinivasan 2009 eq. 5.5) from phases of the one to phases of the other.
/// Phases of a cycle beyond 1 are those of the next round.
struct BuiltTransition {
  std::size_t from = 0, to = 0;
  std::vector<behavior::WarpKnot> knots;  ///< phases; two or more, both ascending
  double cost = 0;                        ///< mean distance along the warp, square metres
  bool pinned = false;                    ///< made by hand
  /// Where one of the two has parameters: samples of the source's space.
  std::vector<ParametricEntry> entries;

  [[nodiscard]] double begin() const { return knots.front().from; }
};

/// A machine of behaviors with its motion: what a MachinePlayer plays. Immutable once made.
struct BuiltMachine {
  behavior::StateMachine machine;  ///< what it was built of, with the warps that were found
  std::vector<BuiltState> states;
  /// By source, target and beginning. Each transition of the machine between two states has one at least.
  std::vector<BuiltTransition> transitions;
  std::vector<std::string> clips;  ///< of the library: all that it was built of

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const {
    return states.front().space->skeleton();
  }
  [[nodiscard]] double rate() const { return states.front().space->rate(); }
  [[nodiscard]] std::optional<std::size_t> find_state(std::string_view name) const { return machine.find_state(name); }
  /// The transitions from one state to another, the one that begins first in front; empty where there is none.
  [[nodiscard]] std::span<const BuiltTransition> between(std::size_t from, std::size_t to) const;
};

/// The machine as bytes, with all of its motion: nothing else is needed to play it. Same machine, same bytes.
std::vector<std::byte> to_bytes(const BuiltMachine& machine);
/// Reads `to_bytes` back, believing nothing.
Result<BuiltMachine> built_machine_from_bytes(std::span<const std::byte> bytes);

/// The first step of the cheapest way (−log of probabilities, Srinivasan 2009 eq. 6.1) from each state to each: states
/// × states, [from × states + to]; `to` itself on the diagonal, kNoWay where there is no way.
std::vector<std::size_t> first_steps(const behavior::StateMachine& machine);
inline constexpr std::size_t kNoWay = static_cast<std::size_t>(-1);

}  // namespace loom::machine
