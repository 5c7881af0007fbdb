// SPDX-License-Identifier: MIT
#include <atomic>
#include <csignal>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <loom/base/file.h>
#include <loom/base/file_lock.h>

#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(SaveFile, ManyAtOnceLeaveOneWholeFileAndNothingElse) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("page.html");
  std::vector<std::thread> writers;
  for (char who = 'a'; who < 'i'; ++who) {
    writers.emplace_back([&path, who] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(save_file(path, std::string(100'000, who)));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const auto left = load_file(path);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->text(), std::string(100'000, left->text()[0]));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(SaveFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("motion.bvh", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
    std::_Exit(save_file(path, std::string(100'000, 'x')) ? 1 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(load_file(path)->text(), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(SaveFile, WhoeverIsKilledLeavesNothingHalfAndHardlyEverAnything) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("motion.bvh", "old");
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) static_cast<void>(save_file(path, std::string(300'000, 'x')));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + i));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto left = load_file(path);
    ASSERT_TRUE(left);
    EXPECT_TRUE(left->text() == "old" || left->text() == std::string(300'000, 'x'));
  }
  // Between two calls to the system a file has its passing name; killed there it stays, whole.
  for (const auto& entry : fs::directory_iterator(folder.path())) EXPECT_NE(entry.file_size(), 0U);
}

TEST(SaveFile, KeepsWhoMayReadWhatItReplaces) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("private.csv", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(save_file(path, "new"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(SaveFile, ALinkStaysALinkEvenToWhatIsNotThereYet) {
  const testing::TemporaryFolder folder;
  fs::create_directory(folder.file("far"));
  fs::create_symlink("far/second", folder.file("first"));
  fs::create_symlink("file", folder.file("far/second"));
  for (const char* content : {"made", "replaced"}) {
    ASSERT_TRUE(save_file(folder.file("first"), content));
    EXPECT_TRUE(fs::is_symlink(folder.file("first")) && fs::is_symlink(folder.file("far/second")));
    EXPECT_EQ(load_file(folder.file("far/file"))->text(), content);
  }
  fs::create_symlink("round", folder.file("round"));
  EXPECT_FALSE(save_file(folder.file("round"), "nowhere"));
}

TEST(SaveFile, TakesNamesAsLongAsTheFileSystemDoes) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file(std::string(250, 'x') + ".bvh");
  EXPECT_TRUE(save_file(path, "motion"));
  EXPECT_FALSE(save_file(folder.file(std::string(300, 'x')), "motion"));
  EXPECT_FALSE(save_file(folder.file("no/such/folder"), "motion"));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(FileLock, IsHeldByOneAtATimeAndEndsWithItsProcess) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("lock");
  std::atomic<int> inside = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto lock = FileLock::wait_for(path);
        ASSERT_TRUE(lock);
        EXPECT_EQ(++inside, 1);
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::wait_for(path);
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::wait_for(path)) << "nobody waits for a process that was killed";
  EXPECT_FALSE(FileLock::wait_for(folder.file("no/such/folder")));
}

TEST(FileLock, OfAFolderIsHadOrNot) {
  const testing::TemporaryFolder folder;
  fs::create_directory(folder.file("a"));
  fs::create_directory_symlink(folder.file("a"), folder.file("link"));
  {
    const auto held = FileLock::try_folder(folder.file("a"));
    ASSERT_TRUE(held);
    EXPECT_FALSE(FileLock::try_folder(folder.file("a")));
  }
  EXPECT_TRUE(FileLock::try_folder(folder.file("a")));
  EXPECT_FALSE(FileLock::try_folder(folder.file("link")));
  EXPECT_FALSE(FileLock::try_folder(folder.file("none")));
  EXPECT_FALSE(FileLock::try_folder(folder.write("file", "")));
}

}  // namespace
}  // namespace loom
