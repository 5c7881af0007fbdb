// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/behavior/state_machine.h>
#include <loom/graph/components.h>
#include <loom/graph/prune.h>

namespace loom::behavior {

/// All frames of a build, what state each is of, and what the machine says of them.
class StateFrames {
 public:
  /// `state_of` has one entry a frame, kNoState where no state takes it; all three must outlive the object.
  StateFrames(const StateMachine& machine, const graph::FrameNumbers& numbers, std::span<const std::uint32_t> state_of);

  [[nodiscard]] const graph::FrameNumbers& numbers() const { return numbers_; }
  [[nodiscard]] std::uint32_t state_of(std::uint32_t frame) const { return state_of_[frame]; }
  /// Whether the frame is of a state of whole actions.
  [[nodiscard]] bool whole(std::uint32_t frame) const;
  /// The machine's transition from a moment like `from` to one like `to`; nothing where there is none.
  [[nodiscard]] std::optional<Link> link(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool allows(std::uint32_t from, std::uint32_t to) const { return link(from, to).has_value(); }
  /// Whether the recording may go on from `frame` to the next: within a state always.
  [[nodiscard]] bool goes_on(std::uint32_t frame) const;

 private:
  const graph::FrameNumbers& numbers_;
  std::span<const std::uint32_t> state_of_;
  std::size_t states_;
  std::vector<bool> whole_;                ///< one a state
  std::vector<std::optional<Link>> link_;  ///< states × states
};

/// A whole action: frames [begin, end), and where it may be entered and left.
struct Action {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t enter_until = 0;  ///< entered at frames [begin, enter_until)
  std::uint32_t leave_from = 0;   ///< left from frames [leave_from, end)
};

/// Frames [begin, end) of a build, all of one recording.
struct FrameSpan {
  std::uint32_t begin = 0, end = 0;
};

struct ActionOptions {
  std::uint32_t shortest = 12;  ///< frames between two gates
  std::uint32_t window = 6;     ///< frames after a gate at which one may enter, and before one at which one may leave
};

/// Cuts the motion of whole states into actions, so that whole recordings can be labelled and nobody has to cut them
/// (Chiu 2007 §4). An action lies between two gates. A gate is a moment most like the motion of states one can come
/// from or go to, nearer than its neighbours in time; and where a recording itself comes from or goes to such a state.
/// Inside one of `blows`, which are ascending and apart, is no gate: each is one action (see cut_at_blows).
/// `pairs` are all similar pairs under the threshold. Ascending. O(frames + pairs).
std::vector<Action> find_actions(const StateFrames& frames, std::span<const graph::SimilarPair> pairs,
                                 const ActionOptions& options, std::span<const FrameSpan> blows = {});

/// A transition between frames of a build: frame `from` is similar to `to - 1`.
struct StateEdge {
  std::uint32_t from = 0, to = 0;
  float distance = 0;
};

/// The transitions a machine allows, ascending by from and to, each once.
///
/// Of `minima` (local minima of the distance) those the machine allows, into and out of whole actions only at their
/// windows. For fully connected transitions into whole actions, the best entry from every source frame to every action
/// under the threshold, whether a local minimum or not: that is what makes a character answer at once. And for every
/// action the best way out to each recording.
std::vector<StateEdge> find_edges(const StateFrames& frames, std::span<const Action> actions,
                                  std::span<const graph::SimilarPair> pairs,
                                  std::span<const graph::SimilarPair> minima);

/// Going on and transitions together in compressed rows.
graph::FrameGraph all_edges(const StateFrames& frames, std::span<const StateEdge> edges);

}  // namespace loom::behavior
