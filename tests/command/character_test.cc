// SPDX-License-Identifier: MIT
// What a user meets: `loom character map` and `loom retarget`, run as a program, with good input and bad.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bare_person.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

std::string joint_of(const nlohmann::json& result, const std::string& role) {
  for (const auto& entry : result["joints"]) {
    if (entry["role"] == role) return entry["joint"];
  }
  return {};
}

TEST(CharacterMapCommand, TellsRolesByShapeAlone) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("bare.bvh", testing::bare_person_bvh());
  const CommandRun run = run_loom({"character", "map", file, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_TRUE(json["human"].get<bool>());
  EXPECT_EQ(json["joints"].size(), 21U);
  EXPECT_EQ(joint_of(json, "hips"), "q0");
  EXPECT_EQ(joint_of(json, "head"), "q4");
  EXPECT_EQ(joint_of(json, "left_upper_arm"), "q6") << "+X is left of who looks along +Z";
  EXPECT_EQ(joint_of(json, "left_forearm"), "q8");
  EXPECT_EQ(joint_of(json, "right_toe"), "q34");
  EXPECT_EQ(json["twists"].size(), 2U);
  EXPECT_EQ(json["fingers"].size(), 12U);
  EXPECT_FALSE(json["unclear"].empty());
}

TEST(CharacterMapCommand, AMapIsWrittenPutRightAndReadAgain) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("bare.bvh", testing::bare_person_bvh()), map = folder.file("bare.map");
  ASSERT_EQ(run_loom({"character", "map", file, "-o", map}).status, 0);
  std::ifstream read(map);
  const std::string text{std::istreambuf_iterator<char>(read), {}};
  EXPECT_THAT(text, HasSubstr("\nleft_forearm = q8\n"));
  const std::string right = folder.write("right.map", "left_forearm = q7\nneck =\n");
  const CommandRun run = run_loom({"character", "map", file, "--map", right, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(joint_of(run.json(), "left_forearm"), "q7");
  EXPECT_EQ(joint_of(run.json(), "neck"), "");
  EXPECT_EQ(joint_of(run.json(), "head"), "q4");
}

TEST(CharacterMapCommand, WhatIsNoHumanEndsWithOneAndSaysWhatIsMissing) {
  const testing::TemporaryFolder folder;
  const std::string stick =
      folder.write("stick.bvh",
                   "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                   "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n");
  const CommandRun run = run_loom({"character", "map", stick, "--json"});
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(run.json()["human"].get<bool>());
  EXPECT_EQ(run.json()["missing"][0], "two legs");
  EXPECT_TRUE(run.json()["joints"].empty());
}

TEST(CharacterMapCommand, BadMapsNameTheirLine) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("bare.bvh", testing::bare_person_bvh());
  const std::string map = folder.write("bad.map", "hips = q0\nhead = nobody\n");
  const CommandRun run = run_loom({"character", "map", file, "--map", map});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("bad.map:2: the character has no joint 'nobody'"));
}

/// A sample walk and a model of the performer itself.
struct Moved {
  testing::TemporaryFolder folder;
  std::string motion = folder.file("walk.bvh"), model = folder.file("hero.glb");

  Moved() {
    const CommandRun made = run_loom({"sample", "--out", folder.file("samples"), "--only", "idle"});
    EXPECT_EQ(made.status, 0) << made.err;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (entry.path().extension() == ".bvh") motion = entry.path().string();
    }
    const CommandRun converted = run_loom({"convert", motion, model});
    EXPECT_EQ(converted.status, 0) << converted.err;
  }
};

TEST(RetargetCommand, WritesVrmAnimationsAndReadsThemAgain) {
  const Moved moved;
  const std::string vrma = moved.folder.file("walk.vrma"), back = moved.folder.file("back.bvh");
  const CommandRun there = run_loom({"retarget", moved.motion, "--onto", moved.model, "-o", vrma});
  ASSERT_EQ(there.status, 0) << there.err;
  const CommandRun plain = run_loom({"convert", moved.motion, moved.folder.file("plain.vrma")});
  EXPECT_EQ(plain.status, 0) << plain.err;
  const CommandRun read = run_loom({"convert", vrma, back, "--json"});
  ASSERT_EQ(read.status, 0) << read.err;
  const CommandRun map = run_loom({"character", "map", vrma, "--json"});
  ASSERT_EQ(map.status, 0) << map.err;
  EXPECT_EQ(joint_of(map.json(), "left_upper_arm"), "leftUpperArm");
  const CommandRun several =
      run_loom({"retarget", moved.motion, moved.motion, "--onto", moved.model, "-o", moved.folder.file("two.vrma")});
  EXPECT_EQ(several.status, 1);
  EXPECT_THAT(several.err, HasSubstr("holds one motion"));
}

TEST(RetargetCommand, CompressesAndReadsWhatIsCompressed) {
  const Moved moved;
  const std::string plain = moved.folder.file("plain.glb"), small = moved.folder.file("small.glb");
  ASSERT_EQ(run_loom({"retarget", moved.motion, "--onto", moved.model, "-o", plain}).status, 0);
  const CommandRun run =
      run_loom({"retarget", moved.motion, "--onto", moved.model, "--compress", "--hands", "-o", small});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(std::filesystem::file_size(small), std::filesystem::file_size(plain));
  const CommandRun again = run_loom({"retarget", moved.motion, "--onto", small, "-o", moved.folder.file("again.glb")});
  EXPECT_EQ(again.status, 0) << again.err;
  const CommandRun read = run_loom({"info", small});
  EXPECT_EQ(read.status, 0) << read.err;
}

TEST(RetargetCommand, EveryoneIsWrittenOnACharacter) {
  const Moved moved;
  const std::string on = moved.folder.file("on.glb");
  const CommandRun run = run_loom({"convert", moved.motion, on, "--on", moved.model});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run_loom({"info", on}).status, 0);
  const CommandRun nobody = run_loom({"convert", moved.motion, on, "--force", "--on", moved.folder.file("none.glb")});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_THAT(nobody.err, HasSubstr("no such file"));
}

}  // namespace
}  // namespace loom
