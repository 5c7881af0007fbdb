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
      random_(seed),
      path_(start),
      reaction_(*motion->skeleton) {
  restyle(std::move(activities));
}

void Fighter::restyle(std::vector<behavior::Activity> activities) {
  std::stable_sort(activities.begin(), activities.end(), [](const auto& a, const auto& b) {
    return a[behavior::Setting::kPriority] > b[behavior::Setting::kPriority];
  });
  std::vector<double> used(activities.size(), kLongAgo);
  std::vector<std::vector<std::uint32_t>> actions(activities.size());
  for (std::size_t a = 0; a < activities.size(); ++a) {
    for (std::size_t old = 0; old < activities_.size(); ++old) {
      if (activities_[old].name == activities[a].name) used[a] = used_[old];
    }
    for (const std::uint32_t node : states_->routes.targets) {
      if (states_->nodes[node].state == activities[a].state) actions[a].push_back(node);
    }
  }
  activities_ = std::move(activities);
  used_ = std::move(used);
  actions_ = std::move(actions);
}

std::optional<Blow> Fighter::blow() const {
  if (contact_steps_ == 0 || steps_ > contact_steps_) return std::nullopt;
  const std::optional<Strike>& strike = body_->strike(action_);
  const StatePlace then = path_.at(states_->graph, contact_steps_);
  return Blow{strike->limb, contact_steps_ - steps_, transform(then.world, body_->point(then.frame, strike->limb))};
}

void Fighter::steer(const std::optional<FighterWish>& wish, double now) {
  const Act kept = wish && wish->act == Act::kNothing ? pending(now) : Act::kNothing;
  if (kept == Act::kNothing) wished_ = now;
  wish_ = wish;
  if (kept != Act::kNothing) wish_->act = kept;
}

Act Fighter::pending(double now) const {
  return wish_ && now - wished_ <= kRememberSeconds ? wish_->act : Act::kNothing;
}

bool Fighter::must_decide(double now) const {
  if (steps_ >= path_.length()) return true;
  if (!wish_ || acting()) return false;
  return pending(now) != Act::kNothing || wish_->move != moving_;
}

void Fighter::take(const Offer& offer, std::size_t activity, double now) {
  path_ = offer.path;
  action_ = offer.node;
  contact_steps_ = offer.contact_steps;
  free_steps_ = offer.last_steps;
  used_[activity] = now + path_.length() / states_->graph.rate;
}

const behavior::Activity* Fighter::obey(const Sight& sight, double now) {
  const FighterWish wish{wish_->move, pending(now)};
  wish_->act = Act::kNothing;
  moving_ = wish.move;
  for (std::size_t a = 0; a < activities_.size(); ++a) {
    if (!can_answer(activities_[a], wish.act)) continue;
    const Offer offer = answer(wish, activities_[a], sight, actions_[a], random_);
    if (!offer.reasonable || offer.path.length() == 0) continue;
    take(offer, a, now);
    return &activities_[a];
  }
  path_ = answer_move(wish.move, sight, random_);
  return nullptr;
}

const behavior::Activity* Fighter::decide(const Fighter& opponent, double now) {
  const Sight sight{*states_, *body_, place(), opponent.path(), opponent.steps(), opponent.blow()};
  steps_ = 0;
  contact_steps_ = 0;
  free_steps_ = 0;
  if (wish_) return obey(sight, now);
  for (std::size_t a = 0; a < activities_.size(); ++a) {
    const behavior::Activity& activity = activities_[a];
    if (now - used_[a] < static_cast<double>(activity[behavior::Setting::kRest])) continue;
    const Offer offer = consider(activity, sight, actions_[a], random_);
    if (!offer.reasonable || offer.path.length() == 0) continue;
    if (random_.uniform() >= static_cast<double>(activity[behavior::Setting::kEager])) continue;
    take(offer, a, now);
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
