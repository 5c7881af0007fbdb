// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <loom/base/file.h>
#include <loom/io/read.h>

namespace loom::io {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(FileTest, SavedBytesAreLoadedAgain) {
  const std::string path = folder_ / "a.bin";
  const std::string bytes("a\0b\r\n", 5);
  ASSERT_TRUE(save_file(path, bytes));
  EXPECT_EQ(load_file(path)->text(), bytes);
  ASSERT_TRUE(save_file(path, ""));
  EXPECT_EQ(load_file(path)->size(), 0u);
}

TEST_F(FileTest, ATenGigabyteFileIsRefusedWithoutBeingRead) {
  const std::string path = folder_ / "huge.bvh";
  std::ofstream(path) << "HIERARCHY\n";
  fs::resize_file(path, std::uintmax_t{10} << 30);  // sparse: takes no room
  const auto read = read_motion(path);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().file, path);
  EXPECT_THAT(read.error().message, HasSubstr("has 10737418240 bytes, more than"));
}

TEST_F(FileTest, WhatIsNoFileIsRefused) {
  EXPECT_THAT(load_file(folder_).error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(load_file("/dev/zero").error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(load_file(folder_ / "missing").error().message, HasSubstr("No such file"));
  const std::string pipe = folder_ / "pipe.bvh";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(read_motion(pipe).error().message, HasSubstr("is not a plain file"));
}

TEST_F(FileTest, TheEndingTellsTheFormat) {
  EXPECT_TRUE(is_motion_file("walk.bvh"));
  EXPECT_TRUE(is_motion_file("a/b/WALK.BVH"));
  EXPECT_TRUE(is_motion_file("walk.amc"));
  EXPECT_FALSE(is_motion_file("walk.asf"));
  EXPECT_FALSE(is_motion_file("walk.txt"));
  EXPECT_FALSE(is_motion_file("bvh"));
  EXPECT_THAT(read_motion("walk.txt").error().message, HasSubstr("not a motion file"));
  EXPECT_THAT(read_motion("walk.asf").error().message, HasSubstr("skeleton without motion"));
}

}  // namespace
}  // namespace loom::io
