// SPDX-License-Identifier: MIT
// What fighters make of a machine's activities, styles and sliders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/fight/activity_settings.h>
#include <loom/fight/fighting_machine.h>
#include <loom/fight/style_sliders.h>

namespace loom::fight {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSmall = R"(machine small
state attack whole: punch
state rest: idle
default rest
transition rest -> rest self
transition rest -> attack full
transition attack -> rest
activity hit: attack in attack
  priority 7
  reach 0.25
style wild
  hit.eager 0.5
)";

behavior::StateMachine small() { return *behavior::parse_machine(kSmall, "m"); }

/// What is wrong with the small machine when a line of it is written differently.
std::string error_of(const std::string& line, const std::string& instead) {
  std::string text = kSmall;
  text.replace(text.find(line), line.size(), instead);
  auto machine = *behavior::parse_machine(text, "m");
  const auto settled = settle_activities(machine);
  return settled ? "no error" : settled.error().to_string();
}

TEST(ActivitySettings, AreThoseOfTheMachineAsTheStyleChangesThem) {
  EXPECT_EQ(activities_in(small(), {})->front()[Setting::kPriority], 7);
  EXPECT_EQ(activities_in(small(), {})->front()[Setting::kEager], 1);
  EXPECT_EQ(activities_in(small(), {"wild"})->front()[Setting::kEager], 0.5f);
  EXPECT_THAT(activities_in(small(), {"mild"}).error().message, HasSubstr("wild"));
}

TEST(ActivitySettings, SettledSayTheSameAndAllOfIt) {
  behavior::StateMachine machine = small();
  ASSERT_TRUE(settle_activities(machine));
  EXPECT_EQ(machine.activities[0].settings.size(), 9U) << "as many as an attack has";
  EXPECT_EQ(activities_in(machine, {"wild"})->front().settings, activities_in(small(), {"wild"})->front().settings);
  const std::string once = behavior::format_machine(machine);
  ASSERT_TRUE(settle_activities(machine));
  EXPECT_EQ(behavior::format_machine(machine), once);
}

TEST(FightingMachine, IsInOrder) {
  auto machine = behavior::parse_machine(fighting_machine_text(), "built-in");
  ASSERT_TRUE(machine) << machine.error().to_string();
  const auto settled = settle_activities(*machine);
  EXPECT_TRUE(settled) << settled.error().to_string();
}

TEST(ActivitySettings, EveryMistakeIsToldWithItsLine) {
  EXPECT_THAT(error_of("hit: attack", "hit: dance"), HasSubstr("m:8: an activity of a fighter is shadow, attack"));
  EXPECT_THAT(error_of("reach 0.25", "reach -1"), HasSubstr("m:10: reach lies between"));
  EXPECT_THAT(error_of("reach 0.25", "distance 1"), HasSubstr("m:10: activity 'hit' has no setting"));
  EXPECT_THAT(error_of("hit.eager 0.5", "hit.eager 2"), HasSubstr("m:12: eager lies between"));
}

TEST(StyleSliders, MixWithNamedStyles) {
  const behavior::StateMachine machine = fighting_machine();
  EXPECT_EQ(parse_styles("kicker+punch=0.8,,defensive"),
            (std::vector<std::vector<std::string>>{{"kicker", "punch=0.8"}, {"defensive"}}));
  const auto activities = activities_in(machine, {"kicker", "punch=0.75", "distance=0.5"});
  ASSERT_TRUE(activities) << activities.error().to_string();
  const auto sliders = sliders_of(*activities);
  EXPECT_FLOAT_EQ(*sliders[0], 0.75f);
  EXPECT_FLOAT_EQ(*sliders[1], 0.9f) << "as the kicker has it";
  EXPECT_FLOAT_EQ(*sliders[3], 0.5f);
  EXPECT_FLOAT_EQ((*activities)[1][Setting::kPriority], 40) << "the eager are asked first";
  EXPECT_FLOAT_EQ((*activities)[4][Setting::kDistance], 1.1f);
  EXPECT_FLOAT_EQ(*sliders_of(*activities_in(machine, {"plain"}))[0], 0.35f);
  const auto error = [&](const char* style) { return activities_in(machine, {style}).error().message; };
  EXPECT_THAT(error("jab=0.5"), HasSubstr("no slider 'jab'; there are: punch, kick, evade, distance"));
  for (const char* wrong : {"kick=1.2", "kick=-1", "kick=", "kick=much", "kick=nan"}) {
    EXPECT_THAT(error(wrong), HasSubstr("a number from 0 to 1, as in kick=0.5")) << wrong;
  }
  EXPECT_THAT(activities_in(small(), {"evade=0.5"}).error().message, HasSubstr("has the slider 'evade'"));
}

}  // namespace
}  // namespace loom::fight
