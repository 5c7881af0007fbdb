// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/control/fighter.h>

namespace loom::control {
namespace {

constexpr double kLongAgo = -1e6;  ///< seconds: an activity never used

}  // namespace

Fighter::Fighter(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const graph::GraphMotion> motion,
                 std::shared_ptr<const StateBody> body, std::vector<behavior::Activity> activities,
                 const StatePlace& start, std::uint64_t seed)
    : states_(std::move(states)),
      body_(std::move(body)),
      actor_(states_, motion, start),
      activities_(std::move(activities)),
      used_(activities_.size(), kLongAgo),
      random_(seed),
      path_(start),
      reaction_(*motion->skeleton) {
  std::stable_sort(activities_.begin(), activities_.end(), [](const auto& a, const auto& b) {
    return a[behavior::Setting::kPriority] > b[behavior::Setting::kPriority];
  });
  for (const behavior::Activity& activity : activities_) {
    actions_.emplace_back();
    for (const std::uint32_t node : states_->routes.targets) {
      if (states_->nodes[node].state == activity.state) actions_.back().push_back(node);
    }
  }
}

std::optional<Blow> Fighter::blow() const {
  if (contact_steps_ == 0 || steps_ > contact_steps_) return std::nullopt;
  const std::optional<Strike>& strike = body_->strike(action_);
  const StatePlace then = path_.at(states_->graph, contact_steps_);
  return Blow{strike->limb, contact_steps_ - steps_, transform(then.world, body_->point(then.frame, strike->limb))};
}

const behavior::Activity* Fighter::decide(const Fighter& opponent, double now) {
  const Sight sight{*states_, *body_, place(), opponent.path(), opponent.steps(), opponent.blow()};
  steps_ = 0;
  contact_steps_ = 0;
  for (std::size_t a = 0; a < activities_.size(); ++a) {
    const behavior::Activity& activity = activities_[a];
    if (now - used_[a] < static_cast<double>(activity[behavior::Setting::kRest])) continue;
    const Offer offer = consider(activity, sight, actions_[a], random_);
    if (!offer.reasonable || offer.path.length() == 0) continue;
    if (random_.uniform() >= static_cast<double>(activity[behavior::Setting::kEager])) continue;
    path_ = offer.path;
    action_ = offer.node;
    contact_steps_ = offer.contact_steps;
    used_[a] = now + path_.length() / states_->graph.rate;
    return &activity;
  }
  path_ = idle_path(*states_, place(), random_);
  return nullptr;
}

void Fighter::advance() {
  actor_.step(path_.hop_after(steps_));
  ++steps_;
  reaction_.step(static_cast<float>(1 / states_->graph.rate));
}

void Fighter::shift(Vec3 by) {
  actor_.shift(by);
  path_.shift(by);
}

void Fighter::show(motion::StreamPose& pose) const {
  actor_.show(pose);
  reaction_.apply(pose.rotations);
}

}  // namespace loom::control
