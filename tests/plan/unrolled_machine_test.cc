// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <loom/machine/machine_player.h>
#include <loom/plan/unrolled_machine.h>
#include <loom/plan/walk_plan.h>
#include <loom/world/world.h>

#include "tests/machine/walking_machine.h"

namespace loom::plan {
namespace {

using motion::GroundFrame;

world::World world_of(const std::string& text) {
  auto world = world::parse_world(text, "w");
  EXPECT_TRUE(world) << world.error().to_string();
  return *world;
}

const UnrolledMachine& walking(Transitions transitions = Transitions::kSimulated) {
  static const auto make = [](Transitions how) {
    UnrollMachineOptions options;
    options.samples = 5;
    options.transitions = how;
    auto made = unroll_machine(testing::walking_machine(), options);
    EXPECT_TRUE(made) << made.error().to_string();
    return *made;
  };
  static const UnrolledMachine simulated = make(Transitions::kSimulated), ignored = make(Transitions::kIgnored);
  return transitions == Transitions::kSimulated ? simulated : ignored;
}

TEST(UnrolledMachine, SamplesStatesWithParametersWithinTheirExamples) {
  const UnrolledMachine& made = walking();
  std::vector<std::size_t> counts(made.machine->states.size());
  for (const BehaviorSample& sample : made.samples) {
    ++counts[sample.state];
    const auto& known = made.machine->states[sample.state].parameters;
    ASSERT_EQ(sample.parameters.size(), known ? known->space.size() : 0);
    if (!known || known->space.kind == blend::FamilyKind::kJump) continue;  // a direction goes round
    for (std::size_t p = 0; p < sample.parameters.size(); ++p) {
      EXPECT_GE(sample.parameters[p], known->least[p] - 1e-6);
      EXPECT_LE(sample.parameters[p], known->most[p] + 1e-6);
    }
  }
  for (std::size_t s = 0; s < counts.size(); ++s) EXPECT_EQ(counts[s], made.machine->states[s].parameters ? 5u : 1u);
}

TEST(UnrolledMachine, EveryActionCanBeFollowed) {
  const UnrolledMachine& made = walking();
  std::set<Decision> beginnings;
  for (const Action& action : made.actions) beginnings.insert(action.from);
  for (const Action& action : made.actions) {
    EXPECT_TRUE(beginnings.contains(action.to));
    EXPECT_GT(action.frames, 0u);
    EXPECT_NEAR(action.frame_seconds * made.machine->rate(), 1, 0.25);
  }
}

/// What an action says comes of it, against a player of that rate which is put there and wished to do the same: it
/// knows nothing of decisions.
TEST(UnrolledMachine, ActionsEndWhereAPlayerEnds) {
  const UnrolledMachine& made = walking();
  for (std::size_t i = 0; i < made.actions.size(); i += made.actions.size() / 60 + 1) {
    const Action& action = made.actions[i];
    machine::PlayerOptions options;
    options.rate = 1 / action.frame_seconds;
    options.parameter_seconds = 0.06;
    const auto player = *machine::MachinePlayer::create(made.machine, options);
    const BehaviorSample &from = made.samples[action.from.sample], &to = made.samples[action.sample];
    ASSERT_TRUE(player->put(from.state, action.from.phase, from.parameters, {}));
    machine::Wish wish{to.state};
    for (std::size_t p = 0; p < to.parameters.size(); ++p)
      wish.parameters[wish.parameter_count++] = {p, to.parameters[p]};
    ASSERT_TRUE(player->wish(wish));
    std::vector<Quat> room(player->skeleton()->size());
    for (std::size_t frame = 0; frame < action.frames; ++frame) {
      motion::StreamPose pose{{}, room, 0, {}};
      player->next({}, pose);
    }
    const GroundFrame end = player->place();
    // The last frame of an action is as long as it takes to come to its decision.
    EXPECT_NEAR(end.x, action.end.x, 0.02) << i;
    EXPECT_NEAR(end.z, action.end.z, 0.02) << i;
    EXPECT_NEAR(std::remainder(end.heading - action.end.heading, 2 * kPi), 0, 0.03) << i;
    EXPECT_EQ(player->state(), to.state);
  }
}

constexpr const char* kHall = "ground -8 -2 8 14\nbox wall at 0 5 size 5 0.3 to 2.5\n";

TEST(PlanWithMachine, EndsWhereItSaysAndTouchesNothing) {
  const world::World world = world_of(kHall);
  WalkPlanOptions options;
  options.search.seconds = 4;
  const auto plan = plan_walk(walking(), world, {{0, 0}, 0.0}, {{0, 10}, {}}, options);
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_LT(plan->drift_m, 0.01);
  EXPECT_LT(plan->end_error_m, 0.01);
  EXPECT_TRUE(find_collisions(plan->recording->clip, world)->empty());
  EXPECT_GT(plan->length_m, 10);
}

/// The error of eq. 6.2, which the second algorithm is there to mend.
TEST(PlanWithMachine, GoesAstrayWhereTransitionsAreIgnored) {
  WalkPlanOptions options;
  options.search.seconds = 4;
  const auto plan = plan_walk(walking(Transitions::kIgnored), world_of(kHall), {{0, 0}, 0.0}, {{0, 10}, {}}, options);
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_GT(plan->drift_m, 0.02);
  EXPECT_NEAR(plan->end_error_m, plan->drift_m, options.search.goal_radius + 1e-3);
}

TEST(PlanWithMachine, WaitsOrGoesRoundWhatMoves) {
  // A wall that closes the only gap until it has gone by.
  const world::World world = world_of(R"(ground -4 -2 4 14
box left at -2.5 5 size 3 0.3 to 2.5
box right at 2.5 5 size 3 0.3 to 2.5
box door at 0 5.6 size 2.6 0.2 to 2.5
path door: 0 0 5.6, 9 0 5.6, 10 4 5.6
)");
  WalkPlanOptions options;
  options.search.seconds = 20;
  options.search.bound = 10;  // the first answer will do
  const auto plan = plan_walk(walking(), world, {{0, 0}, 0.0}, {{0, 10}, {}}, options);
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_TRUE(find_collisions(plan->recording->clip, world)->empty());
  EXPECT_GT(plan->seconds, 9) << "nobody is through before the door is open";
}

TEST(UnrollMachine, SaysWhatIsWrong) {
  UnrollMachineOptions none;
  none.samples = 0;
  EXPECT_FALSE(unroll_machine(testing::walking_machine(), none));
  UnrollMachineOptions many;
  many.samples = 400;
  const auto made = unroll_machine(testing::walking_machine(), many);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("fewer samples"), std::string::npos);
}

}  // namespace
}  // namespace loom::plan
