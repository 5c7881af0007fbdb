// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <loom/behavior/state_graph.h>
#include <loom/motion/stream.h>
#include <loom/play/clip_join.h>
#include <loom/take/take_set.h>

namespace loom::behavior {

/// Where on a state graph a character is, and where its clip lies in the world.
struct StatePlace {
  graph::Node frame = 0;
  motion::GroundFrame world;  ///< carries the clip's own coordinates into the world's
};

/// The place one step on: the recording's next frame, or over a transition.
StatePlace next_place(const graph::MotionGraph& graph, const StatePlace& place, std::uint16_t hop);

/// Time constant with which what a transition would show dies away: a tenth is left after 0.35 s.
inline constexpr float kJoinSeconds = 0.09f;

/// A body on a state graph: told each frame which step to take, it shows the pose. Transitions may follow each other
/// as fast as one likes, since each only changes an offset that dies away. Allocates nothing once made.
class StateActor {
 public:
  StateActor(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const take::TakeSet> motion,
             const StatePlace& start);

  [[nodiscard]] const StatePlace& place() const { return place_; }
  /// Where the body stands and which way it faces, joins aside.
  [[nodiscard]] motion::GroundFrame stand() const;
  [[nodiscard]] std::uint32_t state() const { return states_->state_of[place_.frame]; }
  [[nodiscard]] const behavior::StateGraph& states() const { return *states_; }
  [[nodiscard]] const take::TakeSet& motion() const { return *motion_; }

  /// Takes one step: `behavior::kGoOn`, or one of the frame's transitions.
  void step(std::uint16_t hop);
  /// Goes over to another place at once, as a body does that is thrown: the pose joins as at a transition.
  void cut(const StatePlace& to);
  /// Moves the whole body on the floor: first where it was, then `by`.
  void move(const motion::GroundFrame& by);
  /// The pose of the place, offsets included.
  void show(motion::StreamPose& pose) const;

 private:
  /// What is played at `place`, or so many frames later in its recording.
  [[nodiscard]] play::ClipMoment moment(const StatePlace& place, double ahead = 0) const;

  std::shared_ptr<const behavior::StateGraph> states_;
  std::shared_ptr<const take::TakeSet> motion_;
  StatePlace place_;
  motion::GroundFrameFinder finder_;
  play::ClipJoin joins_;
};

}  // namespace loom::behavior
