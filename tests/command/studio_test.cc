// SPDX-License-Identifier: MIT
// `loom studio` as a process.
#include <filesystem>
#include <thread>

#include <loom/library/library.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;

TEST(StudioCommand, FirstStartsAtOnceMakeOneSampleLibrary) {
  const testing::TemporaryFolder folder;
  ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
  fs::create_directories(folder.file("motionloom"));
  folder.write("motionloom/samples.unfinished.loom", "left by a run that was killed");
  constexpr std::size_t kStarts = 3;
  std::vector<testing::CommandRun> runs(kStarts);
  std::vector<std::thread> threads;
  for (testing::CommandRun& run : runs) {
    threads.emplace_back([&run] {
      testing::CommandLimits limits;
      limits.interrupt = true;
      run = testing::run_loom({"studio", "--port", "0", "--json"}, limits);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ::unsetenv("XDG_DATA_HOME");
  for (const testing::CommandRun& run : runs) {
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["library"], folder.file("motionloom/samples.loom"));
  }
  const auto made = library::Library::open(folder.file("motionloom/samples.loom"));
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_TRUE(made->verify());
  EXPECT_GT(made->clips()->size(), 50U);
  EXPECT_FALSE(fs::exists(folder.file("motionloom/samples.unfinished.loom")));
}

}  // namespace
}  // namespace loom
