// SPDX-License-Identifier: MIT
// Two clips of a library against each other, from the command line: `loom graph compare` and `loom blend align`.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/library.h>

#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using library::Library;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class PairCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto library = Library::open_or_create(library_);
    for (const auto& [name, cycle] : {std::pair{"a", 1.1}, std::pair{"b", 1.3}}) {
      testing::Gait gait;
      gait.cycle = cycle;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = name;
      ASSERT_TRUE(library->add_clip(clip));
    }
  }
  CommandRun compare(std::vector<std::string> words) {
    words.insert(words.begin(), {"graph", "compare", library_});
    return run_loom(words);
  }
  CommandRun align(std::vector<std::string> words) {
    words.insert(words.begin(), {"blend", "align", library_});
    return run_loom(words);
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(PairCommandTest, CompareTellsWhereClipsAreAlike) {
  const std::string picture = folder_.file("matrix.png");
  const CommandRun run = compare({"a", "b", "--picture", picture, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["compared_frames"], nlohmann::json::parse("[121,121]"));
  ASSERT_GT(json["minima"].size(), 3U);
  EXPECT_LE(json["minima"][0]["distance"], json["minima"][1]["distance"]);
  EXPECT_GT(fs::file_size(picture), 1000U);
  EXPECT_THAT(compare({"a", "b", "--best", "2"}).out, HasSubstr("frame of b"));
}

TEST_F(PairCommandTest, CompareWritesTheTransitionAtAPoint) {
  const std::string file = folder_.file("t.bvh");
  const CommandRun run = compare({"a", "b", "--at", "60:50", "-o", file, "--add", "change", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["motion"]["pieces"].size(), 2U);
  EXPECT_GT(run.json()["distance"], 0.0);
  EXPECT_TRUE(fs::exists(file));
  EXPECT_TRUE(Library::open(library_)->clip_info("change"));
  EXPECT_TRUE(compare({"a", "b", "--at", "0:50", "--json"}).json()["distance"].is_null());
}

TEST_F(PairCommandTest, CompareRefusesWhatIsNotThere) {
  EXPECT_THAT(compare({"a", "nobody"}).err, HasSubstr("nobody"));
  for (const char* at : {"60", "60:x", "-1:4", "9999:4", "0:50"}) {
    EXPECT_EQ(compare({"a", "b", std::string("--at=") + at, "-o", folder_.file("t.glb")}).status, 1) << at;
  }
  EXPECT_FALSE(fs::exists(folder_.file("t.glb")));
  EXPECT_EQ(compare({"a"}).status, 2);
}

TEST_F(PairCommandTest, AlignHoldsItsPins) {
  const std::string picture = folder_.file("warp.svg"), file = folder_.file("retimed.glb");
  const auto free = align({"a", "b", "--json"}).json();
  const CommandRun run =
      align({"a", "b", "--pin", "40:52", "--pin", "80:75", "--picture", picture, "-o", file, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  for (const char* pin : {"[40,52]", "[80,75]"}) {
    EXPECT_THAT(json["path"], ::testing::Contains(nlohmann::json::parse(pin)));
  }
  EXPECT_GT(json["cost"], free["cost"]);
  EXPECT_EQ(json["motion"]["frames"], 121);
  EXPECT_TRUE(fs::exists(picture) && fs::exists(file));
  EXPECT_LT(align({"a", "b", "--free-ends", "--json"}).json()["cost"], free["cost"]);
  EXPECT_EQ(align({"a", "b", "--from", "5:0", "--json"}).json()["path"][0], nlohmann::json::parse("[5,0]"));
}

TEST_F(PairCommandTest, AlignMeetsMarkedStrokes) {
  ASSERT_EQ(run_loom({"label", library_, "a", "stroke", "--from", "50", "--to", "51"}).status, 0);
  ASSERT_EQ(run_loom({"label", library_, "b", "stroke", "--from", "62", "--to", "63"}).status, 0);
  EXPECT_THAT(align({"a", "b"}).out, HasSubstr("strokes meet at 50:62"));
  EXPECT_TRUE(align({"a", "b", "--no-strokes", "--json"}).json()["strokes"].empty());
}

TEST_F(PairCommandTest, AlignRefusesPinsThatCannotBeHeld) {
  EXPECT_THAT(align({"a", "b", "--pin", "40:119"}).err, HasSubstr("more than 3 times as fast"));
  EXPECT_THAT(align({"a", "b", "--pin", "500:3"}).err, HasSubstr("500:3"));
  EXPECT_EQ(align({"a", "b", "--pin", "60:60", "--pin", "50:70"}).status, 1);
  EXPECT_EQ(align({"a", "b", "--pin", "x"}).status, 1);
  EXPECT_EQ(align({"a", "b", "--rate", "0"}).status, 2);
}

}  // namespace
}  // namespace loom
