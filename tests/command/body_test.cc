// SPDX-License-Identifier: MIT
// A library of several bodies: every command that needs one takes --body, and says so where it is missing.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/library.h>

#include "tests/command/walk_clips.h"
#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using library::Library;
using ::testing::AllOf;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class BodyCommandTest : public ::testing::Test {
 protected:
  BodyCommandTest() {
    auto library = *Library::open_or_create(library_);
    for (const auto& [name, speed, scale] : {std::tuple{"small-1", 1.1, 1.f},
                                             {"small-2", 1.2, 1.f},
                                             {"small-3", 1.3, 1.f},
                                             {"tall-1", 1.1, 1.2f},
                                             {"tall-2", 1.2, 1.2f}}) {
      motion::Clip clip = testing::labelled_walk(name, speed);
      if (scale != 1) {
        clip.skeleton = std::make_shared<motion::Skeleton>(clip.skeleton->scaled(scale));
        for (Vec3& root : clip.roots) root = scale * root;
      }
      EXPECT_TRUE(library.add_clip(clip));
    }
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("mixed.loom");
  std::string trace_ = folder_.write("stick.csv", "time,left,forward,turn,airborne\n0,0,1.2,0,0\n2,0,1.2,0,0\n");
  std::string machine_ =
      folder_.write("walk.machine", "machine walking\nstate walk: walk\ndefault walk\ntransition walk -> walk self\n");
};

TEST_F(BodyCommandTest, EveryBuilderTellsTheBodiesAndTakesTheChosenOne) {
  const std::string out = folder_.file("out.bvh");
  const std::string prints = folder_.write("prints.csv", "x,z\n0.1,0\n-0.1,0\n0.1,0.6\n-0.1,1.2\n0.1,1.8\n");
  const std::vector<std::vector<std::string>> commands = {
      {"graph", "build", library_, "--name", "g", "--connect", "0.3"},
      {"fragments", "cut", library_, "--name", "f"},
      {"match", "play", library_, "--trace", trace_, "-o", out, "--force"},
      {"blend", "family", library_, "--label", "walk", "--name", "w"},
      {"blend", "steps", library_, prints, "--label", "walk", "-o", out, "--force"},
  };
  for (const std::vector<std::string>& words : commands) {
    const std::string what = words[0] + " " + words[1];
    const CommandRun unsaid = run_loom(words);
    EXPECT_EQ(unsaid.status, 1) << what;
    EXPECT_THAT(unsaid.err, AllOf(HasSubstr("do not move the same body"), HasSubstr("body 1 of 17 joints (3 clips"),
                                  HasSubstr("body 2 of 17 joints (2 clips"), HasSubstr("(--body)")))
        << what;
    for (const char* body : {"1", "2", "small-2"}) {
      std::vector<std::string> said = words;
      said.insert(said.end(), {"--body", body});
      const CommandRun run = run_loom(said);
      EXPECT_EQ(run.status, 0) << what << " --body " << body << ": " << run.err;
    }
  }
  EXPECT_EQ(run_loom({"graph", "build", library_, "--name", "g", "--connect", "0.3", "--body", "2", "--json"})
                .json()["clip_count"],
            2);
  EXPECT_EQ(run_loom({"fragments", "cut", library_, "--name", "f", "--body", "small-1", "--json"}).json()["clip_count"],
            3);
}

TEST_F(BodyCommandTest, StatesAndFightsTakeTheChosenBody) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"states", "build", library_, "--machine", machine_, "--name", "s"},
        {"fight", library_, "--machine", machine_, "--seconds", "1"}}) {
    EXPECT_THAT(run_loom(words).err,
                HasSubstr("choose one by its number or by a clip of it, or import them onto one body (--body)"))
        << words[0];
    std::vector<std::string> said = words;
    said.insert(said.end(), {"--body", "2"});
    EXPECT_THAT(run_loom(said).err, ::testing::Not(HasSubstr("--body"))) << words[0];
  }
  const CommandRun built =
      run_loom({"states", "build", library_, "--machine", machine_, "--name", "s", "--body", "tall-1", "--json"});
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_EQ(built.json()["parameters"]["body"], "tall-1");
  EXPECT_EQ(run_loom({"states", "explain", library_, "s"}).status, 0) << "it builds again with the body it had";
}

TEST_F(BodyCommandTest, WhatReadsClipsCanBeKeptToABody) {
  EXPECT_EQ(run_loom({"list", library_, "--body", "2", "--json"}).json()["clips"].size(), 2U);
  EXPECT_EQ(run_loom({"measure", library_, "--body", "tall-2", "--json"}).json()["clips"].size(), 2U);
  EXPECT_EQ(run_loom({"export", library_, "--body", "1", "-o", folder_.file("small"), "--json"}).json()["files"].size(),
            3U);
  const auto clips = run_loom({"list", library_, "--json"}).json()["clips"];
  EXPECT_NE(clips[0]["body"], clips[4]["body"]);
  EXPECT_THAT(run_loom({"list", library_}).out, HasSubstr("body"));
}

TEST_F(BodyCommandTest, AnUnknownBodyIsToldThoseThereAre) {
  for (const char* wrong : {"7", "nobody", ""}) {
    const CommandRun run = run_loom({"fragments", "cut", library_, "--name", "f", "--body", wrong});
    EXPECT_NE(run.status, 0) << wrong;
    EXPECT_THAT(run.err, HasSubstr("body 2 of 17 joints")) << wrong;
  }
  const CommandRun none = run_loom({"export", library_, "tall-1", "--body", "1", "-o", folder_.file("x")});
  EXPECT_THAT(none.err, HasSubstr("'tall-1' does not move body 1"));
}

}  // namespace
}  // namespace loom
