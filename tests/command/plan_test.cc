// SPDX-License-Identifier: MIT
// What a user meets: `loom plan reach` and `loom plan show`, run as a program, where what is asked for cannot be.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using ::testing::AllOf;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class PlanCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    ASSERT_EQ(run_loom({"sample", library(), "--only", "approach", "reach", "walk", "--rate", "30"}).status, 0);
    ASSERT_EQ(run_loom({"blend", "family", library(), "--label", "reach", "--name", "reach"}).status, 0);
    ASSERT_EQ(run_loom({"blend", "family", library(), "--label", "walk", "--clips", "walk-*", "--name", "walk"}).status,
              0);
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string library() { return folder_->file("reaches.loom"); }
  /// A room of six by six metres.
  static std::string room(const std::string& things) {
    std::ofstream(folder_->file("room.world")) << "world room\nground -3 -3 3 3\nstart 0 -2 0\n" << things;
    return folder_->file("room.world");
  }
  static CommandRun plan(const std::string& what, const std::string& world, const std::string& target,
                         std::vector<std::string> more = {}, const std::string& family = "reach") {
    std::vector<std::string> words = {
        "plan", what, library(), family, "--world", world, "--target", "RightHand=" + target, "-o", made(), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return run_loom(words);
  }
  /// What a plan that cannot be says: one line, and nothing is written.
  static std::string why(const CommandRun& run) {
    EXPECT_EQ(run.status, 1) << run.out;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(std::ifstream(made()).good());
    return run.err;
  }
  static std::string made() { return folder_->file("made.glb"); }
  static testing::TemporaryFolder* folder_;
};

testing::TemporaryFolder* PlanCommandTest::folder_ = nullptr;

constexpr const char* kWall = "box wall at 0 1 size 6 0.3 to 2.5\n";

TEST_F(PlanCommandTest, ATargetInsideAWallHasANearestPlaceOutside) {
  const auto inside = HasSubstr("is inside 'wall'; the nearest place outside is 0.00,1.10,0.84");
  EXPECT_THAT(why(plan("reach", room(kWall), "0,1.1,1")), inside);
  EXPECT_THAT(why(plan("show", room(kWall), "0,1.1,1", {"--observer", "1,-2"})), inside);
}

TEST_F(PlanCommandTest, WhatIsOutOfReachHasANearestPlaceOfTheHand) {
  EXPECT_THAT(why(plan("reach", room(kWall), "2,1.1,-2")),
              AllOf(HasSubstr("out of reach from (0.00, -2.00)"), HasSubstr("the nearest it gets is")));
  EXPECT_THAT(why(plan("show", room(kWall), "0,2.9,-1", {"--observer", "1,-2"})),
              AllOf(HasSubstr("72 out of reach"), HasSubstr("the nearest that a hand gets is")));
  EXPECT_THAT(why(plan("show", room(kWall), "9,1.1,2.5", {"--observer", "1,-2"})),
              AllOf(HasSubstr("72 no floor"), HasSubstr("the nearest one gets to the target on foot is")));
}

TEST_F(PlanCommandTest, AnObserverBehindAWallIsToldWhereToStand) {
  EXPECT_THAT(why(plan("show", room(kWall), "0,1.1,0.5", {"--observer", "0,2.5"})),
              AllOf(HasSubstr("unseen ('wall'); an observer at"), HasSubstr("would see the target")));
}

TEST_F(PlanCommandTest, AClosedWorldSaysWhatClosesItAndHowNearOneGets) {
  const CommandRun run = plan("show", room("box wall at 0 0 size 6 0.3 to 2.5\n"), "1,1,2", {"--observer", "2,2.5"});
  EXPECT_THAT(why(run),
              AllOf(HasSubstr("'wall' closes it"), HasSubstr("the nearest one gets to the target on foot is")));
  const CommandRun within = plan("show", room(kWall), "0,1.1,-0.5", {"--observer", "1,-2", "--start", "0,1"});
  EXPECT_THAT(why(within), HasSubstr("the start (0.00, 1.00) is in 'wall'; the nearest place to stand is"));
}

TEST_F(PlanCommandTest, AFamilyWithoutStrokesNamesOthersThatHaveSome) {
  const auto none = AllOf(HasSubstr("the family has no strokes"), HasSubstr("families with strokes: reach"));
  EXPECT_THAT(why(plan("reach", room(kWall), "0,1.1,-1.5", {}, "walk")), none);
  EXPECT_THAT(why(plan("show", room(kWall), "0,1.1,-0.5", {"--observer", "1,-2"}, "walk")), none);
}

}  // namespace
}  // namespace loom
