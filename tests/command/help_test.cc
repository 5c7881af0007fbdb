// SPDX-License-Identifier: MIT
// What `--help` says, of every command and group of commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_loom;

TEST(Help, EveryCommandHasAnExampleOfItselfAndTellsItsChoicesInWords) {
  std::vector<std::vector<std::string>> all = testing::commands_and_groups();
  ASSERT_GT(all.size(), 40U) << "too few commands were found for this to be all";
  all.push_back({});
  for (std::vector<std::string> words : all) {
    std::string name = "loom";
    for (const std::string& word : words) name += " " + word;
    words.emplace_back("--help");
    const CommandRun run = run_loom(words);
    EXPECT_EQ(run.status, 0) << name;
    EXPECT_THAT(run.out, HasSubstr("Example:\n  " + name + " ")) << name;
    EXPECT_THAT(run.out, Not(HasSubstr("ENUM:"))) << name;
    EXPECT_THAT(run.out, Not(::testing::ContainsRegex("(FLOAT|INT):"))) << name;
    EXPECT_THAT(run.out, Not(HasSubstr("{"))) << name;
    EXPECT_THAT(run.out, Not(HasSubstr("->"))) << name;
  }
}

TEST(Help, ChoicesStandBesideTheirOption) {
  EXPECT_THAT(run_loom({"graph", "build", "--help"}).out, HasSubstr("--metric pointcloud|joints"));
  EXPECT_THAT(run_loom({"picture", "--help"}).out, HasSubstr("--view side|front|top"));
  EXPECT_THAT(run_loom({"match", "play", "--help"}).out, HasSubstr("--root motion|between|control"));
}

TEST(Help, RangesStandBesideTheirOption) {
  EXPECT_THAT(run_loom({"import", "--help"}).out, HasSubstr("--rate 1..1000 "));
  EXPECT_THAT(run_loom({"import", "--help"}).out, HasSubstr("--scale FLOAT above 0 "));
  EXPECT_THAT(run_loom({"fight", "--help"}).out, HasSubstr("--bouts 1..1000000 "));
  for (const char* odd : {"nan", "0.5", "1001"}) {
    EXPECT_EQ(run_loom({"import", "a.loom", "b", "--rate", odd}).status, 2) << odd;
  }
}

TEST(Help, AWrongChoiceIsToldTheRightOnes) {
  const CommandRun run = run_loom({"convert", "a.bvh", "b.bvh", "--up", "w"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("'w' is not one of x|y|z"));
}

}  // namespace
}  // namespace loom
