// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <loom/library/library.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

constexpr std::size_t kFrames = 3000, kPage = 16384;

class SpaceTest : public ::testing::Test {
 protected:
  SpaceTest() {
    auto library = *Library::open_or_create(path_);
    for (const char* name : {"a", "b", "c", "d"}) {
      motion::Clip clip = testing::random_clip(testing::small_person(), kFrames, 30, static_cast<std::uint64_t>(*name));
      clip.name = name;
      EXPECT_TRUE(library.add_clip(clip));
    }
  }
  void execute(const char* sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }
  void remove_two_and_give_back() {
    auto library = *Library::open(path_, Access::kWrite);
    ASSERT_TRUE(library.remove_clip("a"));
    ASSERT_TRUE(library.remove_clip("c"));
    const auto before = library.space();
    EXPECT_GT(before->unused + kPage, 2 * kFrames * bytes_per_frame(17));
    const auto given = library.give_back_space();
    ASSERT_TRUE(given) << given.error().to_string();
    EXPECT_EQ(library.space()->unused, 0U);
    EXPECT_LE(library.space()->bytes, before->bytes - before->unused + 2 * kPage);
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.file("moves.loom");
};

TEST_F(SpaceTest, GivenBackTheFileFallsAndTheRestIsAsItWas) {
  const auto size = std::filesystem::file_size(path_);
  const std::string hash = Library::open(path_)->clip_info("b")->hash;
  remove_two_and_give_back();
  EXPECT_LT(std::filesystem::file_size(path_), size - 2 * kFrames * bytes_per_frame(17) + 4 * kPage);
  const auto library = Library::open(path_);
  EXPECT_TRUE(library->verify());
  EXPECT_EQ(library->clip_info("b")->hash, hash);
  EXPECT_EQ(library->read_clip("d")->frames(), kFrames);
}

TEST_F(SpaceTest, ALibraryMadeBeforeSpaceWasGivenBackFallsToo) {
  execute("PRAGMA auto_vacuum = NONE; VACUUM;");
  const auto size = std::filesystem::file_size(path_);
  remove_two_and_give_back();
  EXPECT_LT(std::filesystem::file_size(path_), size - 2 * kFrames * bytes_per_frame(17) + 4 * kPage);
  EXPECT_TRUE(Library::open(path_)->verify());
}

TEST_F(SpaceTest, OthersReadOnWhileItIsGivenBack) {
  const auto reader = Library::open(path_);
  EXPECT_EQ(reader->read_clip("b")->frames(), kFrames);
  remove_two_and_give_back();
  EXPECT_EQ(reader->clips()->size(), 2U);
  EXPECT_EQ(reader->read_clip("b")->frames(), kFrames);
  EXPECT_TRUE(reader->verify());
}

TEST_F(SpaceTest, WithNothingToGiveBackNothingIsDone) {
  auto library = *Library::open(path_, Access::kWrite);
  const auto size = library.space()->bytes;
  EXPECT_TRUE(library.give_back_space());
  EXPECT_EQ(library.space()->bytes, size);
}

}  // namespace
}  // namespace loom::library
