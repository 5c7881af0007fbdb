// SPDX-License-Identifier: MIT
#include <algorithm>

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
      joins_(motion_->skeleton->size(), kJoinSeconds),
      from_before_(motion_->skeleton->size()),
      from_(motion_->skeleton->size()),
      to_before_(motion_->skeleton->size()),
      to_(motion_->skeleton->size()) {}

void StateActor::read(const StatePlace& place, std::int64_t ahead, Vec3& root, std::vector<Quat>& rotations) const {
  const std::uint32_t c = states_->graph.clip_of(place.frame);
  const motion::Clip& clip = motion_->clips[c];
  const auto frame = static_cast<std::size_t>(std::clamp<std::int64_t>(states_->graph.frame_of(place.frame) + ahead, 0,
                                                                       static_cast<std::int64_t>(clip.frames()) - 1));
  const auto pose = clip.pose(frame);
  std::copy(pose.begin(), pose.end(), rotations.begin());
  rotations[0] = normalized(place.world.rotation() * pose[0]);
  root = transform(place.world, clip.roots[frame]);
}

/// Keeps what going over to `next` would show, in place of the frame `ahead` of the present one, as an offset that dies
/// away.
void StateActor::join(const StatePlace& next, std::int64_t ahead) {
  play::PoseStep from, to;
  read(place_, ahead - 1, from.root_before, from_before_);
  read(place_, ahead, from.root, from_);
  read(next, -1, to.root_before, to_before_);
  read(next, 0, to.root, to_);
  from.before = from_before_;
  from.now = from_;
  to.before = to_before_;
  to.now = to_;
  joins_.join(from, to, static_cast<float>(1 / states_->graph.rate));
}

void StateActor::step(std::uint16_t hop) {
  const StatePlace next = next_place(states_->graph, place_, hop);
  joins_.step(static_cast<float>(1 / states_->graph.rate));
  if (hop != behavior::kGoOn) join(next, 1);
  place_ = next;
}

void StateActor::cut(const StatePlace& to) {
  join(to, 0);
  place_ = to;
}

void StateActor::move(const motion::GroundFrame& by) { place_.world = by * place_.world; }

void StateActor::show(motion::StreamPose& pose) const {
  const std::uint32_t c = states_->graph.clip_of(place_.frame), frame = states_->graph.frame_of(place_.frame);
  const motion::Clip& clip = motion_->clips[c];
  const auto rotations = clip.pose(frame);
  std::copy(rotations.begin(), rotations.end(), pose.rotations.begin());
  pose.rotations[0] = normalized(place_.world.rotation() * rotations[0]);
  pose.root = transform(place_.world, clip.roots[frame]);
  joins_.apply(pose.root, pose.rotations);
  pose.planted = motion_->contacts[c].planted[frame];
  pose.source = {c, frame};
}

}  // namespace loom::behavior
