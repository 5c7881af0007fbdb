// SPDX-License-Identifier: MIT
// What a user meets who steers a character: `loom match play`, `loom fragments play`, `loom graph train` and `play`,
// run as a program, with good input and bad.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/library/library.h>

#include "tests/command/walk_clips.h"
#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class SteeringCommandTest : public ::testing::Test {
 protected:
  SteeringCommandTest() {
    auto library = *library::Library::open_or_create(library_);
    for (const auto& [name, speed] : {std::pair{"slow", 1.1}, {"steady", 1.15}, {"brisk", 1.3}}) {
      EXPECT_TRUE(library.add_clip(testing::labelled_walk(name, speed)));
    }
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
  std::string out_ = folder_.file("out.glb");
  std::string trace_ = folder_.write("stick.csv", "time,left,forward,turn,airborne\n0,0,1.2,0,0\n3,0,1.2,0,0\n");
};

TEST_F(SteeringCommandTest, MatchingPlaysATraceAndTellsHowItAnswers) {
  const CommandRun run = run_loom({"match", "play", library_, "--trace", trace_, "-o", out_, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["controller"], "matching");
  EXPECT_EQ(json["dimensions"], 40);
  EXPECT_EQ(json["simulated_player"], false);
  EXPECT_NEAR(json["motion"]["path_m"].get<double>(), 3.6, 0.6);
  EXPECT_LT(json["velocity_error_mps"].get<double>(), 0.3);
  EXPECT_TRUE(fs::exists(out_));
}

TEST_F(SteeringCommandTest, MatchingLooksWhereItIsTold) {
  const auto played = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"match", "play", library_, "--trace", trace_, "-o", out_, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandRun run = run_loom(words);
    EXPECT_EQ(run.status, 0) << run.err;
    return io::read_motion(out_).value().front().clip;
  };
  const motion::Clip before = played({}), after = played({"--look-at", "8,1,0"});
  ASSERT_EQ(after.frames(), before.frames());
  const std::size_t last = before.frames() - 1;
  EXPECT_LT(distance(before.roots[last], after.roots[last]), 1e-5f) << "it goes where it went";
  const auto head = static_cast<std::size_t>(before.skeleton->find("Head").value());
  EXPECT_GT(angle_between(before.pose(last)[head], after.pose(last)[head]), 0.1f);
}

TEST_F(SteeringCommandTest, WithoutATraceASimulatedPlayerPlaysAndIsNamed) {
  const CommandRun run =
      run_loom({"match", "play", library_, "--label", "walk", "--seconds", "2", "--root", "control", "-o", out_});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("simulated player"));
  EXPECT_THAT(run.out, HasSubstr("(simulated player)"));
}

TEST_F(SteeringCommandTest, FragmentsArePlayedByAPolicyAndByMatching) {
  ASSERT_EQ(run_loom({"fragments", "cut", library_, "--name", "f"}).status, 0);
  const CommandRun untrained = run_loom({"fragments", "play", library_, "f", "--trace", trace_, "-o", out_});
  EXPECT_EQ(untrained.status, 1);
  const CommandRun matched =
      run_loom({"fragments", "play", library_, "f", "--matching", "--trace", trace_, "-o", out_});
  EXPECT_EQ(matched.status, 0) << matched.err;
  ASSERT_EQ(run_loom({"fragments", "train", library_, "f", "--discount", "0.9", "--bins", "30"}).status, 0);
  const CommandRun played =
      run_loom({"fragments", "play", library_, "f", "--trace", trace_, "-o", out_, "--force", "--json"});
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_NEAR(played.json()["motion"]["path_m"].get<double>(), 3.6, 0.6);
}

TEST_F(SteeringCommandTest, AGraphIsTrainedAndPlayedByScript) {
  ASSERT_EQ(run_loom({"graph", "build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  const std::vector<std::string> play = {"graph", "play", library_,     "g",      "--heading",
                                         "0:0",   "2:30", "--behavior", "0:walk", "--seconds",
                                         "4",     "-o",   out_,         "--json", "--force"};
  const CommandRun untrained = run_loom(play);
  EXPECT_EQ(untrained.status, 1);
  EXPECT_THAT(untrained.err, HasSubstr("training on the graph makes one"));
  const CommandRun trained =
      run_loom({"graph", "train", library_, "g", "--headings", "8", "--discount", "0.9", "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(trained.json()["behaviors"], nlohmann::json::array({"walk"}));
  const CommandRun played = run_loom(play);
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_EQ(played.json()["headings"].size(), 2U);
  EXPECT_TRUE(played.json()["headings"][0]["reached"].get<bool>());

  ASSERT_EQ(run_loom({"graph", "build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const CommandRun changed = run_loom(play);
  EXPECT_EQ(changed.status, 1);
  EXPECT_THAT(changed.err, HasSubstr("built anew"));
}

TEST_F(SteeringCommandTest, BadInputIsToldAndWritesNothing) {
  const auto match = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"match", "play", library_});
    return run_loom(words);
  };
  EXPECT_EQ(match({"--trace", trace_}).status, 2) << "no place for the motion";
  EXPECT_EQ(match({"--root", "nobody", "-o", out_}).status, 2);
  EXPECT_EQ(match({"--rate", "0", "--seconds", "1", "-o", out_}).status, 1);
  EXPECT_EQ(match({"--trace", folder_.file("none.csv"), "-o", out_}).status, 1);
  const std::string broken = folder_.write("nan.csv", "time,left,forward,turn,airborne\n0,0,nan,0,0\n");
  EXPECT_EQ(match({"--trace", broken, "-o", out_}).status, 1);
  const std::string crouch =
      folder_.write("crouch.csv", "time,left,forward,turn,airborne,crouch\n0,0,1,0,0,1\n1,0,1,0,0,1\n");
  const CommandRun unknown = match({"--trace", crouch, "-o", out_});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("'crouch'"));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(SteeringCommandTest, WrongScriptsAreWrongUsage) {
  ASSERT_EQ(run_loom({"graph", "build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  ASSERT_EQ(run_loom({"graph", "train", library_, "g", "--headings", "4", "--discount", "0.5"}).status, 0);
  for (const std::vector<std::string>& script : {std::vector<std::string>{"--heading", "north"},
                                                 {"--heading", "0:north"},
                                                 {"--heading", "3:0", "1:90"},
                                                 {"--behavior", "0:swim"},
                                                 {"--behavior", "-1:walk"}}) {
    std::vector<std::string> words = {"graph", "play", library_, "g", "-o", out_};
    words.insert(words.end(), script.begin(), script.end());
    EXPECT_EQ(run_loom(words).status, 2) << script.back();
  }
  EXPECT_EQ(run_loom({"graph", "train", library_, "g", "--behaviors", "swim"}).status, 1);
}

}  // namespace
}  // namespace loom
