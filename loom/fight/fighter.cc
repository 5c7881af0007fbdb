// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/fight/fighter.h>
#include <loom/fight/footwork.h>
#include <loom/take/take_set.h>

namespace loom::fight {
namespace {

constexpr double kLongAgo = -1e6;  ///< seconds: an activity never used

// Of turning to the opponent.
constexpr float kTurnGain = 5.0f;   ///< radians a second for a radian off
constexpr float kTurnEase = 22.0f;  ///< radians a second each second: how quickly turning comes and goes

// Of waiting.
constexpr double kPatience = 1.2;    ///< seconds in which nothing happens that are as they should be
constexpr double kImpatience = 1.6;  ///< seconds in which impatience grows to its full

// Of hits.
constexpr float kFeltBlow = 1.5f;        ///< metres a second: lighter blows are not worth a motion of their own
constexpr float kHighFoot = 0.25f;       ///< metres: whoever has a foot so high is in the midst of a kick
constexpr float kStepsBack = 3.0f;       ///< metres a second: harder blows make one step
constexpr float kSteppingSpeed = 0.16f;  ///< metres a second of stepping for each of the blow
// How far a blow of a metre a second throws head and middle, metres; a reaction is judged by how near it comes to that.
constexpr float kHeadThrown = 0.05f, kTrunkThrown = 0.025f, kMiddleThrown = 0.02f, kFolds = 0.03f;
constexpr float kFootOff = 0.1f;         ///< metres a foot that stands may be from where the reaction has it
constexpr float kFootLands = 0.5f;       ///< metres one in the air may be from it
constexpr float kMostTurned = 0.35f;     ///< radians a body is turned for that
constexpr float kRatherThanNone = 1.5f;  ///< times as far from it as staying is, a reaction is still taken
constexpr float kAnyReaction = 0.04f;    ///< metres, at random, so that the same reaction is not always the best

/// How a hit should throw the body, in the world.
Throw wanted_throw(const Hit& hit) {
  const Vec3 blow{hit.blow.x, 0.3f * hit.blow.y, hit.blow.z};
  switch (hit.part) {
    case BodyPoint::kHead:
      return {blow * kHeadThrown, blow * kMiddleThrown, 0};
    case BodyPoint::kAbdomen:  // folds over the fist
      return {-blow * kMiddleThrown - Vec3{0, kFolds * length(blow), 0}, blow * kTrunkThrown, 0};
    default:
      return {blow * kTrunkThrown, blow * (0.8f * kTrunkThrown), 0};
  }
}

}  // namespace

Fighter::Fighter(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const take::TakeSet> motion,
                 std::shared_ptr<const StateBody> body, std::vector<Activity> activities,
                 const behavior::StatePlace& start, std::uint64_t seed)
    : states_(std::move(states)),
      body_(std::move(body)),
      actor_(states_, motion, start),
      done_(states_->nodes.size(), kLongAgo),
      random_(seed),
      path_(start),
      reaction_(motion->skeleton),
      coming_actor_(actor_),
      coming_reaction_(reaction_) {
  for (const Activity& activity : activities) {
    if (activity.kind != ActivityKind::kReact) continue;
    for (const std::uint32_t node : states_->nodes_of_state(static_cast<std::uint32_t>(activity.state))) {
      reactions_.emplace_back(node, body_->thrown(*states_, node));
    }
  }
  restyle(std::move(activities));
}

void Fighter::restyle(std::vector<Activity> activities) {
  std::stable_sort(activities.begin(), activities.end(),
                   [](const auto& a, const auto& b) { return a[Setting::kPriority] > b[Setting::kPriority]; });
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
  const behavior::StatePlace then = path_.at(states_->graph, contact_steps_);
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
  if (activities_[activity].kind != ActivityKind::kShadow) done_[action_] = now;
  used_[activity] = now + path_.length() / states_->graph.rate;
}

const Activity* Fighter::obey(const Sight& sight, double now) {
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

const Activity* Fighter::decide(const Fighter& opponent, double now, double quiet) {
  const double impatience = std::clamp((quiet - kPatience) / kImpatience, 0.0, 1.0);
  const Sight sight{
      *states_, *body_, place(), opponent.path(), opponent.steps(), opponent.blow(), static_cast<float>(impatience),
      now,      done_};
  steps_ = 0;
  contact_steps_ = 0;
  free_steps_ = 0;
  if (wish_) return obey(sight, now);
  for (std::size_t a = 0; a < activities_.size(); ++a) {
    const Activity& activity = activities_[a];
    if (activity.kind == ActivityKind::kReact) continue;
    const auto eager = static_cast<double>(activity[Setting::kEager]);
    if (now - used_[a] < static_cast<double>(activity[Setting::kRest]) * (1 - impatience)) continue;
    const Offer offer = consider(activity, sight, actions_[a], random_);
    if (!offer.reasonable || offer.path.length() == 0) continue;
    // What is never done (eager 0) is not done out of impatience either.
    if (random_.uniform() >= (eager > 0 ? eager + (1 - eager) * impatience : 0)) continue;
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

void Fighter::face(const motion::GroundFrame& opponent) {
  const auto seconds = static_cast<float>(1 / states_->graph.rate);
  const graph::Node frame = place().frame;
  const bool left = body_->stands_on(frame, true), right = body_->stands_on(frame, false);
  const motion::GroundFrame own = stand();
  const float off = wrap_angle(bearing(own, opponent) - own.heading - body_->aim());
  const bool may = !(left && right) && !blow() && std::abs(off) > kTurnedEnough;
  const float wanted = may ? std::clamp(kTurnGain * off, -kTurnSpeed, kTurnSpeed) : 0;
  turning_ += std::clamp(wanted - turning_, -kTurnEase * seconds, kTurnEase * seconds);
  if (std::abs(turning_) < 1e-4f) return;
  Vec3 pivot = own.position();
  if (left != right) {
    pivot = transform(place().world, body_->point(frame, left ? BodyPoint::kLeftFoot : BodyPoint::kRightFoot));
  }
  const motion::GroundFrame turn{pivot.x, pivot.z, turning_ * seconds}, back{-pivot.x, -pivot.z, 0};
  actor_.move(turn * back);
  path_.move(turn * back);
}

void Fighter::shift(Vec3 by) {
  actor_.move({by.x, by.z, 0});
  path_.move({by.x, by.z, 0});
}

/// Where the clip of `begin` has to lie for its feet to be where they are now, the body turned as little as that takes;
/// nothing where one that stands would have to slide. A foot in the air comes down where the reaction has it.
std::optional<motion::GroundFrame> Fighter::on_same_feet(graph::Node begin) const {
  static constexpr std::array<BodyPoint, 2> kFeet = {BodyPoint::kLeftFoot, BodyPoint::kRightFoot};
  std::array<Vec3, 2> now, then;
  std::array<bool, 2> stands{};
  for (std::size_t side = 0; side < 2; ++side) {
    stands[side] = body_->stands_on(place().frame, side == 0);
    now[side] = transform(place().world, body_->point(place().frame, kFeet[side]));
    then[side] = body_->point(begin, kFeet[side]);
  }
  motion::GroundFrame world = stand() * inverse(body_->ground(begin));
  if (stands[0] && stands[1]) {
    const Vec3 across = now[1] - now[0], had = transform(world, then[1]) - transform(world, then[0]);
    const float turn = wrap_angle(std::atan2(across.x, across.z) - std::atan2(had.x, had.z));
    world = motion::GroundFrame{0, 0, std::clamp(turn, -kMostTurned, kMostTurned)} * world;
  }
  Vec3 off;
  float standing = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!stands[side]) continue;
    off += now[side] - transform(world, then[side]);
    ++standing;
  }
  if (standing == 0) return std::nullopt;
  off = off / standing;
  world = motion::GroundFrame{off.x, off.z, 0} * world;
  for (std::size_t side = 0; side < 2; ++side) {
    const Vec3 way = now[side] - transform(world, then[side]);
    if (std::hypot(way.x, way.z) > (stands[side] ? kFootOff : kFootLands)) return std::nullopt;
  }
  return world;
}

/// The reaction that throws the body most nearly as the hit should; nothing where all are far from it.
std::optional<Fighter::Reaction> Fighter::choose_reaction(const Hit& hit) {
  const Throw wanted = wanted_throw(hit);
  const motion::GroundFrame home = inverse(motion::GroundFrame{0, 0, stand().heading});
  const Vec3 head = transform(home, wanted.head), middle = transform(home, wanted.middle);
  float best = kRatherThanNone * (length(head) + length(middle));
  std::optional<Reaction> chosen;
  for (const auto& [node, thrown] : reactions_) {
    const auto world = on_same_feet(thrown.onset);
    if (!world) continue;
    const float cost = distance(thrown.head, head) + distance(thrown.middle, middle) +
                       kAnyReaction * static_cast<float>(random_.uniform());
    if (cost >= best) continue;
    best = cost;
    chosen = Reaction{node, {thrown.onset, *world}};
  }
  return chosen;
}

void Fighter::step_back(const Hit& hit, const Fighter& opponent) {
  const Sight sight{*states_, *body_, place(), opponent.path(), opponent.steps(), {}};
  FootworkGoal goal;
  goal.facing_weight = 0.4f;
  goal.velocity = Vec3{hit.blow.x, 0, hit.blow.z} * kSteppingSpeed;
  goal.velocity_weight = 2;
  const Footwork steps = find_footwork(goal, sight, random_);
  if (steps.path.length() == 0) return;
  path_ = steps.path;
  steps_ = contact_steps_ = free_steps_ = 0;
}

void Fighter::take(const Hit& hit, std::span<const Quat> world, float feet, const Fighter& opponent) {
  const float speed = length(hit.blow);
  const auto reaction = speed >= kFeltBlow && feet < kHighFoot ? choose_reaction(hit) : std::nullopt;
  reaction_.take(hit, world, reaction.has_value());
  const auto home = static_cast<std::uint32_t>(states_->machine.default_state);
  if (!reaction) {
    if (speed >= kStepsBack && states_->state_of[place().frame] == home) step_back(hit, opponent);
    return;
  }
  behavior::StatePath path(reaction->begin);
  while (path.end().frame + 1 < states_->nodes[reaction->node].end) path.add(states_->graph, behavior::kGoOn);
  const std::uint32_t last = path.length();
  if (!behavior::add_way_to(*states_, home, path)) return;
  actor_.cut(path.at(states_->graph, 0));
  path_ = path;
  action_ = reaction->node;
  steps_ = contact_steps_ = 0;
  free_steps_ = last;
}

void Fighter::show(motion::StreamPose& pose) const {
  actor_.show(pose);
  reaction_.apply(pose.root, pose.rotations);
}

void Fighter::show_next(motion::StreamPose& pose, bool again) {
  if (!again) {
    coming_actor_ = actor_;
    coming_reaction_ = reaction_;
    coming_steps_ = steps_;
  }
  if (coming_steps_ < path_.length()) {
    coming_actor_.step(path_.hop_after(coming_steps_++));
  } else if (states_->graph.goes_on(coming_actor_.place().frame)) {
    coming_actor_.step(behavior::kGoOn);
  }
  coming_reaction_.step(static_cast<float>(1 / states_->graph.rate));
  coming_actor_.show(pose);
  coming_reaction_.apply(pose.root, pose.rotations);
}

}  // namespace loom::fight
