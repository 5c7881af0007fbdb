// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/machine/built_machine.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>
#include <loom/plan/unrolled_graph.h>

namespace loom::plan {

/// One of the behaviors that a state was sampled into: its motion with these parameters.
struct BehaviorSample {
  std::size_t state = 0;
  std::vector<double> parameters;  ///< in their units; none where the state has none
};

/// A moment at which a plan decides what comes next: a behavior plays alone, its parameters settled.
struct Decision {
  std::size_t sample = 0;
  double phase = 0;

  friend auto operator<=>(const Decision&, const Decision&) = default;
};

/// An action: from one decision to the next, played as the machine plays it.
struct Action {
  Decision from;
  std::size_t sample = 0;  ///< the behavior that was wished for
  Decision to;
  std::size_t frames = 0;
  double frame_seconds = 0;  ///< so that it takes whole frames: within half a frame of the whole
  motion::GroundFrame end;   ///< where the character is in the end, as seen from where it began
};

/// How the place an action ends at is reckoned.
enum class Transitions : std::uint8_t {
  kSimulated,  ///< each is played beforehand, so that a plan ends where it says (Srinivasan 2009 alg. 6.2)
  kIgnored,    ///< clips one after the other, as if they did not overlap (Lau & Kuffner 2005; alg. 6.1, eq. 6.2)
};

struct UnrollMachineOptions {
  /// Behaviors that each state with parameters is sampled into.
  std::size_t samples = 15;
  Transitions transitions = Transitions::kSimulated;
  double stride_seconds = 0.6;  ///< from one decision in a cycle to the next, about: a step
  UnrollOptions body;           ///< states called so are made for one thing only, as labels are
};

/// A built machine made ready to be planned with (Srinivasan 2009 §6.2): its continuous behaviors sampled into clips,
/// and every action that can follow another.
///
/// The work simulates a transition whenever its search looks at one. Here parameters have settled and the phase is one
/// of a few whenever something is decided, so there are only so many different actions: each is simulated once, and
/// together they are a graph that is searched as motion graphs are. Actions take whole frames, by time that runs a
/// little faster or slower.
struct UnrolledMachine {
  std::shared_ptr<const machine::BuiltMachine> machine;
  Transitions transitions = Transitions::kSimulated;
  std::vector<BehaviorSample> samples;
  std::vector<Action> actions;  ///< one a clip of the graph
  UnrolledGraph unrolled;
  double stride_seconds = 0.6;
  double seconds = 0;  ///< by the clock, that it took to make
};

/// Makes a machine ready, on all cores. Fails on no samples, on more actions than memory holds, on a body that is no
/// human figure, and when `progress` asks to stop.
Result<UnrolledMachine> unroll_machine(std::shared_ptr<const machine::BuiltMachine> machine,
                                       const UnrollMachineOptions& options = {}, const Progress& progress = {});

/// A walk of the graph of actions, played by the machine itself from the first action's beginning on, as it comes out.
/// It starts where `world` carries it.
Result<motion::Recording> play_actions(const UnrolledMachine& machine, std::span<const graph::Node> nodes,
                                       const motion::GroundFrame& world);

}  // namespace loom::plan
