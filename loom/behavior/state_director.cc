// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/behavior/state_director.h>
#include <loom/behavior/state_path.h>
#include <loom/motion/ground_frame.h>
#include <loom/take/take_set.h>

namespace loom::behavior {
namespace {

constexpr double kMomentSeconds = 0.15;  ///< actions this much later than the quickest are as good
constexpr double kDwellSeconds = 1.0;    ///< how long one recording is stayed with, about, where the state goes on

}  // namespace

Result<std::unique_ptr<StateDirector>> StateDirector::create(std::shared_ptr<const behavior::StateGraph> states,
                                                             std::shared_ptr<const take::TakeSet> motion,
                                                             std::uint64_t seed) {
  const auto home = static_cast<std::uint32_t>(states->machine.default_state);
  const auto start = std::find(states->state_of.begin(), states->state_of.end(), home);
  if (start == states->state_of.end()) {
    return fail(fmt::format("the default state '{}' has no motion left", states->machine.states[home].name));
  }
  StatePlace place{static_cast<graph::Node>(start - states->state_of.begin()), {}};
  const motion::Clip& clip = motion->clips[states->graph.clip_of(place.frame)];
  const std::uint32_t frame = states->graph.frame_of(place.frame);
  place.world = inverse(motion::GroundFrameFinder(*motion->skeleton).find(clip.roots[frame], clip.pose(frame)[0]));
  std::unique_ptr<StateDirector> made(new StateDirector(StateActor(std::move(states), std::move(motion), place), seed));
  made->wanted_ = home;
  return made;
}

std::vector<std::string> StateDirector::source_names() const {
  std::vector<std::string> names;
  for (const graph::GraphClip& clip : actor_.states().graph.clips) names.push_back(clip.title());
  return names;
}

motion::Inputs StateDirector::inputs() const {
  motion::Inputs inputs;
  for (const behavior::MachineState& state : actor_.states().machine.states) inputs.behaviors.push_back(state.name);
  return inputs;
}

void StateDirector::listen(int behavior) {
  const behavior::StateGraph& states = actor_.states();
  if (behavior == heard_) return;
  heard_ = behavior;
  const auto count = static_cast<int>(states.machine.states.size());
  wanted_ = static_cast<std::uint32_t>(
      behavior >= 0 && behavior < count ? behavior : static_cast<int>(states.machine.default_state));
  has_action_ = false;
  const bool lost = std::find(states.state_of.begin(), states.state_of.end(), wanted_) == states.state_of.end();
  if (lost) wanted_ = static_cast<std::uint32_t>(states.machine.default_state);
  if (!states.machine.states[wanted_].whole) return;
  action_ = choose_action(wanted_);
  has_action_ = action_ < states.nodes.size();
}

std::uint32_t StateDirector::choose_action(std::uint32_t state) {
  const behavior::StateGraph& states = actor_.states();
  const graph::Node here = actor_.place().frame;
  const auto moment = to_whole<std::uint32_t>(std::round(kMomentSeconds * states.graph.rate));
  std::uint32_t quickest = ~std::uint32_t{0}, chosen = static_cast<std::uint32_t>(states.nodes.size());
  const auto away = [&](std::uint32_t node) { return std::uint32_t{states.routes.to(node, here).frames}; };
  const auto candidate = [&](std::uint32_t node) { return states.nodes[node].state == state; };
  for (const std::uint32_t node : states.routes.targets) {
    if (candidate(node)) quickest = std::min(quickest, away(node));
  }
  std::size_t seen = 0;
  for (const std::uint32_t node : states.routes.targets) {
    if (candidate(node) && away(node) <= quickest + moment && random_.index(++seen) == 0) chosen = node;
  }
  return chosen;
}

std::uint16_t StateDirector::stay() {
  const behavior::StateGraph& states = actor_.states();
  const graph::Node here = actor_.place().frame;
  const bool goes_on = states.graph.goes_on(here);
  const bool stays = goes_on && states.state_of[here + 1] == states.state_of[here];
  if (stays && random_.uniform() >= 1 / (kDwellSeconds * states.graph.rate)) return behavior::kGoOn;
  const std::uint16_t hop = draw_transition_within(states, here, random_);
  // A state without a transition to itself cannot be stayed in; then any way on will do.
  return hop == behavior::kGoOn && !goes_on ? std::uint16_t{0} : hop;
}

std::uint16_t StateDirector::choose_step() {
  const behavior::StateGraph& states = actor_.states();
  const graph::Node here = actor_.place().frame;
  if (has_action_) {
    const behavior::Step step = states.routes.to(action_, here);
    if (step.frames > 0) return step.hop;
  }
  // Within an action the way home leads to its end, for whole actions are left nowhere else.
  if (has_action_ || (states.state_of[here] == wanted_ && states.machine.states[wanted_].whole)) {
    has_action_ = false;
    wanted_ = static_cast<std::uint32_t>(states.machine.default_state);
  }
  return states.state_of[here] == wanted_ ? stay() : states.routes.towards(wanted_, here).hop;
}

bool StateDirector::next(const motion::Control& control, motion::StreamPose& pose) {
  listen(control.behavior);
  if (shown_) actor_.step(choose_step());
  shown_ = true;
  actor_.show(pose);
  return true;
}

}  // namespace loom::behavior
