// SPDX-License-Identifier: MIT
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/policy/player_model.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/trace.h>
#include <loom/policy/trace_file.h>

namespace loom::policy {
namespace {

using ::testing::HasSubstr;

const std::string kGood =
    "# space: body\n# name: anna\ntime,left,forward,turn,airborne\n5,0,1.5,0,0\n5.5,0,1.5,-0.5,1\n";

std::string why_refused(const std::string& text) {
  const auto trace = parse_trace(text, "t.csv");
  return trace ? "" : trace.error().to_string();
}

TEST(Trace, ReadsCsvAndStartsAtZero) {
  const auto trace = parse_trace(kGood, "t.csv");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->name, "anna");
  EXPECT_FALSE(trace->simulated);
  EXPECT_EQ(trace->times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(trace->signals[1], (ControlSignal{0, 1.5f, -0.5f, 1}));
  EXPECT_EQ(trace->at(0.49), trace->signals[0]);
  EXPECT_EQ(trace->at(0.5), trace->signals[1]);
  EXPECT_EQ(trace->at(-1), trace->signals[0]);
}

TEST(Trace, CsvAndJsonKeepEverything) {
  const Trace made = simulate_players({1, 5, 3, 8, {"airborne", "crouch"}}).front();
  for (const std::string& text : {to_csv(made), to_json(made)}) {
    const auto read = parse_trace(text, "t");
    ASSERT_TRUE(read) << read.error().to_string();
    EXPECT_EQ(*read, made);
  }
}

TEST(Trace, RefusesWhatIsNoTrace) {
  EXPECT_THAT(why_refused(""), HasSubstr("no samples"));
  EXPECT_THAT(why_refused("time,left\n"), HasSubstr("t.csv:1: expected the columns"));
  EXPECT_THAT(why_refused("time,left,forward,turn\n0,nan,0,0\n"), HasSubstr("t.csv:2"));
  EXPECT_THAT(why_refused("time,left,forward,turn\n0,1e5,0,0\n"), HasSubstr("no control"));
  EXPECT_THAT(why_refused("time,left,forward,turn\n0,1,0\n"), HasSubstr("expected 4 numbers, found 3"));
  EXPECT_THAT(why_refused("time,left,forward,turn\n1,0,0,0\n1,0,0,0\n"), HasSubstr("times must ascend"));
  EXPECT_THAT(why_refused("time,left,forward,turn,duck\n0,0,0,0,0.5\n"), HasSubstr("'duck' must be 0 or 1"));
  EXPECT_THAT(why_refused("time,left,forward,turn,duck,duck\n"), HasSubstr("twice"));
  EXPECT_THAT(why_refused("{\"flags\": [], \"samples\": [[0, null, 0, 0]]}"), HasSubstr("list of numbers"));
  EXPECT_THAT(why_refused("{\"samples\": 3}"), HasSubstr("'flags'"));
  EXPECT_THAT(why_refused("{"), HasSubstr("no JSON"));
}

TEST(Trace, FlagsOfAnyNameAreReadBackAsTheyAre) {
  Trace trace = *parse_trace(kGood, "t.csv");
  trace.flags = {"jump, high", "say \"go\"", " blank ", "a;b", "#1"};
  trace.signals[1].flags = 0b10110;
  for (const std::string& text : {to_csv(trace), to_json(trace)}) {
    const auto again = parse_trace(text, "again");
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(again->flags[0], "jump, high");
    EXPECT_EQ(again->flags[1], "say \"go\"");
    EXPECT_EQ(again->flags.size(), 5u);
    EXPECT_EQ(again->signals, trace.signals);
  }
}

TEST(Trace, RefusesOtherControlSpaces) {
  EXPECT_THAT(why_refused("# space: world\ntime,left,forward,turn\n0,0,0,0\n"), HasSubstr("another control space"));
  const auto trace = parse_trace(kGood, "t.csv");
  ASSERT_TRUE(trace);
  EXPECT_THAT(fit_to(*trace, {"airborne", "crouch"}).error().message, HasSubstr("it has no flag 'crouch'"));
  EXPECT_THAT(fit_to(*trace, {"crouch"}).error().message, HasSubstr("flag 'airborne' is unknown"));
  Trace two = *trace;
  two.flags = {"crouch", "airborne"};
  EXPECT_EQ(fit_to(two, {"airborne", "crouch"})->signals[1].flags, 2u) << "bits go where their names are";
}

TEST(SimulatedPlayer, IsTheSameEachTimeAndAsDocumented) {
  const PlayerHabits habits = habits_of(0);
  const Trace trace = simulate_player(habits, 3600, 4);
  EXPECT_EQ(trace, simulate_player(habits, 3600, 4));
  EXPECT_NE(trace.signals, simulate_player(habits, 3600, 5).signals);
  double airborne = 0, still = 0, turning = 0;
  for (const ControlSignal& s : trace.signals) {
    airborne += s.flags & 1u;
    still += std::hypot(s.left, s.forward) < 0.05f ? 1 : 0;
    turning += std::abs(s.turn) > 0.1f ? 1 : 0;
  }
  const auto count = static_cast<double>(trace.signals.size());
  EXPECT_NEAR(airborne / count, habits.airborne_seconds / (habits.airborne_seconds + habits.jump_every_seconds), 0.01);
  EXPECT_NEAR(still / count, habits.still_share, 0.05);
  EXPECT_NEAR(turning / count, habits.turn_seconds / (habits.turn_seconds + habits.straight_seconds), 0.05);
}

TEST(SimulatedPlayer, WithARoutineGoesOnWithIt) {
  PlayerHabits habits = habits_of(0);
  habits.routine_share = 1;
  habits.stick_seconds = 1e-3;
  const Trace trace = simulate_player(habits, 120, 4);
  // 0 stands, 1 walks ahead, 2 runs, 3 steps left, 4 walks backwards, 5 steps right.
  const auto doing = [&](const ControlSignal& s) {
    const double speed = std::hypot(s.left, s.forward);
    if (speed < 0.5 * habits.walk_speed) return 0;
    if (speed > 0.5 * (habits.walk_speed + habits.run_speed)) return 2;
    if (s.forward > std::abs(s.left)) return 1;
    if (s.left > std::abs(s.forward)) return 3;
    return -s.forward > std::abs(s.left) ? 4 : 5;
  };
  std::size_t changes = 0;
  for (std::size_t i = 1; i < trace.signals.size(); ++i) {
    const int before = doing(trace.signals[i - 1]), now = doing(trace.signals[i]);
    if (before == now) continue;
    EXPECT_EQ(now, (before + 1) % 6) << "at " << trace.times[i];
    ++changes;
  }
  EXPECT_GT(changes, 30u);
}

TEST(PlayerModel, WithoutSmoothingItIsPlainCounts) {
  ControlSpace space = usual_control_space();
  space.bins.resize(4);
  Trace trace;
  // Half a second in bin 0, then 0.5 s in bin 1, then 0 again: of the changes from 0 one in ten leads to 1.
  trace.times = {0, 0.5, 1.0, 1.5};
  trace.signals = {space.bins[0], space.bins[1], space.bins[0], space.bins[0]};
  const auto model = count_player_model(space, std::vector<Trace>{trace}, 0.1, Smoothing::kNone);
  ASSERT_TRUE(model);
  const auto next = [&](std::size_t c, std::size_t d) { return model->next[c * 4 + d]; };
  EXPECT_NEAR(next(0, 0) + next(0, 1), 1, 1e-12);
  EXPECT_GT(next(0, 1), 0);
  EXPECT_NEAR(next(1, 0), 0.2, 1e-12);  // five steps in bin 1, of which the last leads out
  for (std::size_t c : {2u, 3u}) EXPECT_EQ(next(c, c), 1) << "a bin never seen is stayed in";
}

TEST(PlayerModel, CountsWhatPlayersDo) {
  // Between two controls, two steps each: after "ahead" comes "ahead" and "still" equally often.
  const ControlSignal ahead{0, 1.6f, 0, 0}, still{};
  Trace trace;
  for (int i = 0; i < 4000; ++i) {
    trace.times.push_back(0.1 * i);
    trace.signals.push_back(i / 2 % 2 == 0 ? ahead : still);
  }
  const ControlSpace space = usual_control_space();
  const auto model = count_player_model(space, std::vector<Trace>{trace}, 0.1);
  ASSERT_TRUE(model);
  const BinFinder bins(space);
  const std::size_t a = bins.find(ahead), b = bins.find(still), n = model->bins;
  EXPECT_NEAR(model->next[a * n + a], 0.5, 0.01);
  EXPECT_NEAR(model->next[a * n + b], 0.5, 0.01);
  EXPECT_EQ(model->unused, 148u);
  EXPECT_THAT(model->source, HasSubstr("recorded: 1 trace"));
  for (std::size_t c = 0; c < n; ++c) {
    double sum = 0;
    for (std::size_t d = 0; d < n; ++d) sum += model->next[c * n + d];
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_GT(model->next[c * n + c], 0) << "a bin nobody used is one somebody may stay in";
  }
  EXPECT_FALSE(count_player_model(space, {}, 0.1));
  trace.times.resize(1);
  trace.signals.resize(1);
  EXPECT_FALSE(count_player_model(space, std::vector<Trace>{trace}, 0.1)) << "shorter than a step";
}

}  // namespace
}  // namespace loom::policy
