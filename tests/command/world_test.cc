// SPDX-License-Identifier: MIT
// What a user meets: `loom world` and `loom plan walk`, run as a program, with good input and bad.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class WorldCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    CommandRun made = run_loom({"sample", library(), "--only", "locomotion", "--only", "run"});
    ASSERT_EQ(made.status, 0) << made.err;
    made = run_loom({"graph", "build", library(), "--name", "g", "--clips", "locomotion-*"});
    ASSERT_EQ(made.status, 0) << made.err;
    made = run_loom({"graph", "build", library(), "--name", "runs", "--clips", "run-*"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string library() { return folder_->file("walks.loom"); }
  static std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_->file(name)) << text;
    return folder_->file(name);
  }
  static CommandRun plan(const std::string& world, std::vector<std::string> more = {},
                         const std::string& with = "graph:g") {
    std::vector<std::string> words = {
        "plan",      "walk", library(), "--world", world,     "--with", with, "-o", folder_->file("walk.glb"),
        "--seconds", "60",   "--bound", "20",      "--force", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_loom(words);
  }
  static testing::TemporaryFolder* folder_;
};

testing::TemporaryFolder* WorldCommandTest::folder_ = nullptr;

constexpr const char* kHall = "world hall\nground 0 0 8 8\nbox wall at 3 4 size 6 0.3 to 2.5\nstart 1 1\ngoal 1 7\n";

TEST_F(WorldCommandTest, AWalkGoesRoundTheWallAndEndsWhereItIsAsked) {
  const CommandRun run = plan(file("hall.world", kHall), {"--start", "1,1", "--goal", "1.5,7,180"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_TRUE(json["solved"].get<bool>());
  EXPECT_LT(json["end_error_m"].get<double>(), 0.05);
  EXPECT_LT(json["end_error_deg"].get<double>(), 5);
  EXPECT_EQ(json["collisions"], 0);
  EXPECT_GE(json["bound"].get<double>(), 1);
  EXPECT_GT(json["length_m"].get<double>(), 10) << "straight it is 6 m";
  EXPECT_GT(json["expanded"].get<int>(), 0);
  EXPECT_GT(json["memory_bytes"].get<double>(), 0);
  EXPECT_LE(json["seconds_first"].get<double>(), json["seconds"].get<double>());
  EXPECT_EQ(run_loom({"info", folder_->file("walk.glb")}).status, 0);
}

TEST_F(WorldCommandTest, RunnersGoOverWhatIsLow) {
  const std::string hall = "ground 0 0 8 24\nbox log at 4 12 size 8 0.1 to 0.06 asks step\nstart 4 2\ngoal 4 22\n";
  const CommandRun run = plan(file("log.world", hall), {}, "graph:runs");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["collisions"], 0);
}

TEST_F(WorldCommandTest, WorldsAreMadeCheckedAndDrawn) {
  const std::string made = folder_->file("new.world");
  ASSERT_EQ(run_loom({"world", "new", "-o", made, "--obstacles", "5"}).status, 0);
  const CommandRun checked = run_loom({"world", "check", made, "--json"});
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(checked.json()["obstacle_count"], 5);
  EXPECT_EQ(run_loom({"world", "picture", made, "-o", folder_->file("new.png")}).status, 0);
  const std::string map = file("small.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
  const CommandRun read = run_loom({"world", "check", map, "--cell", "2", "--json"});
  ASSERT_EQ(read.status, 0) << read.err;
  EXPECT_NEAR(read.json()["floor_m2"].get<double>(), 24, 1);
}

TEST_F(WorldCommandTest, WhatCannotBeIsSaidInOneLine) {
  const auto why = [](const CommandRun& run) {
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_FALSE(run.json()["solved"].get<bool>());
    EXPECT_EQ(run.json()["error"]["message"].get<std::string>().find('\n'), std::string::npos);
    return run.err;
  };
  const std::string hall = file("hall.world", kHall);
  EXPECT_THAT(why(plan(hall, {"--start", "3,4"})), HasSubstr("the start (3.00, 4.00) is in 'wall'"));
  EXPECT_THAT(why(plan(hall, {"--goal", "9,9"})), HasSubstr("there is no floor at the goal"));
  EXPECT_THAT(
      why(plan(file("closed.world", "ground 0 0 8 8\nbox wall at 4 4 size 8 0.3 to 2.5\nstart 1 1\ngoal 1 7\n"))),
      HasSubstr("'wall' closes it"));
  EXPECT_THAT(
      why(plan(file("table.world", "ground 0 0 8 8\nbox table at 5 5 size 2 2 to 0.75\nstart 1 1\ngoal 5 5\n"))),
      HasSubstr("'table', which reaches from 0.00 to 0.75 m above the floor"));
  EXPECT_THAT(
      why(plan(file("bar.world",
                    "ground 0 0 8 8\nbox bar at 4 4 size 8 0.1 from 1 to 1.2 asks duck\nstart 1 1\ngoal 1 7\n"))),
      HasSubstr("asks to duck at 'bar': there is no motion labelled for it"));
}

TEST_F(WorldCommandTest, FilesThatAreNoWorldsAreRefusedWithTheirLine) {
  const auto why = [](const std::string& path) {
    const CommandRun run = run_loom({"world", "check", path});
    EXPECT_EQ(run.status, 1);
    return run.err;
  };
  EXPECT_THAT(why(file("a.world", "world a\nbox b at 1 1 size 1 1 to 2\n")), HasSubstr("no ground to stand on"));
  EXPECT_THAT(why(file("b.world", "ground 0 0 8 8\n\nbox b at nan 1 size 1 1 to 2\n")), HasSubstr("b.world:3"));
  EXPECT_THAT(why(file("c.world", "ground 0 0 8 8\nmesh m \"none.obj\"\n")), HasSubstr("c.world:2"));
  EXPECT_THAT(why(file("d.map", "type octile\nheight 2\nwidth 3\nmap\n..\n...\n")), HasSubstr("d.map:5"));
  EXPECT_THAT(why(folder_->file("none.world")), HasSubstr("none.world"));
}

}  // namespace
}  // namespace loom
