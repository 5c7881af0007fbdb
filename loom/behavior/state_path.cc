// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/behavior/state_path.h>

namespace loom::behavior {

StatePath::StatePath(const StatePlace& start) : count_(1), end_(start) { stretches_[0].start = start; }

bool StatePath::add(const graph::MotionGraph& graph, std::uint16_t hop) {
  if (hop != behavior::kGoOn && count_ == kMostStretches) return false;
  end_ = next_place(graph, end_, hop);
  ++length_;
  if (hop != behavior::kGoOn) {
    stretches_[count_ - 1].hop = hop;
    stretches_[count_] = {end_, length_, behavior::kGoOn};
    ++count_;
  }
  return true;
}

const StatePath::Stretch& StatePath::stretch_at(std::uint32_t steps) const {
  std::size_t s = count_ - 1;
  while (s > 0 && stretches_[s].first > steps) --s;
  return stretches_[s];
}

StatePlace StatePath::at(const graph::MotionGraph& graph, std::uint32_t steps) const {
  const Stretch& stretch = stretch_at(steps);
  const graph::Node last = graph.last_of_run(stretch.start.frame);
  return {std::min(stretch.start.frame + (steps - stretch.first), last), stretch.start.world};
}

std::uint16_t StatePath::hop_after(std::uint32_t steps) const {
  const auto* stretch = &stretch_at(steps);
  const bool last = stretch == &stretches_[count_ - 1];
  if (last) return behavior::kGoOn;
  return (stretch + 1)->first == steps + 1 ? stretch->hop : behavior::kGoOn;
}

void StatePath::move(const motion::GroundFrame& by) {
  for (std::size_t s = 0; s < count_; ++s) stretches_[s].start.world = by * stretches_[s].start.world;
  end_.world = by * end_.world;
}

std::uint16_t draw_transition_within(const behavior::StateGraph& states, graph::Node frame, Random& random) {
  const auto transitions = states.graph.transitions_of(frame);
  std::size_t seen = 0;
  std::uint16_t hop = behavior::kGoOn;
  for (std::size_t t = 0; t < transitions.size(); ++t) {
    const bool stays = states.state_of[transitions[t].to] == states.state_of[frame];
    if (stays && random.index(++seen) == 0) hop = static_cast<std::uint16_t>(t);
  }
  return hop;
}

bool add_route(const behavior::StateGraph& states, std::uint32_t target, StatePath& path) {
  while (true) {
    const behavior::Step step = states.routes.to(target, path.end().frame);
    if (step.frames == 0) return true;
    if (!path.add(states.graph, step.hop)) return false;
  }
}

bool add_way_to(const behavior::StateGraph& states, std::uint32_t state, StatePath& path) {
  while (true) {
    const behavior::Step step = states.routes.towards(state, path.end().frame);
    if (step.frames == 0) return true;
    if (!path.add(states.graph, step.hop)) return false;
  }
}

}  // namespace loom::behavior
