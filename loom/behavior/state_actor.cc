// SPDX-License-Identifier: MIT
#include <loom/behavior/state_actor.h>
#include <loom/take/take_set.h>

namespace loom::behavior {

StatePlace next_place(const graph::MotionGraph& graph, const StatePlace& place, std::uint16_t hop) {
  if (hop == behavior::kGoOn) return {place.frame + 1, place.world};
  const graph::Transition& transition = graph.transitions_of(place.frame)[hop];
  return {transition.to, place.world * transition.alignment};
}

StateActor::StateActor(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const take::TakeSet> motion,
                       const StatePlace& start)
    : states_(std::move(states)),
      motion_(std::move(motion)),
      place_(start),
      finder_(*motion_->skeleton),
      joins_(*motion_, play::Reading::kFrames, kJoinSeconds, 1, static_cast<float>(1 / states_->graph.rate)) {}

play::ClipMoment StateActor::moment(const StatePlace& place, double ahead) const {
  return {motion_->clips[states_->graph.clip_of(place.frame)], states_->graph.frame_of(place.frame) + ahead,
          place.world};
}

void StateActor::step(std::uint16_t hop) {
  const StatePlace next = next_place(states_->graph, place_, hop);
  joins_.step();
  if (hop != behavior::kGoOn) joins_.join(moment(place_, 1), moment(next));
  place_ = next;
}

void StateActor::cut(const StatePlace& to) {
  joins_.join(moment(place_), moment(to));
  place_ = to;
}

void StateActor::move(const motion::GroundFrame& by) { place_.world = by * place_.world; }

motion::GroundFrame StateActor::stand() const {
  const motion::Clip& clip = motion_->clips[states_->graph.clip_of(place_.frame)];
  const std::uint32_t frame = states_->graph.frame_of(place_.frame);
  return place_.world * finder_.find(clip.roots[frame], clip.pose(frame)[0]);
}

void StateActor::show(motion::StreamPose& pose) const {
  const std::uint32_t c = states_->graph.clip_of(place_.frame), frame = states_->graph.frame_of(place_.frame);
  pose.root = joins_.read(moment(place_), pose.rotations);
  pose.planted = motion_->contacts[c].planted[frame];
  pose.source = {c, frame};
}

}  // namespace loom::behavior
