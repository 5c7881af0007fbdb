// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <loom/fight/footwork.h>

namespace loom::fight {
namespace {

constexpr double kAheadSeconds = 0.2;    ///< how far ahead a transition may lie
constexpr double kAheadToMove = 0.4;     ///< the same where a velocity is asked for: how late it is tells by itself
constexpr double kLookSeconds = 0.7;     ///< how far beyond it a way is judged
constexpr double kCommitSeconds = 0.25;  ///< how much of it is done before deciding anew
constexpr float kJoinCost = 0.12f;       ///< of a transition, so that steps are not changed for nothing
constexpr float kShortRunCost = 0.3f;    ///< of a recording that ends before one has looked
constexpr float kRoughness = 0.2f;       ///< times the cost of a transition
constexpr float kPersonalSpace = 0.75f;  ///< metres between roots; nearer costs dearly
constexpr float kCrowding = 4.0f;        ///< cost of a metre nearer than that
constexpr float kTurnsStepping = 0.6f * kTurnSpeed;  ///< radians a second by which steps turn, about
constexpr float kEffort = 0.4f;                      ///< of a second with a foot in the air: nobody steps for nothing
constexpr float kStepVariety = 0.05f;                ///< at random, so that the same way is not always the best

/// What it costs to end at `place`, `steps` from now, having had a foot in the air for `stepping` of them.
float end_cost(const FootworkGoal& goal, const Sight& sight, const behavior::StatePlace& place, std::uint32_t steps,
               std::uint32_t stepping) {
  const motion::GroundFrame own = sight.stand(place), other = sight.stand(sight.opponent(steps));
  const float apart = between(own, other);
  // Whoever steps turns to the opponent meanwhile (Fighter::face).
  const float turns = kTurnsStepping * static_cast<float>(stepping / sight.states.graph.rate);
  const float off = std::abs(wrap_angle(bearing(own, other) - own.heading - sight.body.aim()));
  const float turned = std::max(std::min(off, kTurnedEnough), off - turns);
  return goal.distance_weight * std::abs(apart - goal.distance) + goal.facing_weight * turned +
         kCrowding * std::max(0.0f, kPersonalSpace - apart);
}

/// How far the mean velocity until `place`, `steps` from now, is off, metres a second.
float velocity_off(const FootworkGoal& goal, const Sight& sight, const behavior::StatePlace& place,
                   std::uint32_t steps) {
  const motion::GroundFrame now = sight.stand(sight.here), then = sight.stand(place);
  const auto a_second = static_cast<float>(sight.states.graph.rate / std::max(steps, 1u));
  return length(Vec3{then.x - now.x, 0, then.z - now.z} * a_second - goal.velocity);
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

/// A way on: go on to `leave`, over the transition `hop`, or none.
struct Way {
  graph::Node leave = 0;
  std::uint16_t hop = behavior::kGoOn;
  float cost = std::numeric_limits<float>::infinity();
};

Way best_way(const FootworkGoal& goal, const Sight& sight, Random& random) {
  const graph::MotionGraph& graph = sight.states.graph;
  const std::uint32_t look = sight.steps_in(kLookSeconds), state = sight.states.state_of[sight.here.frame];
  const graph::Node end = go_on_within(sight, sight.here.frame, look);
  Way best;
  const auto judge = [&](graph::Node leave, std::uint16_t hop, const behavior::StatePlace& place, std::uint32_t before,
                         float extra) {
    const graph::Node last = go_on_within(sight, place.frame, look);
    const std::uint32_t steps = before + (last - place.frame);
    const float lacking = 1 - static_cast<float>(last - place.frame) / static_cast<float>(look);
    const std::uint32_t stepping = sight.body.stepping(place.frame, last) +
                                   (hop == behavior::kGoOn ? 0 : sight.body.stepping(sight.here.frame, leave));
    float cost = end_cost(goal, sight, {last, place.world}, steps, stepping) + extra + kShortRunCost * lacking +
                 kEffort * static_cast<float>(stepping / sight.states.graph.rate) +
                 kStepVariety * static_cast<float>(random.uniform());
    if (goal.velocity_weight > 0) {
      // Half-way too: a way that sets out late is no answer.
      const graph::Node half = place.frame + (last - place.frame) / 2;
      cost += 0.5f * goal.velocity_weight *
              (velocity_off(goal, sight, {last, place.world}, steps) +
               velocity_off(goal, sight, {half, place.world}, before + (half - place.frame)));
    }
    if (cost < best.cost) best = {leave, hop, cost};
  };
  if (end > sight.here.frame) judge(end, behavior::kGoOn, sight.here, 0, 0);
  const graph::Node window =
      std::min(end, sight.here.frame + sight.steps_in(goal.velocity_weight > 0 ? kAheadToMove : kAheadSeconds));
  // Where the recording ends sooner than the window, its last frame is among those looked at.
  for (graph::Node n = sight.here.frame; n <= window; ++n) {
    const auto transitions = graph.transitions_of(n);
    for (std::size_t t = 0; t < transitions.size(); ++t) {
      if (sight.states.state_of[transitions[t].to] != state) continue;
      const auto hop = static_cast<std::uint16_t>(t);
      judge(n, hop, behavior::next_place(graph, {n, sight.here.world}, hop), n - sight.here.frame + 1,
            kJoinCost + kRoughness * transitions[t].cost);
    }
  }
  return best;
}

}  // namespace

Footwork find_footwork(const FootworkGoal& goal, const Sight& sight, Random& random) {
  const graph::MotionGraph& graph = sight.states.graph;
  const Way best = best_way(goal, sight, random);
  Footwork found{behavior::StatePath(sight.here), best.cost};
  if (!(best.cost < std::numeric_limits<float>::infinity())) return found;
  const std::uint32_t commit = sight.steps_in(kCommitSeconds);
  if (best.hop == behavior::kGoOn) {
    while (found.path.length() < commit && found.path.end().frame < best.leave) found.path.add(graph, behavior::kGoOn);
  } else {
    while (found.path.end().frame < best.leave) found.path.add(graph, behavior::kGoOn);
    found.path.add(graph, best.hop);
    const graph::Node last = go_on_within(sight, found.path.end().frame, commit);
    while (found.path.end().frame < last) found.path.add(graph, behavior::kGoOn);
  }
  return found;
}

}  // namespace loom::fight
