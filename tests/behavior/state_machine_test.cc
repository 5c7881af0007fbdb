// SPDX-License-Identifier: MIT
#include <map>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/behavior/state_machine.h>

namespace loom::behavior {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSmall = R"(machine small
state attack whole: punch, "round kick"?   # a comment
state rest: idle else "stand still"
default rest
transition rest -> rest self
transition rest -> attack full weight 2.5
transition attack -> rest
activity hit: attack in attack
  priority 7
  reach 0.25
style wild
  hit.eager 0.5
)";

Result<StateMachine> parse(const std::string& text) { return parse_machine(text, "m"); }

/// The small machine with one line put in the place of another, which is what makes the error.
std::string error_of(const std::string& line, const std::string& instead) {
  std::string text = kSmall;
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  text.replace(at, line.size(), instead);
  const auto machine = parse(text);
  return machine ? "no error" : machine.error().to_string();
}

TEST(StateMachine, StatesHoldLabelsClipsAndFamilies) {
  const std::string text =
      "machine m\nstate a: clip walk-01, clip \"walk, slow\"?, walk else family walks\nstate b: clip, family? else "
      "clip\n"
      "transition a -> b\ntransition b -> a\n";
  const auto machine = parse(text);
  ASSERT_TRUE(machine) << machine.error().to_string();
  const auto held = [&](std::size_t state, std::size_t set, std::size_t i) {
    const TakenMotion& taken = machine->states[state].takes[set][i];
    return std::tuple(taken.holding, taken.name, taken.optional);
  };
  EXPECT_EQ(held(0, 0, 0), std::tuple(Holding::kClip, "walk-01", false));
  EXPECT_EQ(held(0, 0, 1), std::tuple(Holding::kClip, "walk, slow", true));
  EXPECT_EQ(held(0, 0, 2), std::tuple(Holding::kLabel, "walk", false));
  EXPECT_EQ(held(0, 1, 0), std::tuple(Holding::kFamily, "walks", false));
  EXPECT_EQ(held(1, 0, 0), std::tuple(Holding::kLabel, "clip", false)) << "without a name they are labels";
  EXPECT_EQ(held(1, 0, 1), std::tuple(Holding::kLabel, "family", true));
  EXPECT_EQ(held(1, 1, 0), std::tuple(Holding::kLabel, "clip", false));
  const std::string again = format_machine(*machine);
  EXPECT_THAT(again, HasSubstr("state a: clip walk-01, clip \"walk, slow\"?, walk else family walks\n"));
  EXPECT_EQ(format_machine(*parse(again)), again);
  EXPECT_EQ(parse("").error().to_string(), "m:1: expected 'machine NAME' somewhere");
  EXPECT_THAT(parse("machine m\nstate a: clip one two\n").error().to_string(),
              HasSubstr("m:2: expected ',' or 'else'"));
  EXPECT_THAT(parse("machine m\nstate a: clip one,\n").error().to_string(),
              HasSubstr("m:2: expected a label, or clip"));
}

TEST(StateMachine, SaysWhatTheTextSays) {
  const auto machine = parse(kSmall);
  ASSERT_TRUE(machine) << machine.error().to_string();
  EXPECT_EQ(machine->name, "small");
  ASSERT_EQ(machine->states.size(), 2u);
  EXPECT_TRUE(machine->states[0].whole);
  EXPECT_EQ(machine->states[0].takes[0][1].name, "round kick");
  EXPECT_TRUE(machine->states[0].takes[0][1].optional);
  EXPECT_EQ(machine->states[1].takes.size(), 2u);
  EXPECT_EQ(machine->default_state, 1u);
  EXPECT_TRUE(machine->keeps_itself(1));
  EXPECT_FALSE(machine->keeps_itself(0));
  EXPECT_EQ(machine->find_transition(1, 0)->link, Link::kFull);
  EXPECT_EQ(machine->find_transition(1, 0)->weight, 2.5f);
  EXPECT_EQ(machine->find_transition(0, 1)->weight, 1);
  EXPECT_EQ(machine->activities[0].kind, "attack");
  EXPECT_EQ(machine->activities[0].settings[0].name, "priority");
  EXPECT_EQ(machine->activities[0].settings[0].value, 7);
  EXPECT_EQ((*machine->find_style("wild"))->changes[0].setting.value, 0.5f);
  EXPECT_EQ(*machine->find_style("plain"), nullptr);
  EXPECT_THAT(machine->find_style("mild").error().message, HasSubstr("wild"));
}

TEST(StateMachine, ReadsBackWhatItWrites) {
  const auto machine = parse(kSmall);
  ASSERT_TRUE(machine) << machine.error().to_string();
  const auto again = parse(format_machine(*machine));
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(format_machine(*again), format_machine(*machine));
}

TEST(StateMachine, EveryMistakeIsToldWithItsLine) {
  EXPECT_THAT(error_of("transition attack -> rest", "transition attack -> bed"), HasSubstr("m:7: there is no state"));
  EXPECT_THAT(error_of("default rest", "default bed"), HasSubstr("m:4: there is no state 'bed'"));
  EXPECT_THAT(error_of("in attack", "in bed"), HasSubstr("m:8: there is no state 'bed'"));
  EXPECT_THAT(error_of("transition attack -> rest", ""), HasSubstr("m:2: the machine is not connected"));
  EXPECT_THAT(error_of("rest -> attack full", "rest -> attack later"), HasSubstr("m:6: a transition is self, full"));
  EXPECT_THAT(error_of("rest -> rest self", "rest -> rest"), HasSubstr("m:5: 'self' is for"));
  EXPECT_THAT(error_of("state rest: idle", "state attack: idle"), HasSubstr("m:3: state 'attack' is there already"));
  EXPECT_THAT(error_of("weight 2.5", "weight 0"), HasSubstr("m:6: a weight lies between"));
  EXPECT_THAT(error_of("reach 0.25", "reach far"), HasSubstr("m:10: "));
  EXPECT_THAT(error_of("reach 0.25", "re.ach 1"), HasSubstr("m:10: expected the name of a setting"));
  EXPECT_THAT(error_of("hit.eager", "kick.eager"), HasSubstr("m:12: a style changes"));
  EXPECT_THAT(error_of("machine small", "machin small"), HasSubstr("m:1: expected machine, include"));
  EXPECT_THAT(error_of("\"round kick\"?", "\"round kick?"), HasSubstr("m:2: a name in quotes"));
  EXPECT_THAT(error_of("default rest", "transition rest -> attack"), HasSubstr("is there already"));
}

TEST(StateMachine, WarpsAndWhatFollowsAreReadBackAndCheckedByLine) {
  const std::string good = std::string(kSmall) +
                           "after attack -> rest\nwarp rest -> attack: 0.5 0, 0.75 0.25, 1 0.3\n"
                           "warp rest -> rest pinned out: 1.5 0, 2 0.5\n"
                           "reference rest pinned: \"my rest\" mirrored 0.5 2\nreference attack: a 0 1\n";
  const auto machine = parse(good);
  ASSERT_TRUE(machine) << machine.error().to_string();
  EXPECT_EQ(machine->states[0].after, 1u);
  EXPECT_FALSE(machine->states[1].after);
  ASSERT_EQ(machine->warps.size(), 2u);
  EXPECT_EQ(machine->warps[0].knots, (std::vector<WarpKnot>{{0.5, 0}, {0.75, 0.25}, {1, 0.3}}));
  EXPECT_FALSE(machine->warps[0].pinned || machine->warps[0].out);
  EXPECT_TRUE(machine->warps[1].pinned && machine->warps[1].out);
  const ReferenceMotion& rest = machine->states[1].reference.value();
  EXPECT_EQ(rest.clip, "my rest");
  EXPECT_TRUE(rest.mirrored && rest.pinned && rest.begin == 0.5 && rest.end == 2);
  EXPECT_FALSE(machine->states[0].reference.value().pinned);
  EXPECT_EQ(format_machine(*parse(format_machine(*machine))), format_machine(*machine));

  const auto wrong = [](const std::string& line) {
    const auto read = parse(kSmall + line);
    return read ? "no error" : read.error().to_string();
  };
  EXPECT_THAT(wrong("reference bed: a 0 1\n"), HasSubstr("m:13: there is no state 'bed'"));
  EXPECT_THAT(wrong("reference rest: a 1 1\n"), HasSubstr("m:13: a reference motion lies between"));
  EXPECT_THAT(wrong("reference rest: a 0 1\nreference rest: a 0 1\n"), HasSubstr("m:14: state 'rest' has a reference"));
  for (const char* shape : {"reference rest: a 0\n", "reference rest pinned: 0 1\n", "reference rest a 0 1 2\n",
                            "reference rest: a mirrored 0 1 2\n", "reference rest pinned a 0 1\n"}) {
    EXPECT_THAT(wrong(shape), HasSubstr("m:13: expected: reference STATE")) << shape;
  }
  EXPECT_THAT(wrong("warp rest -> bed: 0 0, 1 1\n"), HasSubstr("m:13: there is no state 'bed'"));
  EXPECT_THAT(wrong("warp attack -> attack: 0 0, 1 1\n"), HasSubstr("m:13: a warp needs a transition"));
  EXPECT_THAT(wrong("warp rest -> attack: 0 0\n"), HasSubstr("m:13: a warp has a beginning and an end"));
  EXPECT_THAT(wrong("warp rest -> attack: 0 0, 1\n"), HasSubstr("m:13: expected: warp STATE"));
  EXPECT_THAT(wrong("warp rest -> attack: 0 1, 1 1\n"), HasSubstr("m:13: in a warp time goes forward"));
  EXPECT_THAT(wrong("warp rest -> attack: -1 0, 1 1\n"), HasSubstr("m:13: "));
  EXPECT_THAT(wrong("after attack -> attack\n"), HasSubstr("m:13: there is no transition attack -> attack"));
  EXPECT_THAT(wrong("after attack -> rest\nafter attack -> rest\n"), HasSubstr("m:14: after 'attack' comes 'rest'"));
}

TEST(StateMachine, AMachineThatLacksWaysIsReadWhereThatIsAllowed) {
  const std::string apart = "machine m\nstate a: x\nstate b: y\ntransition a -> b\n";
  EXPECT_THAT(parse(apart).error().to_string(), HasSubstr("m:3: the machine is not connected"));
  const auto machine = parse_machine(apart, "m", {}, Connection::kAny);
  ASSERT_TRUE(machine) << machine.error().to_string();
  EXPECT_THAT(check_connected(*machine).error().to_string(), HasSubstr("m:3: the machine is not connected"));
}

TEST(StateMachine, IncludesAreReadAndCyclesRefused) {
  std::map<std::string, std::string> files = {{"dir/states", "state a: x\nstate b: y\n"},
                                              {"dir/round", "\ninclude \"main\"\n"}};
  const auto reader = [&](const std::string& path) -> Result<std::string> {
    if (!files.contains(path)) return fail("no such file");
    return files[path];
  };
  const std::string rest = "transition a -> b\ntransition b -> a\n";
  const auto good = parse_machine("machine m\ninclude states\n" + rest, "dir/main", reader);
  ASSERT_TRUE(good) << good.error().to_string();
  EXPECT_EQ(good->states[1].place.file, "dir/states");
  const auto cyclic = parse_machine("machine m\ninclude round\n" + rest, "dir/main", reader);
  ASSERT_FALSE(cyclic);
  EXPECT_EQ(cyclic.error().to_string(), "dir/round:2: a cyclic include: dir/main -> dir/round -> dir/main");
  const auto missing = parse_machine("machine m\ninclude none\n", "dir/main", reader);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().line, 2u);
}

}  // namespace
}  // namespace loom::behavior
