// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <loom/fight/activity.h>
#include <loom/fight/footwork.h>
#include <loom/motion/body_capsules.h>

namespace loom::fight {
namespace {

constexpr float kTooClose = 0.6f;         ///< metres between roots: no blow is dealt from nearer
constexpr float kFarthestAttack = 2.2f;   ///< metres between roots: farther needs no looking
constexpr float kSinksIn = 0.06f;         ///< metres a limb may be deep in its target without harm to the eye
constexpr float kDeepest = 0.16f;         ///< metres: deeper than this would be a blow through the body
constexpr float kTakesTime = 0.1f;        ///< metres of missing that a second of waiting is worth
constexpr float kVariety = 0.05f;         ///< metres, at random, so that the same action is not always the best
constexpr float kRepeats = 0.12f;         ///< metres of missing that doing just the same again is worth
constexpr float kEvadesAlike = 1.0f;      ///< metres of distance that evading in just the same way again is worth
constexpr float kLegRoom = 0.08f;         ///< metres from the middle of a leg to its surface, about
constexpr float kClashes = 4.0f;          ///< metres of missing that a metre of kicking into a leg that kicks is worth
constexpr float kMostClash = 0.08f;       ///< metres: deeper is not kicked at all
constexpr float kClearance = 2.0f;        ///< how much a metre out of the blow's way is worth, against one of distance
constexpr float kEnoughClearance = 0.3f;  ///< metres: more is not better
constexpr float kElbowRoom = 0.6f;        ///< metres between roots; an action that comes nearer on its way ...
constexpr float kRunsInto = 4.0f;         ///< ... is worth that much less for each metre
constexpr float kKickHeight = 0.3f;       ///< metres: a foot above it kicks
constexpr double kLookEvery = 0.1;        ///< seconds between the moments of an action that are looked at

// Of what is done when nothing has happened for a while.
constexpr float kStrikingRoom = 0.05f;  ///< metres from the reach of blows at which one waits for an opening
constexpr float kBolder = 0.3f;         ///< metres a blow may miss by more
constexpr float kFaces = 1.0f;          ///< radians turned away from the opponent within which a blow makes sense
constexpr double kDetour = 1.5;         ///< seconds more that the way to an action may take
constexpr float kCramped = 0.8f;        ///< metres between roots: nearer, one gets away first

// Of what a player asks for.
constexpr double kLongestDelay = 10;   ///< seconds: a player is obeyed, however long the way
constexpr float kKeepsWaiting = 2.5f;  ///< metres of missing that a second until the action begins is worth
constexpr float kGoesThrough = 4.0f;   ///< metres of missing that a metre through the body is worth
constexpr float kLeaning = 2.0f;  ///< metres of distance that a metre of the head's way to the side asked for is worth
constexpr float kStepSpeed = 0.8f;  ///< metres a second asked of steps: faster than they are, so the quickest are taken
constexpr float kMoves = 2.0f;      ///< cost of a metre a second off what was asked
constexpr float kFacing = 0.8f;     ///< cost of a radian turned away meanwhile

float lerp_to(float from, float to, float share) { return from + (to - from) * share; }

/// How near a blow comes to the nearest of the points: the gap between surfaces, negative where it sinks in.
float gap(const Sight& sight, Vec3 limb_at, BodyPoint limb, const behavior::StatePlace& place, BodyPoint target) {
  return distance(limb_at, sight.point(place, target)) - thickness(target) - thickness(limb);
}

/// Where one arrives on the stored way to an action.
struct Arrival {
  behavior::StatePlace place;
  std::uint32_t steps = 0;
};

std::optional<Arrival> arrive(const Sight& sight, std::uint32_t node, double delay) {
  Arrival arrival{sight.here, 0};
  behavior::Step step = sight.states.routes.to(node, sight.here.frame);
  if (step.frames > delay * sight.states.graph.rate) return std::nullopt;
  while (step.frames > 0) {
    arrival.place = behavior::next_place(sight.states.graph, arrival.place, step.hop);
    ++arrival.steps;
    step = sight.states.routes.to(node, arrival.place.frame);
  }
  return arrival;
}

/// How long the way to an action of this activity may be, seconds: whoever stands where none begins has to go there.
double delay_of(const Activity& activity, const Sight& sight) {
  return static_cast<double>(activity[Setting::kDelay]) + kDetour * static_cast<double>(sight.impatience);
}

/// How far one is turned away from the opponent, radians.
float turned_away(const Sight& sight) {
  const motion::GroundFrame own = sight.stand(sight.here), other = sight.stand(sight.opponent(0));
  return std::abs(wrap_angle(bearing(own, other) - own.heading - sight.body.aim()));
}

/// Whether an action is over soon enough for this activity.
bool short_enough(const Activity& activity, const Sight& sight, std::uint32_t node) {
  const behavior::StateNode& action = sight.states.nodes[node];
  return static_cast<double>(action.end - action.begin) <=
         static_cast<double>(activity[Setting::kLongest]) * sight.states.graph.rate;
}

/// The path to an action and through it, back to the default state.
bool plan_action(const Sight& sight, std::uint32_t node, Offer& offer) {
  offer.path = behavior::StatePath(sight.here);
  offer.node = node;
  const auto home = static_cast<std::uint32_t>(sight.states.machine.default_state);
  if (!behavior::add_route(sight.states, node, offer.path)) return false;
  offer.last_steps = offer.path.length() + (sight.states.nodes[node].end - 1 - offer.path.end().frame);
  return behavior::add_way_to(sight.states, home, offer.path);
}

/// How much nearer than elbow room an action comes to the opponent on its way, metres.
float runs_into(const Sight& sight, const Arrival& arrival, graph::Node last) {
  float nearest = kElbowRoom;
  const std::uint32_t every = std::max(1u, sight.steps_in(kLookEvery));
  for (graph::Node n = arrival.place.frame; n <= last; n += every) {
    const std::uint32_t steps = arrival.steps + (n - arrival.place.frame);
    nearest = std::min(nearest, between(sight.stand({n, arrival.place.world}), sight.stand(sight.opponent(steps))));
  }
  return kElbowRoom - nearest;
}

bool is_foot(BodyPoint limb) { return limb == BodyPoint::kLeftFoot || limb == BodyPoint::kRightFoot; }

/// A leg as a rod from the middle of the body to the foot.
motion::Capsule leg_at(const Sight& sight, const behavior::StatePlace& place, BodyPoint foot) {
  return {sight.point(place, BodyPoint::kAbdomen), sight.point(place, foot), kLegRoom, kLegRoom};
}

/// How deep the leg of a kick goes into one that the opponent has in the air meanwhile, metres; 0 for a punch.
float clash(const Sight& sight, const Arrival& arrival, BodyPoint limb, graph::Node last) {
  float deepest = 0;
  const std::uint32_t every = std::max(1u, sight.steps_in(kLookEvery));
  for (graph::Node n = arrival.place.frame; is_foot(limb) && n <= last; n += every) {
    const behavior::StatePlace own{n, arrival.place.world};
    const behavior::StatePlace other = sight.opponent(arrival.steps + (n - arrival.place.frame));
    for (const BodyPoint foot : {BodyPoint::kLeftFoot, BodyPoint::kRightFoot}) {
      if (sight.point(other, foot).y < kKickHeight) continue;
      deepest = std::max(deepest, -motion::gap_between(leg_at(sight, own, limb), leg_at(sight, other, foot)).gap);
    }
  }
  return deepest;
}

// --- Shadow

Offer consider_shadow(const Activity& activity, const Sight& sight, Random& random) {
  Offer offer;
  offer.path = behavior::StatePath(sight.here);
  if (sight.states.state_of[sight.here.frame] != activity.state) {
    offer.reasonable = behavior::add_way_to(sight.states, static_cast<std::uint32_t>(activity.state), offer.path);
    return offer;
  }
  FootworkGoal goal;
  // Whoever has waited for long comes within reach.
  const float wanted = activity[Setting::kDistance], striking = sight.body.reach() + kStrikingRoom;
  goal.distance = sight.body.reach() > 0 ? lerp_to(wanted, std::min(wanted, striking), sight.impatience) : wanted;
  goal.distance_weight = activity[Setting::kDistanceWeight];
  goal.facing_weight = activity[Setting::kFacingWeight];
  const Footwork steps = find_footwork(goal, sight, random);
  offer.cost = steps.cost;
  offer.path = steps.path.length() > 0 ? steps.path : idle_path(sight.states, sight.here, random);
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

/// A blow as it would be dealt.
struct Prospect {
  std::uint32_t start = 0, contact = 0;  ///< steps until the action begins, and until its first contact
  float apart = 0;                       ///< metres between roots at the contact
  float miss = 0;                        ///< metres from the nearest target, or too deep in it
  float deepest = 0;                     ///< metres inside the body
  float crowds = 0;                      ///< metres nearer than elbow room on the way and back
  float clash = 0;                       ///< metres of a kicking leg inside another
};

/// Looks ahead to the contact of an action, if it strikes and can be had within `delay` seconds.
std::optional<Prospect> foresee(const Activity& activity, const Sight& sight, std::uint32_t node, double delay) {
  const std::optional<Strike>& strike = sight.body.strike(node);
  if (!strike || !short_enough(activity, sight, node)) return std::nullopt;
  const auto arrival = arrive(sight, node, delay);
  if (!arrival || arrival->place.frame > strike->contact) return std::nullopt;
  Prospect ahead;
  ahead.start = arrival->steps;
  ahead.contact = arrival->steps + (strike->contact - arrival->place.frame);
  const behavior::StatePlace opponent = sight.opponent(ahead.contact);
  const behavior::StatePlace dealing{strike->contact, arrival->place.world};
  ahead.apart = between(sight.stand(dealing), sight.stand(opponent));
  const Vec3 limb = sight.point(dealing, strike->limb);
  ahead.miss = std::numeric_limits<float>::infinity();
  for (const BodyPoint target : kTargets) {
    const float apart = gap(sight, limb, strike->limb, opponent, target);
    ahead.deepest = std::max(ahead.deepest, -apart);
    if (is_target(activity, target)) ahead.miss = std::min(ahead.miss, std::max(apart, -apart - kSinksIn));
  }
  const graph::Node last = sight.states.nodes[node].end - 1;
  ahead.crowds = runs_into(sight, *arrival, last);
  ahead.clash = clash(sight, *arrival, strike->limb, last);
  return ahead;
}

Offer consider_attack(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions,
                      Random& random) {
  Offer offer;
  const motion::GroundFrame own = sight.stand(sight.here), other = sight.stand(sight.opponent(0));
  if (between(own, other) > kFarthestAttack) return offer;
  // At the end of one's patience any blow in the right direction will do.
  const bool faces = turned_away(sight) < kFaces;
  const float bold = sight.impatience >= 1 && faces ? kFarthestAttack : kBolder * sight.impatience;
  float best = std::numeric_limits<float>::infinity();
  std::uint32_t chosen = 0;
  for (const std::uint32_t node : actions) {
    const auto ahead = foresee(activity, sight, node, delay_of(activity, sight));
    if (!ahead || ahead->apart < kTooClose || ahead->deepest > kDeepest || ahead->clash > kMostClash) continue;
    // A blow that one has just dealt is rather not dealt again, but one that lands is better than another that misses.
    const float off = ahead->miss + kRunsInto * ahead->crowds + kClashes * ahead->clash;
    if (off > activity[Setting::kReach] + bold) continue;
    const float cost = off + kTakesTime * static_cast<float>(ahead->contact / sight.states.graph.rate) +
                       kRepeats * sight.fresh(node) + kVariety * static_cast<float>(random.uniform());
    if (cost >= best) continue;
    best = cost;
    chosen = node;
    offer.contact_steps = ahead->contact;
  }
  offer.cost = best;
  if (best < std::numeric_limits<float>::infinity()) offer.reasonable = plan_action(sight, chosen, offer);
  return offer;
}

bool strikes_with(BodyPoint limb, Act act) { return is_foot(limb) == (act == Act::kKick); }

/// Of the blows asked for the best that can be had now, even where none will land.
Offer answer_attack(const Activity& activity, Act act, const Sight& sight, std::span<const std::uint32_t> actions,
                    Random& random) {
  Offer offer;
  offer.cost = std::numeric_limits<float>::infinity();
  std::uint32_t chosen = 0;
  for (const std::uint32_t node : actions) {
    const auto ahead = foresee(activity, sight, node, kLongestDelay);
    if (!ahead || !strikes_with(sight.body.strike(node)->limb, act)) continue;
    const auto seconds = [&](std::uint32_t steps) { return static_cast<float>(steps / sight.states.graph.rate); };
    const float cost = std::min(ahead->miss, kFarthestAttack) + kTakesTime * seconds(ahead->contact) +
                       kKeepsWaiting * seconds(ahead->start) +
                       kGoesThrough * std::max(0.0f, ahead->deepest - kDeepest) +
                       kVariety * static_cast<float>(random.uniform());
    if (cost >= offer.cost) continue;
    offer.cost = cost;
    chosen = node;
    offer.contact_steps = ahead->contact;
  }
  if (offer.cost < std::numeric_limits<float>::infinity()) offer.reasonable = plan_action(sight, chosen, offer);
  return offer;
}

// --- Evade

/// The smallest gap between the blow and the body of one who will be at `place` when it comes.
float blow_gap(const Sight& sight, const Blow& blow, const behavior::StatePlace& place) {
  float least = std::numeric_limits<float>::infinity();
  for (const BodyPoint target : kTargets) least = std::min(least, gap(sight, blow.place, blow.limb, place, target));
  return least;
}

bool must_evade(const Activity& activity, const Sight& sight) {
  const float apart = between(sight.stand(sight.here), sight.stand(sight.opponent(0)));
  if (apart < activity[Setting::kNear]) return true;
  // Two that are locked together, or back to back, get out of it by what takes them away.
  if (sight.impatience >= 1 && (apart < kCramped || turned_away(sight) > kFaces)) return true;
  return sight.blow && blow_gap(sight, *sight.blow, sight.here) < activity[Setting::kDanger];
}

/// How well an evasion serves: the opponent far at its end and never very near, the body out of the blow's way, and
/// gone, as far as the head goes, the way the player leans.
float evasion_cost(const Sight& sight, std::uint32_t node, const Arrival& arrival, Vec3 leaning, Random& random) {
  const graph::Node last = sight.states.nodes[node].end - 1;
  const std::uint32_t steps = arrival.steps + (last - arrival.place.frame);
  float cost = -between(sight.stand({last, arrival.place.world}), sight.stand(sight.opponent(steps))) +
               kRunsInto * runs_into(sight, arrival, last) + kVariety * static_cast<float>(random.uniform());
  if (sight.blow) {
    const std::uint32_t until = sight.blow->steps;
    const graph::Node then =
        until < arrival.steps ? arrival.place.frame : std::min(arrival.place.frame + (until - arrival.steps), last);
    cost -= kClearance * std::min(blow_gap(sight, *sight.blow, {then, arrival.place.world}), kEnoughClearance);
  }
  const behavior::StatePlace middle{arrival.place.frame + (last - arrival.place.frame) / 2, arrival.place.world};
  const Vec3 gone = sight.point(middle, BodyPoint::kHead) - sight.point(sight.here, BodyPoint::kHead);
  return cost - kLeaning * dot(gone, leaning);
}

/// Of the evasions that can be had within `delay` seconds the best; `waiting` is the cost of a second until it begins.
Offer choose_evasion(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions, double delay,
                     float waiting, Vec3 leaning, Random& random) {
  Offer offer;
  offer.cost = std::numeric_limits<float>::infinity();
  std::uint32_t chosen = 0;
  for (const std::uint32_t node : actions) {
    if (!short_enough(activity, sight, node)) continue;
    const auto arrival = arrive(sight, node, delay);
    if (!arrival) continue;
    const float cost = evasion_cost(sight, node, *arrival, leaning, random) + kEvadesAlike * sight.fresh(node) +
                       waiting * static_cast<float>(arrival->steps / sight.states.graph.rate);
    if (cost >= offer.cost) continue;
    offer.cost = cost;
    chosen = node;
  }
  if (offer.cost < std::numeric_limits<float>::infinity()) offer.reasonable = plan_action(sight, chosen, offer);
  return offer;
}

Offer consider_evade(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions,
                     Random& random) {
  if (!must_evade(activity, sight)) return {};
  return choose_evasion(activity, sight, actions, delay_of(activity, sight), 0, {}, random);
}

/// The way a move leads, a unit vector along the floor; zero where it leads nowhere.
Vec3 direction_of(Move move, const Sight& sight) {
  const float ahead = bearing(sight.stand(sight.here), sight.stand(sight.opponent(0)));
  const Vec3 forward{std::sin(ahead), 0, std::cos(ahead)}, left{std::cos(ahead), 0, -std::sin(ahead)};
  switch (move) {
    case Move::kForward:
      return forward;
    case Move::kBack:
      return -forward;
    case Move::kLeft:
      return left;
    case Move::kRight:
      return -left;
    case Move::kStay:
      break;
  }
  return {};
}

}  // namespace

Offer consider(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions, Random& random) {
  switch (activity.kind) {
    case ActivityKind::kAttack:
      return consider_attack(activity, sight, actions, random);
    case ActivityKind::kEvade:
      return consider_evade(activity, sight, actions, random);
    case ActivityKind::kReact:
      return {};
    case ActivityKind::kShadow:
      break;
  }
  return consider_shadow(activity, sight, random);
}

bool can_answer(const Activity& activity, Act act) {
  if (act == Act::kEvade) return activity.kind == ActivityKind::kEvade;
  return act != Act::kNothing && activity.kind == ActivityKind::kAttack;
}

Offer answer(const FighterWish& wish, const Activity& activity, const Sight& sight,
             std::span<const std::uint32_t> actions, Random& random) {
  if (wish.act != Act::kEvade) return answer_attack(activity, wish.act, sight, actions, random);
  return choose_evasion(activity, sight, actions, kLongestDelay, kKeepsWaiting, direction_of(wish.move, sight), random);
}

behavior::StatePath answer_move(Move move, const Sight& sight, Random& random) {
  const auto home = static_cast<std::uint32_t>(sight.states.machine.default_state);
  if (sight.states.state_of[sight.here.frame] == home) {
    FootworkGoal goal;
    goal.facing_weight = kFacing;
    goal.velocity = direction_of(move, sight) * kStepSpeed;
    goal.velocity_weight = kMoves;
    const Footwork steps = find_footwork(goal, sight, random);
    if (steps.path.length() > 0) return steps.path;
  }
  return idle_path(sight.states, sight.here, random);
}

behavior::StatePath idle_path(const behavior::StateGraph& states, const behavior::StatePlace& here, Random& random) {
  behavior::StatePath path(here);
  const auto home = static_cast<std::uint32_t>(states.machine.default_state);
  const std::uint32_t state = states.state_of[here.frame];
  if (state != home && behavior::add_way_to(states, home, path) && path.length() > 0) return path;
  const bool goes_on = states.graph.goes_on(here.frame);
  const bool stays = goes_on && states.state_of[here.frame + 1] == state;
  std::uint16_t hop = stays ? behavior::kGoOn : behavior::draw_transition_within(states, here.frame, random);
  if (hop == behavior::kGoOn && !goes_on) hop = 0;
  path.add(states.graph, hop);
  return path;
}

}  // namespace loom::fight
