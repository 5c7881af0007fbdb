// SPDX-License-Identifier: MIT
// What long commands tell of how far they are: it never goes back.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loom/progress_bar.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_loom;

/// The percentages of "loom: 42 %, ..." in the order they were told.
std::vector<int> told(const std::string& text) {
  std::vector<int> shares;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    int share = 0, end = 0;
    if (std::sscanf(line.c_str(), "loom: %d %%,%n", &share, &end) == 1 && end > 0) shares.push_back(share);
  }
  return shares;
}

TEST(ProgressText, TellsTimeLeftOnceThereIsSomethingToTellItFrom) {
  EXPECT_EQ(app::progress_text(0.5, "playing", 10), "50 %, playing, 10 s left");
  EXPECT_EQ(app::progress_text(0.25, "playing", 60), "25 %, playing, 3 min left");
  EXPECT_EQ(app::progress_text(0.5, "playing", 7200), "50 %, playing, 2.0 h left");
  EXPECT_EQ(app::progress_text(0.01, "playing", 10), "1 %, playing");
  EXPECT_EQ(app::progress_text(0.5, "playing", 0.5), "50 %, playing");
  EXPECT_THAT(app::progress_text(0.5, "reading \x1b[2J", 0), Not(HasSubstr("\x1b")));
}

TEST(ProgressLines, NeverGoBackInAnyLongCommand) {
  const testing::TemporaryFolder folder;
  const std::string library = folder.file("s.loom");
  ::setenv("LOOM_PROGRESS_SECONDS", "0", 1);
  ASSERT_EQ(run_loom({"sample", "--out", folder.file("in"), "--only", "walk"}).status, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"import", library, folder.file("in")},
      {"sample", folder.file("samples.loom"), "--only", "walk", "run", "jump", "idle", "reach", "fight-stance",
       "fight-step", "fight-change", "punch", "kick", "evade"},
      {"graph", "build", folder.file("samples.loom"), "--name", "g", "--connect", "0.98"},
      {"graph", "follow", folder.file("samples.loom"), "g", "--points", "0,0", "0,4", "2,6", "--within", "9", "-o",
       folder.file("f.bvh")},
      {"graph", "train", folder.file("samples.loom"), "g", "--headings", "8"},
      {"graph", "report", folder.file("samples.loom"), "g", "-o", folder.file("r.html")},
      {"fragments", "cut", folder.file("samples.loom"), "--name", "f", "--label", "walk"},
      {"fragments", "train", folder.file("samples.loom"), "f", "--count", "2", "--seconds", "30", "--bins", "10"},
      {"fragments", "eval", folder.file("samples.loom"), "f", "--count", "1", "--seconds", "5"},
      {"fragments", "inspect", folder.file("samples.loom"), "f"},
      {"match", "play", folder.file("samples.loom"), "--seconds", "20", "-o", folder.file("m.bvh")},
      {"states", "build", folder.file("samples.loom"), "--name", "fight"},
      {"fight", folder.file("samples.loom"), "--seconds", "2", "--bouts", "5"},
      {"fight", folder.file("samples.loom"), "--seconds", "5", "-o", folder.file("b.glb")},
      {"blend", "family", folder.file("samples.loom"), "--name", "reach", "--label", "reach"},
      {"blend", "analyze", folder.file("samples.loom"), "reach", "reach", "--grid", "5", "--layers", "1"},
      {"export", folder.file("samples.loom"), "-o", folder.file("out")},
  };
  for (const auto& words : commands) {
    const CommandRun run = run_loom(words);
    SCOPED_TRACE(words[0] + " " + words[1]);
    EXPECT_EQ(run.status, 0) << run.err;
    const std::vector<int> shares = told(run.err);
    EXPECT_TRUE(words[0] == "sample" || shares.size() >= 2) << run.err;
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end())) << ::testing::PrintToString(shares);
  }
  ::unsetenv("LOOM_PROGRESS_SECONDS");
}

}  // namespace
}  // namespace loom
