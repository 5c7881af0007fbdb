// SPDX-License-Identifier: MIT
// What fighters choose, against looking at every choice frame by frame.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include <loom/fight/activity.h>
#include <loom/fight/footwork.h>
#include <loom/motion/body_capsules.h>

#include "tests/fight/fighting.h"

namespace loom::fight {
namespace {

using testing::fighting;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// What chance adds to a cost at most, so that the same choice is not always the best.
constexpr float kChance = 0.05f;

const StateBody& body() {
  static const StateBody made = *StateBody::create(*fighting().states, *fighting().motion);
  return made;
}

/// Two who stand somewhere in the default state, the second in front of the first, more or less.
class Meeting {
 public:
  explicit Meeting(std::uint64_t seed) : random_(seed), here_(somewhere({0, 0, 0})) {
    const auto away = static_cast<float>(random_.uniform(0.5, 2.5)),
               aside = static_cast<float>(random_.normal()) * 0.3f;
    other_ = behavior::StatePath(somewhere({aside, away, kPi + static_cast<float>(random_.normal()) * 0.5f}));
  }

  [[nodiscard]] Sight sight() const { return {*fighting().states, body(), here_, other_, 0, {}, 0}; }
  [[nodiscard]] Random& random() { return random_; }

 private:
  behavior::StatePlace somewhere(motion::GroundFrame stands) {
    const behavior::StateGraph& states = *fighting().states;
    graph::Node frame = 0;
    do {
      frame = static_cast<graph::Node>(random_.index(states.graph.nodes()));
    } while (states.state_of[frame] != states.machine.default_state);
    stands.heading -= body().aim();
    return {frame, stands * inverse(body().ground(frame))};
  }

  Random random_;
  behavior::StatePlace here_;
  behavior::StatePath other_;
};

/// Steps through recorded frames one at a time, never leaving the state of the first.
class Stepper {
 public:
  Stepper(const Sight& sight, behavior::StatePlace place) : sight_(sight), place_(place) {}

  bool go_on() {
    const behavior::StateGraph& states = sight_.states;
    if (!states.graph.goes_on(place_.frame)) return false;
    if (states.state_of[place_.frame + 1] != states.state_of[place_.frame]) return false;
    place_ = next_place(states.graph, place_, behavior::kGoOn);
    ++steps_;
    return true;
  }
  void hop(std::size_t transition) {
    place_ = next_place(sight_.states.graph, place_, static_cast<std::uint16_t>(transition));
    ++steps_;
  }
  [[nodiscard]] const behavior::StatePlace& place() const { return place_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }

 private:
  const Sight& sight_;
  behavior::StatePlace place_;
  std::uint32_t steps_ = 0;
};

/// The least that steps can cost whose only goal is a distance: every way on is gone to its end, frame by frame.
float slow_footwork(const Sight& sight, float distance, float weight) {
  const behavior::StateGraph& states = sight.states;
  const std::uint32_t state = states.state_of[sight.here.frame], look = 21;  // 0.7 s at 30 Hz
  float least = kInfinity;
  const auto end_of = [&](Stepper stepper, float extra, std::uint32_t lifted_before) {
    std::uint32_t gone = 0, stepping = 0;
    const auto in_air = [&] {
      const graph::Node frame = stepper.place().frame;
      return sight.body.stands_on(frame, true) && sight.body.stands_on(frame, false) ? 0u : 1u;
    };
    for (bool on = true; on && gone < look; gone += on ? 1 : 0) {
      const std::uint32_t lifted = in_air();
      on = stepper.go_on();
      stepping += on ? lifted : 0;
    }
    const motion::GroundFrame own = sight.stand(stepper.place()), other = sight.stand(sight.opponent(stepper.steps()));
    const float apart = std::hypot(own.x - other.x, own.z - other.z);
    const float lacking = 1 - static_cast<float>(gone) / static_cast<float>(look);
    // Two fifths for each second with a foot in the air, of 30 frames.
    const float effort = 0.4f * static_cast<float>(lifted_before + stepping) / 30;
    least = std::min(least, weight * std::abs(apart - distance) + 4 * std::max(0.0f, 0.75f - apart) + extra +
                                0.3f * lacking + effort);
  };
  Stepper ahead(sight, sight.here);
  if (Stepper first = ahead; first.go_on()) end_of(ahead, 0, 0);
  std::uint32_t lifted = 0;
  for (std::uint32_t waited = 0; waited <= 6; ++waited) {  // 0.2 s
    const auto transitions = states.graph.transitions_of(ahead.place().frame);
    for (std::size_t t = 0; t < transitions.size(); ++t) {
      if (states.state_of[transitions[t].to] != state) continue;
      Stepper after = ahead;
      after.hop(t);
      end_of(after, 0.12f + 0.2f * transitions[t].cost, lifted);
    }
    const graph::Node frame = ahead.place().frame;
    lifted += sight.body.stands_on(frame, true) && sight.body.stands_on(frame, false) ? 0 : 1;
    if (!ahead.go_on()) break;
  }
  return least;
}

TEST(FindFootwork, IsTheBestOfAllWaysOn) {
  ASSERT_EQ(fighting().states->graph.rate, 30);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Meeting meeting(seed);
    const Sight sight = meeting.sight();
    FootworkGoal goal;
    goal.distance = static_cast<float>(meeting.random().uniform(0.8, 2));
    goal.distance_weight = static_cast<float>(meeting.random().uniform(0.2, 3));
    const Footwork found = find_footwork(goal, sight, meeting.random());
    const float best = slow_footwork(sight, goal.distance, goal.distance_weight);
    if (best == kInfinity) {
      EXPECT_EQ(found.cost, kInfinity) << seed;
      EXPECT_EQ(found.path.length(), 0u);
      continue;
    }
    EXPECT_GE(found.cost, best - 1e-4f) << seed;
    EXPECT_LE(found.cost, best + kChance + 1e-4f) << seed;
    for (std::uint32_t s = 0; s <= found.path.length(); ++s) {
      const graph::Node frame = found.path.at(sight.states.graph, s).frame;
      EXPECT_EQ(sight.states.state_of[frame], sight.states.machine.default_state) << "steps stay in their state";
    }
  }
}

const Activity& activity_of(ActivityKind kind) {
  static const std::vector<Activity> all = *activities_in(fighting().states->machine, {});
  return *std::find_if(all.begin(), all.end(), [&](const Activity& a) { return a.kind == kind; });
}

std::vector<std::uint32_t> actions_of(const Activity& activity) {
  const behavior::StateGraph& states = *fighting().states;
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t node : states.routes.targets) {
    if (states.nodes[node].state == activity.state) nodes.push_back(node);
  }
  return nodes;
}

/// The way to an action within `delay` seconds, as a path; nothing where it takes longer.
std::optional<behavior::StatePath> way_to(const Sight& sight, std::uint32_t node, float delay) {
  behavior::StatePath path(sight.here);
  if (!add_route(sight.states, node, path)) return {};
  if (path.length() > static_cast<double>(delay) * sight.states.graph.rate) return {};
  return path;
}

/// The least an attack can cost: every blow is followed to its contact.
float slow_attack(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions) {
  float least = kInfinity;
  for (const std::uint32_t node : actions) {
    const std::optional<Strike>& strike = sight.body.strike(node);
    const auto path = strike ? way_to(sight, node, activity[Setting::kDelay]) : std::nullopt;
    if (!path || path->end().frame > strike->contact) continue;
    behavior::StatePlace place = path->end();
    std::uint32_t steps = path->length();
    for (; place.frame < strike->contact; ++steps) place = next_place(sight.states.graph, place, behavior::kGoOn);
    const behavior::StatePlace opponent = sight.opponent(steps);
    const motion::GroundFrame own = sight.stand(place), other = sight.stand(opponent);
    if (std::hypot(own.x - other.x, own.z - other.z) < 0.6f) continue;  // too close
    float miss = kInfinity, deepest = 0;
    const Setting wanted[] = {Setting::kHead, Setting::kChest, Setting::kAbdomen};
    for (std::size_t t = 0; t < kTargets.size(); ++t) {
      const float centre = distance(sight.point(place, strike->limb), sight.point(opponent, kTargets[t]));
      const float gap = centre - thickness(kTargets[t]) - thickness(strike->limb);
      deepest = std::max(deepest, -gap);
      if (activity[wanted[t]] > 0) miss = std::min(miss, gap > 0 ? gap : std::max(gap, -gap - 0.06f));
    }
    if (deepest > 0.16f) continue;  // through the body
    const float time = 0.1f * static_cast<float>(steps / sight.states.graph.rate);
    // Whoever gets too near before or after it had better not begin.
    float nearest = kInfinity;
    place = path->end();
    for (steps = path->length(); place.frame < sight.states.nodes[node].end; place.frame += 3, steps += 3) {
      const motion::GroundFrame at = sight.stand(place), there = sight.stand(sight.opponent(steps));
      nearest = std::min(nearest, std::hypot(at.x - there.x, at.z - there.z));
    }
    const float off = miss + 4 * std::max(0.0f, 0.6f - nearest);
    if (off <= activity[Setting::kReach]) least = std::min(least, off + time);  // the others do not land
  }
  return least;
}

TEST(ConsiderAttack, IsTheBlowThatComesNearest) {
  const Activity& attack = activity_of(ActivityKind::kAttack);
  const std::vector<std::uint32_t> actions = actions_of(attack);
  ASSERT_FALSE(actions.empty());
  int dealt = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Meeting meeting(seed);
    const Sight sight = meeting.sight();
    const motion::GroundFrame own = sight.stand(sight.here), other = sight.stand(sight.opponent(0));
    const Offer offer = consider(attack, sight, actions, meeting.random());
    const bool far = std::hypot(own.x - other.x, own.z - other.z) > 2.2f;
    const float best = far ? kInfinity : slow_attack(attack, sight, actions);
    if (best == kInfinity) {
      EXPECT_FALSE(offer.reasonable) << seed;
      continue;
    }
    EXPECT_GE(offer.cost, best - 1e-4f) << seed;
    EXPECT_LE(offer.cost, best + kChance + 1e-4f) << seed;
    if (!offer.reasonable) continue;
    ++dealt;
    // What is offered is what was promised: at the contact the limb of the action is where it strikes.
    const behavior::StatePlace then = offer.path.at(sight.states.graph, offer.contact_steps);
    EXPECT_EQ(then.frame, sight.body.strike(offer.node)->contact) << seed;
  }
  EXPECT_GT(dealt, 10);
}

TEST(ConsiderEvade, GoesWhereTheOpponentIsFarthestAndNotThroughIt) {
  Activity evade = activity_of(ActivityKind::kEvade);
  evade.settings[static_cast<std::size_t>(Setting::kNear)] = 1.5f;  // so that many are too near
  const std::vector<std::uint32_t> actions = actions_of(evade);
  ASSERT_FALSE(actions.empty());
  int evaded = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Meeting meeting(seed);
    const Sight sight = meeting.sight();
    const motion::GroundFrame own = sight.stand(sight.here), other = sight.stand(sight.opponent(0));
    const Offer offer = consider(evade, sight, actions, meeting.random());
    if (std::hypot(own.x - other.x, own.z - other.z) >= evade[Setting::kNear]) {
      EXPECT_FALSE(offer.reasonable) << "nobody is near and no blow is coming";
      continue;
    }
    float least = kInfinity;
    for (const std::uint32_t node : actions) {
      const auto path = way_to(sight, node, evade[Setting::kDelay]);
      if (!path) continue;
      behavior::StatePlace place = path->end();
      std::uint32_t steps = path->length();
      const auto apart = [&] {
        const motion::GroundFrame at = sight.stand(place), opponent = sight.stand(sight.opponent(steps));
        return std::hypot(at.x - opponent.x, at.z - opponent.z);
      };
      float nearest = apart();
      for (std::uint32_t gone = 1; place.frame + 1 < sight.states.nodes[node].end; ++gone) {
        place = next_place(sight.states.graph, place, behavior::kGoOn);
        ++steps;
        if (gone % 3 == 0) nearest = std::min(nearest, apart());  // every tenth of a second
      }
      least = std::min(least, 4 * std::max(0.0f, 0.6f - nearest) - apart());
    }
    if (least == kInfinity) {
      EXPECT_FALSE(offer.reasonable);
      continue;
    }
    ++evaded;
    EXPECT_GE(offer.cost, least - 1e-4f) << seed;
    EXPECT_LE(offer.cost, least + kChance + 1e-4f) << seed;
  }
  EXPECT_GT(evaded, 30);
}

/// Two who stand `apart`, facing each other: the second at the beginning of an action, or in the guard.
struct Duel {
  Duel(float apart, graph::Node other_frame) : random(1) {
    const behavior::StateGraph& states = *fighting().states;
    const motion::GroundFrame own{0, 0, -body().aim()}, opposite{0, apart, kPi - body().aim()};
    const graph::Node guard =
        states.nodes[states.nodes_of_state(static_cast<std::uint32_t>(states.machine.default_state))[0]].begin;
    here = {guard, own * inverse(body().ground(guard))};
    other = behavior::StatePath({other_frame, opposite * inverse(body().ground(other_frame))});
  }
  [[nodiscard]] Sight sight(float impatience = 0) const {
    return {*fighting().states, body(), here, other, 0, {}, impatience};
  }

  Random random;
  behavior::StatePlace here;
  behavior::StatePath other;
};

TEST(ConsiderAttack, NobodyKicksIntoALegThatKicks) {
  const behavior::StateGraph& states = *fighting().states;
  const std::vector<Activity> all = *activities_in(states.machine, {});
  const Activity& kick = *std::find_if(all.begin(), all.end(), [](const Activity& a) { return a.name == "kick"; });
  const std::vector<std::uint32_t> actions = actions_of(kick);
  int kicks = 0;
  for (const std::uint32_t theirs : actions) {
    for (const float apart : {0.8f, 0.9f, 1.0f, 1.1f, 1.2f}) {
      Duel duel(apart, states.nodes[theirs].begin);
      const Sight sight = duel.sight(1);
      const Offer offer = consider(kick, sight, actions, duel.random);
      if (!offer.reasonable) continue;
      ++kicks;
      const BodyPoint foot = body().strike(offer.node)->limb;
      for (std::uint32_t s = 0; s <= offer.last_steps; ++s) {
        const behavior::StatePlace own = offer.path.at(states.graph, s), opponent = sight.opponent(s);
        const motion::Capsule leg{sight.point(own, BodyPoint::kAbdomen), sight.point(own, foot), 0.08f, 0.08f};
        for (const BodyPoint which : {BodyPoint::kLeftFoot, BodyPoint::kRightFoot}) {
          const Vec3 tip = sight.point(opponent, which);
          if (tip.y < 0.4f || leg.b.y < 0.4f) continue;
          const motion::Capsule against{sight.point(opponent, BodyPoint::kAbdomen), tip, 0.08f, 0.08f};
          EXPECT_GT(motion::gap_between(leg, against).gap, -0.13f)
              << theirs << " against " << offer.node << ", step " << s;
        }
      }
    }
  }
  EXPECT_GT(kicks, 5) << "some are out of each other's way";
}

TEST(ConsiderEvade, HardlyEverTheSameTwiceInARow) {
  Activity evade = activity_of(ActivityKind::kEvade);
  evade.settings[static_cast<std::size_t>(Setting::kNear)] = 1.5f;
  const behavior::StateGraph& states = *fighting().states;
  std::vector<double> done(states.nodes.size(), -1e6);
  std::vector<std::uint32_t> chosen;
  for (double now = 0; now < 8; ++now) {
    Duel duel(1.0f,
              states.nodes[states.nodes_of_state(static_cast<std::uint32_t>(states.machine.default_state))[0]].begin);
    Sight sight = duel.sight();
    sight.now = now;
    sight.done = done;
    const Offer offer = consider(evade, sight, actions_of(evade), duel.random);
    ASSERT_TRUE(offer.reasonable);
    EXPECT_TRUE(chosen.empty() || chosen.back() != offer.node) << now;
    chosen.push_back(offer.node);
    done[offer.node] = now;
  }
  std::sort(chosen.begin(), chosen.end());
  EXPECT_GE(std::unique(chosen.begin(), chosen.end()) - chosen.begin(), 3);
}

TEST(ConsiderEvade, TwoWhoAreLockedTogetherGetAwayAfterAWhile) {
  const Activity& evade = activity_of(ActivityKind::kEvade);
  const behavior::StateGraph& states = *fighting().states;
  Duel duel(0.7f,
            states.nodes[states.nodes_of_state(static_cast<std::uint32_t>(states.machine.default_state))[0]].begin);
  ASSERT_GT(0.7f, evade[Setting::kNear]);
  EXPECT_FALSE(consider(evade, duel.sight(0), actions_of(evade), duel.random).reasonable);
  EXPECT_TRUE(consider(evade, duel.sight(1), actions_of(evade), duel.random).reasonable);
}

}  // namespace
}  // namespace loom::fight
