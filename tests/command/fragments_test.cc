// SPDX-License-Identifier: MIT
// What a user meets: `loom fragments` in its forms, run as a program, with good input and bad.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/library.h>

#include "tests/policy/glide_library.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

class FragmentsCommandTest : public ::testing::Test {
 protected:
  FragmentsCommandTest() { testing::make_glide_library(library_); }

  /// `loom fragments WORD LIBRARY ...`
  CommandRun fragments(const std::string& word, std::vector<std::string> rest) {
    std::vector<std::string> words{"fragments", word, library_};
    words.insert(words.end(), rest.begin(), rest.end());
    return run_loom(words);
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(FragmentsCommandTest, FromClipsToATableOfControllers) {
  const auto cut = fragments("cut", {"--name", "f", "--json"});
  ASSERT_EQ(cut.status, 0) << cut.err;
  EXPECT_EQ(cut.json()["fragment_count"], 104);
  const auto made = fragments("traces", {"f", "--count", "2", "--seconds", "20", "-o", folder_.file("t"), "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json()["traces"].size(), 2u);
  // Few bins: nine controllers are trained below, and each takes as long as there are bins.
  const std::vector<std::string> how = {"f", "--traces", folder_.file("t/trace_01.csv"), "--bins", "12", "--json"};
  const auto train = fragments("train", how);
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_EQ(train.json()["converged"], true);
  const auto again = fragments("train", how);
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["started_from_earlier"], true);
  EXPECT_LE(again.json()["sweeps"], train.json()["sweeps"]);
  const auto eval =
      fragments("eval", {"f", "--traces", folder_.file("t/trace_02.csv"), "--pictures", folder_.file("p"), "--json"});
  ASSERT_EQ(eval.status, 0) << eval.err;
  ASSERT_EQ(eval.json()["controllers"].size(), 10u);
  EXPECT_EQ(eval.json()["left_out"], "") << "few fragments are judged wholly";
  EXPECT_EQ(eval.json()["controllers"][0]["controller"], "model");
  EXPECT_GT(eval.json()["controllers"][0]["percent_of_optimal"], 50);
  EXPECT_TRUE(eval.json()["controllers"][0].contains("std"));
  for (const char* name : {"p/traces.png", "p/choices.png", "p/qualities.png"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.file(name))) << name;
  }
  const auto inspect = fragments("inspect", {"f", "--count", "3", "--picture", folder_.file("w.svg"), "--json"});
  ASSERT_EQ(inspect.status, 0) << inspect.err;
  EXPECT_EQ(inspect.json()["worst_transitions"].size(), 3u);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("w.svg")));
}

TEST_F(FragmentsCommandTest, BinsWherePlayersAre) {
  ASSERT_EQ(fragments("cut", {"--name", "f"}).status, 0);
  const auto train = fragments("train", {"f", "--bins", "20", "--json"});
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_LE(train.json()["bins"], 20);
  EXPECT_GE(train.json()["bins"], 10);
  EXPECT_EQ(train.json()["unused_bins"], 0);
}

TEST_F(FragmentsCommandTest, CtrlCWhileTrainingLeavesALibraryToGoOnWith) {
  ASSERT_EQ(fragments("cut", {"--name", "f"}).status, 0);
  // So small a tolerance is never met: training would go on for a long time.
  const auto stopped = run_loom({"fragments", "train", library_, "f", "--tolerance", "1e-300"}, {.interrupt = true});
  EXPECT_EQ(stopped.status, 1) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped"));
  EXPECT_EQ(run_loom({"info", library_, "--check"}).status, 0);
  const auto info = run_loom({"info", library_, "--json"}).json();
  EXPECT_EQ(info["clip_count"], 4);
  EXPECT_EQ(run_loom({"fragments", "train", library_, "f", "--bins", "8"}).status, 0);
}

TEST_F(FragmentsCommandTest, RefusesWhatIsNotThereOrHasChanged) {
  EXPECT_EQ(fragments("cut", {}).status, 2) << "no name";
  EXPECT_EQ(fragments("train", {"f"}).status, 1) << "no fragments yet";
  ASSERT_EQ(fragments("cut", {"--name", "f"}).status, 0);
  EXPECT_EQ(fragments("eval", {"f"}).status, 1) << "no policy yet";
  testing::TemporaryFolder other;
  const std::string trace = other.file("t.csv");
  std::ofstream(trace) << "time,left,forward,turn,airborne,swim\n0,0,0,0,0,1\n1,0,0,0,0,1\n";
  const auto unknown = fragments("train", {"f", "--traces", trace});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("'swim' is unknown"));
  std::ofstream(trace) << "time,left,forward,turn\n0,0,0,0\n1,0,0,0\n";
  EXPECT_THAT(fragments("train", {"f", "--traces", trace}).err, HasSubstr("another control space"));
  std::ofstream(trace) << "time,left,forward,turn,airborne\n0,0,nan,0,0\n";
  EXPECT_THAT(fragments("train", {"f", "--traces", trace}).err, HasSubstr("t.csv:2"));
  ASSERT_EQ(fragments("train", {"f", "--bins", "8"}).status, 0);
  ASSERT_TRUE(library::Library::open(library_, library::Access::kWrite)->remove_clip("left"));
  const auto changed = fragments("eval", {"f"});
  EXPECT_EQ(changed.status, 1);
  EXPECT_THAT(changed.err, HasSubstr("'left' is gone"));
}

}  // namespace
}  // namespace loom
