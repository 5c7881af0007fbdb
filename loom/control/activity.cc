// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <loom/control/activity.h>

namespace loom::control {
namespace {

using behavior::Activity;
using behavior::Setting;

constexpr double kAheadSeconds = 0.2;     ///< how far ahead a transition of a shadowing step may lie
constexpr double kLookSeconds = 0.7;      ///< how far beyond it a shadowing step is judged
constexpr double kCommitSeconds = 0.25;   ///< how much of it is done before deciding anew
constexpr float kJoinCost = 0.12f;        ///< of a transition, so that steps are not changed for nothing
constexpr float kShortRunCost = 0.3f;     ///< of a recording that ends before one has looked
constexpr float kRoughness = 0.2f;        ///< times the cost of a transition
constexpr float kPersonalSpace = 0.75f;   ///< metres between roots; nearer costs dearly
constexpr float kTooClose = 0.6f;         ///< metres between roots: no blow is dealt from nearer
constexpr float kCrowding = 4.0f;         ///< cost of a metre nearer than that
constexpr float kFarthestAttack = 2.2f;   ///< metres between roots: farther needs no looking
constexpr float kSinksIn = 0.06f;         ///< metres a limb may be deep in its target without harm to the eye
constexpr float kDeepest = 0.16f;         ///< metres: deeper than this would be a blow through the body
constexpr float kTakesTime = 0.1f;        ///< metres of missing that a second of waiting is worth
constexpr float kVariety = 0.05f;         ///< metres, at random, so that the same action is not always the best
constexpr float kClearance = 2.0f;        ///< how much a metre out of the blow's way is worth, against one of distance
constexpr float kEnoughClearance = 0.3f;  ///< metres: more is not better

std::uint32_t in_steps(const Sight& sight, double seconds) {
  return static_cast<std::uint32_t>(std::llround(seconds * sight.states.graph.rate));
}

motion::GroundFrame stand(const Sight& sight, const StatePlace& place) {
  return place.world * sight.body.ground(place.frame);
}

Vec3 point(const Sight& sight, const StatePlace& place, BodyPoint which) {
  return transform(place.world, sight.body.point(place.frame, which));
}

float between(const motion::GroundFrame& a, const motion::GroundFrame& b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// How near a blow comes to the nearest of the points: the gap between surfaces, negative where it sinks in.
float gap(const Sight& sight, Vec3 limb_at, BodyPoint limb, const StatePlace& place, BodyPoint target) {
  return distance(limb_at, point(sight, place, target)) - thickness(target) - thickness(limb);
}

/// Where one arrives on the stored way to an action.
struct Arrival {
  StatePlace place;
  std::uint32_t steps = 0;
};

std::optional<Arrival> arrive(const Sight& sight, std::uint32_t node, double delay) {
  Arrival arrival{sight.here, 0};
  behavior::Step step = sight.states.routes.to(node, sight.here.frame);
  if (step.frames > delay * sight.states.graph.rate) return std::nullopt;
  while (step.frames > 0) {
    arrival.place = next_place(sight.states.graph, arrival.place, step.hop);
    ++arrival.steps;
    step = sight.states.routes.to(node, arrival.place.frame);
  }
  return arrival;
}

/// The path to an action and through it, back to the default state.
bool plan_action(const Sight& sight, std::uint32_t node, Offer& offer) {
  offer.path = StatePath(sight.here);
  offer.node = node;
  const auto home = static_cast<std::uint32_t>(sight.states.machine.default_state);
  return add_route(sight.states, node, offer.path) && add_way_to(sight.states, home, offer.path);
}

// --- Shadow

/// What it costs to end a step at `place`, `steps` from now.
float shadow_cost(const Activity& activity, const Sight& sight, const StatePlace& place, std::uint32_t steps) {
  const motion::GroundFrame own = stand(sight, place), other = stand(sight, sight.opponent(steps));
  const float apart = between(own, other);
  const float bearing = std::atan2(other.x - own.x, other.z - own.z);
  const float turned = std::abs(wrap_angle(bearing - own.heading - sight.body.aim()));
  return activity[Setting::kDistanceWeight] * std::abs(apart - activity[Setting::kDistance]) +
         activity[Setting::kFacingWeight] * turned + kCrowding * std::max(0.0f, kPersonalSpace - apart);
}

/// The last frame one reaches by going on for `steps` from `frame` without leaving the state.
graph::Node go_on_within(const Sight& sight, graph::Node frame, std::uint32_t steps) {
  const std::uint32_t state = sight.states.state_of[frame];
  while (steps > 0 && sight.states.graph.goes_on(frame) && sight.states.state_of[frame + 1] == state) {
    ++frame;
    --steps;
  }
  return frame;
}

/// A step of footwork: go on to `leave`, over the transition `hop`, or none.
struct Footwork {
  graph::Node leave = 0;
  std::uint16_t hop = behavior::kGoOn;
  float cost = std::numeric_limits<float>::infinity();
};

Footwork best_footwork(const Activity& activity, const Sight& sight, Random& random) {
  const graph::MotionGraph& graph = sight.states.graph;
  const std::uint32_t look = in_steps(sight, kLookSeconds), state = sight.states.state_of[sight.here.frame];
  const graph::Node end = go_on_within(sight, sight.here.frame, look);
  Footwork best;
  const auto judge = [&](graph::Node leave, std::uint16_t hop, const StatePlace& place, std::uint32_t before,
                         float extra) {
    const graph::Node last = go_on_within(sight, place.frame, look);
    const std::uint32_t steps = before + (last - place.frame);
    const float lacking = 1 - static_cast<float>(last - place.frame) / static_cast<float>(look);
    const float cost = shadow_cost(activity, sight, {last, place.world}, steps) + extra + kShortRunCost * lacking +
                       kVariety * static_cast<float>(random.uniform());
    if (cost < best.cost) best = {leave, hop, cost};
  };
  if (end > sight.here.frame) judge(end, behavior::kGoOn, sight.here, 0, 0);
  const graph::Node window = std::min(end, sight.here.frame + in_steps(sight, kAheadSeconds));
  // Where the recording ends sooner than the window, its last frame is among those looked at.
  for (graph::Node n = sight.here.frame; n <= window; ++n) {
    const auto transitions = graph.transitions_of(n);
    for (std::size_t t = 0; t < transitions.size(); ++t) {
      if (sight.states.state_of[transitions[t].to] != state) continue;
      const auto hop = static_cast<std::uint16_t>(t);
      judge(n, hop, next_place(graph, {n, sight.here.world}, hop), n - sight.here.frame + 1,
            kJoinCost + kRoughness * transitions[t].cost);
    }
  }
  return best;
}

Offer consider_shadow(const Activity& activity, const Sight& sight, Random& random) {
  Offer offer;
  offer.path = StatePath(sight.here);
  const graph::MotionGraph& graph = sight.states.graph;
  if (sight.states.state_of[sight.here.frame] != activity.state) {
    offer.reasonable = add_way_to(sight.states, static_cast<std::uint32_t>(activity.state), offer.path);
    return offer;
  }
  const Footwork best = best_footwork(activity, sight, random);
  offer.cost = best.cost;
  if (!(best.cost < std::numeric_limits<float>::infinity())) {
    offer.path = idle_path(sight.states, sight.here, random);
    offer.reasonable = true;
    return offer;
  }
  const std::uint32_t commit = in_steps(sight, kCommitSeconds);
  if (best.hop == behavior::kGoOn) {
    while (offer.path.length() < commit && offer.path.end().frame < best.leave) offer.path.add(graph, behavior::kGoOn);
  } else {
    while (offer.path.end().frame < best.leave) offer.path.add(graph, behavior::kGoOn);
    offer.path.add(graph, best.hop);
    const graph::Node last = go_on_within(sight, offer.path.end().frame, commit);
    while (offer.path.end().frame < last) offer.path.add(graph, behavior::kGoOn);
  }
  offer.reasonable = true;
  return offer;
}

// --- Attack

bool is_target(const Activity& activity, BodyPoint target) {
  switch (target) {
    case BodyPoint::kHead:
      return activity[Setting::kHead] > 0;
    case BodyPoint::kChest:
      return activity[Setting::kChest] > 0;
    default:
      return activity[Setting::kAbdomen] > 0;
  }
}

Offer consider_attack(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions,
                      Random& random) {
  Offer offer;
  if (between(stand(sight, sight.here), stand(sight, sight.opponent(0))) > kFarthestAttack) return offer;
  float best = std::numeric_limits<float>::infinity(), best_miss = 0;
  std::uint32_t chosen = 0;
  for (const std::uint32_t node : actions) {
    const std::optional<Strike>& strike = sight.body.strike(node);
    if (!strike) continue;
    const auto arrival = arrive(sight, node, activity[Setting::kDelay]);
    if (!arrival || arrival->place.frame > strike->contact) continue;
    const std::uint32_t steps = arrival->steps + (strike->contact - arrival->place.frame);
    const StatePlace opponent = sight.opponent(steps);
    const StatePlace dealing{strike->contact, arrival->place.world};
    if (between(stand(sight, dealing), stand(sight, opponent)) < kTooClose) continue;
    const Vec3 limb = point(sight, dealing, strike->limb);
    float deepest = 0, miss = std::numeric_limits<float>::infinity();
    for (const BodyPoint target : kTargets) {
      const float apart = gap(sight, limb, strike->limb, opponent, target);
      deepest = std::max(deepest, -apart);
      if (is_target(activity, target)) miss = std::min(miss, std::max(apart, -apart - kSinksIn));
    }
    if (deepest > kDeepest) continue;
    const float cost = miss + kTakesTime * static_cast<float>(steps / sight.states.graph.rate) +
                       kVariety * static_cast<float>(random.uniform());
    if (cost >= best) continue;
    best = cost;
    best_miss = miss;
    chosen = node;
    offer.contact_steps = steps;
  }
  offer.cost = best;
  if (best < std::numeric_limits<float>::infinity() && best_miss <= activity[Setting::kReach]) {
    offer.reasonable = plan_action(sight, chosen, offer);
  }
  return offer;
}

// --- Evade

/// The smallest gap between the blow and the body of one who will be at `place` when it comes.
float blow_gap(const Sight& sight, const Blow& blow, const StatePlace& place) {
  float least = std::numeric_limits<float>::infinity();
  for (const BodyPoint target : kTargets) least = std::min(least, gap(sight, blow.place, blow.limb, place, target));
  return least;
}

bool must_evade(const Activity& activity, const Sight& sight) {
  if (between(stand(sight, sight.here), stand(sight, sight.opponent(0))) < activity[Setting::kNear]) return true;
  return sight.blow && blow_gap(sight, *sight.blow, sight.here) < activity[Setting::kDanger];
}

Offer consider_evade(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions,
                     Random& random) {
  Offer offer;
  if (!must_evade(activity, sight)) return offer;
  float best = std::numeric_limits<float>::infinity();
  std::uint32_t chosen = 0;
  for (const std::uint32_t node : actions) {
    const auto arrival = arrive(sight, node, activity[Setting::kDelay]);
    if (!arrival) continue;
    const graph::Node last = sight.states.nodes[node].end - 1;
    const std::uint32_t steps = arrival->steps + (last - arrival->place.frame);
    float cost = -between(stand(sight, {last, arrival->place.world}), stand(sight, sight.opponent(steps))) +
                 kVariety * static_cast<float>(random.uniform());
    if (sight.blow) {
      const std::uint32_t until = sight.blow->steps;
      const graph::Node then = until < arrival->steps ? arrival->place.frame
                                                      : std::min(arrival->place.frame + (until - arrival->steps), last);
      cost -= kClearance * std::min(blow_gap(sight, *sight.blow, {then, arrival->place.world}), kEnoughClearance);
    }
    if (cost >= best) continue;
    best = cost;
    chosen = node;
  }
  offer.cost = best;
  if (best < std::numeric_limits<float>::infinity()) offer.reasonable = plan_action(sight, chosen, offer);
  return offer;
}

}  // namespace

Offer consider(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions, Random& random) {
  switch (activity.kind) {
    case behavior::ActivityKind::kAttack:
      return consider_attack(activity, sight, actions, random);
    case behavior::ActivityKind::kEvade:
      return consider_evade(activity, sight, actions, random);
    case behavior::ActivityKind::kShadow:
      break;
  }
  return consider_shadow(activity, sight, random);
}

StatePath idle_path(const behavior::StateGraph& states, const StatePlace& here, Random& random) {
  StatePath path(here);
  const auto home = static_cast<std::uint32_t>(states.machine.default_state);
  const std::uint32_t state = states.state_of[here.frame];
  if (state != home && add_way_to(states, home, path) && path.length() > 0) return path;
  const bool goes_on = states.graph.goes_on(here.frame);
  const bool stays = goes_on && states.state_of[here.frame + 1] == state;
  std::uint16_t hop = stays ? behavior::kGoOn : draw_transition_within(states, here.frame, random);
  if (hop == behavior::kGoOn && !goes_on) hop = 0;
  path.add(states.graph, hop);
  return path;
}

}  // namespace loom::control
