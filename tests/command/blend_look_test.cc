// SPDX-License-Identifier: MIT
// What a user meets: `loom blend family`, `analyze` and `coverage`, run as a program, with good input and bad.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using ::testing::HasSubstr;
using testing::run_loom;

TEST(BlendFamilyCommand, MakesListsAndRefuses) {
  const testing::TemporaryFolder folder;
  const std::string library = folder.file("moves.loom");
  ASSERT_EQ(run_loom({"sample", library, "--only", "kick-family", "--rate", "30"}).status, 0);
  const auto made = run_loom({"blend", "family", library, "--label", "kick", "--name", "kick", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto json = made.json();
  EXPECT_EQ(json["kind"], "family");
  EXPECT_EQ(json["family_kind"], "kick");
  EXPECT_EQ(json["joint"], "RightFoot");
  EXPECT_EQ(json["examples"], 20);
  EXPECT_TRUE(json["members"][0]["parameters"]["x"].is_number());
  const auto list = run_loom({"blend", "family", library, "--list", "--json"}).json();
  EXPECT_EQ(list["families"][0]["name"], "kick");
  EXPECT_THAT(run_loom({"blend", "family", library, "--list"}).out, HasSubstr("kick"));

  const auto unknown = run_loom({"blend", "family", library, "--label", "swim", "--name", "s"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("swim"));
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick", "--name", "k", "--stroke", "x"}).status, 1);
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick", "--name", "k", "--kind", "fly"}).status, 2);
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick"}).status, 2);
  const std::string table = folder.write("t.csv", "clip,mood\nkick-family-01,NaN\nkick-family-02,1\n");
  const auto nan = run_loom({"blend", "family", library, "--table", table, "--name", "t"});
  EXPECT_EQ(nan.status, 1);
  EXPECT_THAT(nan.err, HasSubstr("t.csv:2"));
}

class BlendLookTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    library_ = folder_->file("moves.loom");
    ASSERT_EQ(run_loom({"sample", library_, "--only", "kick-family", "--rate", "30"}).status, 0);
    ASSERT_EQ(run_loom({"blend", "family", library_, "--label", "kick", "--name", "kick"}).status, 0);
  }
  static void TearDownTestSuite() { delete folder_; }

  static inline testing::TemporaryFolder* folder_ = nullptr;
  static inline std::string library_;
};

TEST_F(BlendLookTest, AnalyzeComparesTheMethodsAndWritesItsPage) {
  const std::string out = folder_->file("analysis");
  const auto run =
      run_loom({"blend", "analyze", library_, "kick", "--grid", "5", "--layers", "1", "--out", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["methods"].size(), 5U);
  std::map<std::string, double> reachable;
  for (const auto& method : json["methods"]) reachable[method["method"]] = method["reachable_error"];
  EXPECT_LT(reachable["inverse"], 0.001);
  EXPECT_GT(reachable["neighbours"], reachable["inverse"]);
  EXPECT_EQ(json["families"][0]["examples"], 20);
  for (const char* name : {"analysis.html", "analysis.json"}) {
    EXPECT_GT(std::filesystem::file_size(std::filesystem::path(out) / name), 1000U) << name;
  }
  const auto table = run_loom({"blend", "analyze", library_, "kick", "--grid", "5", "--layers", "1"});
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.out, HasSubstr("corrected-basis"));
}

TEST_F(BlendLookTest, AnalyzeRefuses) {
  const auto unknown = run_loom({"blend", "analyze", library_, "swim"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("swim"));
  EXPECT_EQ(run_loom({"blend", "analyze", library_}).status, 2);
  EXPECT_EQ(run_loom({"blend", "analyze", library_, "kick", "--grid", "1"}).status, 2);
}

TEST_F(BlendLookTest, CoverageTellsWhereAnExampleIsWanted) {
  const std::string csv = folder_->file("c.csv"), picture = folder_->file("c.png");
  const auto run =
      run_loom({"blend", "coverage", library_, "kick", "--cube", "0.15", "--csv", csv, "-o", picture, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["error_unit"], "m");
  EXPECT_GT(json["covered"], 0.1);
  EXPECT_LT(json["covered"], 1);
  EXPECT_GT(json["suggestion"]["covered_after"], json["covered"]);
  EXPECT_TRUE(json["suggestion"]["parameters"]["x"].is_number());
  std::ifstream lines(csv);
  const auto count = std::count(std::istreambuf_iterator<char>(lines), {}, '\n');
  EXPECT_EQ(static_cast<std::size_t>(count), json["samples"].size() + 1);
  EXPECT_TRUE(std::filesystem::exists(picture));
  EXPECT_THAT(run_loom({"blend", "coverage", library_, "kick", "--cube", "0.15"}).out, HasSubstr("One more example"));
}

TEST_F(BlendLookTest, CoverageOfASurfaceIsDrawnInMetres) {
  const std::string picture = folder_->file("table.svg");
  const auto run = run_loom({"blend", "coverage", library_, "kick", "--surface", "height=0.6", "-o", picture});
  ASSERT_EQ(run.status, 0) << run.err;
  std::ifstream file(picture);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(svg, HasSubstr("x (m)"));
  EXPECT_THAT(svg, HasSubstr("z (m)"));
  EXPECT_THAT(svg, HasSubstr(">0.6<")) << "a tick in metres";
}

TEST_F(BlendLookTest, CoverageAroundAPlaceIsASmallMesh) {
  const std::string picture = folder_->file("around.png");
  const auto run = run_loom({"blend", "coverage", library_, "kick", "--around", "0,0.8,0.6", "--shape", "wall",
                             "--size", "0.2", "--points", "5", "-o", picture, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["samples"].size(), 25U);
  double lowest = 9, highest = 0;
  for (const auto& sample : json["samples"]) {
    EXPECT_NEAR(sample["at"][2].get<double>(), 0.6, 1e-9) << "upright, ahead of the body";
    lowest = std::min(lowest, sample["at"][1].get<double>());
    highest = std::max(highest, sample["at"][1].get<double>());
  }
  EXPECT_NEAR(lowest, 0.7, 1e-9);
  EXPECT_NEAR(highest, 0.9, 1e-9);
  EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST_F(BlendLookTest, CoverageRefuses) {
  const auto refusal = [&](std::vector<std::string> words, int status) {
    words.insert(words.begin(), {"blend", "coverage", library_});
    const auto run = run_loom(words);
    EXPECT_EQ(run.status, status);
    return run.err;
  };
  EXPECT_THAT(refusal({"swim"}, 1), HasSubstr("swim"));
  EXPECT_THAT(refusal({"kick", "--surface", "width=1"}, 1), HasSubstr("height=METRES"));
  EXPECT_THAT(refusal({"kick", "--box", "0,0,0"}, 1), HasSubstr("two corners"));
  EXPECT_THAT(refusal({"kick", "--box", "0,0:1,1"}, 1), HasSubstr("3 numbers"));
  EXPECT_THAT(refusal({"kick", "--box", "0,0,0:1,1,1", "--surface", "height=1"}, 2), HasSubstr("excludes"));
  EXPECT_THAT(refusal({"kick", "--around", "0,1"}, 1), HasSubstr("x,y,z"));
  EXPECT_THAT(refusal({"kick", "--around", "0,1,0", "--surface", "height=1"}, 2), HasSubstr("excludes"));
  EXPECT_NE(refusal({"kick", "--around", "0,1,0", "--points", "1"}, 2), "");
  EXPECT_NE(refusal({"kick", "--around", "0,1,0", "--shape", "cone"}, 2), "");
  EXPECT_NE(refusal({"kick", "--cube", "-1"}, 2), "");
  EXPECT_NE(refusal({}, 2), "");
}

}  // namespace
}  // namespace loom
