// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <loom/base/random.h>
#include <loom/behavior/state_actor.h>
#include <loom/behavior/state_graph.h>

namespace loom::behavior {

/// A way a character has decided to go: stretches of recordings, joined by transitions. Others read it to see what the
/// character is about to do. Of fixed size, so that deciding allocates nothing.
class StatePath {
 public:
  StatePath() = default;
  /// A path that stays where it begins.
  explicit StatePath(const StatePlace& start);

  /// Adds one step; false, and nothing added, when the path has no room for another transition.
  bool add(const graph::MotionGraph& graph, std::uint16_t hop);

  /// Steps from the beginning to the end.
  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] const StatePlace& end() const { return end_; }
  /// Where the character is after `steps`; past the end, where the recording would take it, as far as it goes.
  [[nodiscard]] StatePlace at(const graph::MotionGraph& graph, std::uint32_t steps) const;
  /// The step to take after `steps`, which must be before the end.
  [[nodiscard]] std::uint16_t hop_after(std::uint32_t steps) const;
  /// Moves all of it on the floor: first where it was, then `by`.
  void move(const motion::GroundFrame& by);

 private:
  /// Steps over recorded frames, and the transition at the end of them.
  struct Stretch {
    StatePlace start;
    std::uint32_t first = 0;              ///< steps before it
    std::uint16_t hop = behavior::kGoOn;  ///< taken from its last frame; kGoOn: the path ends in it
  };
  static constexpr std::size_t kMostStretches = 16;

  [[nodiscard]] const Stretch& stretch_at(std::uint32_t steps) const;

  std::array<Stretch, kMostStretches> stretches_{};
  std::size_t count_ = 0;
  std::uint32_t length_ = 0;
  StatePlace end_;
};

/// One of the frame's transitions that stay in its state, drawn at random; kGoOn where there is none.
std::uint16_t draw_transition_within(const behavior::StateGraph& states, graph::Node frame, Random& random);

/// Follows the stored way to node `target` until its first frame, adding to `path`. False when it does not fit.
bool add_route(const behavior::StateGraph& states, std::uint32_t target, StatePath& path);

/// Goes on, from within an action, the quickest way to `state`. False when it does not fit.
bool add_way_to(const behavior::StateGraph& states, std::uint32_t state, StatePath& path);

}  // namespace loom::behavior
