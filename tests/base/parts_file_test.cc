// SPDX-License-Identifier: MIT
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <loom/base/parts_file.h>
#include <loom/base/random.h>

#include "tests/temporary_folder.h"

namespace loom {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

class PartsFileTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string path_ = folder_.file("work.parts");

  [[nodiscard]] std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(PartsFileTest, GoesOnWhereItWas) {
  {
    auto file = PartsFile::open(path_).value();
    ASSERT_TRUE(file.begin("pass 1"));
    ASSERT_TRUE(file.hand_out(4, 1));
    ASSERT_TRUE(file.hand_out(5, 2));
    ASSERT_TRUE(file.keep(4, bytes_of("four")));
    ASSERT_TRUE(file.begin("pass 2"));
    ASSERT_TRUE(file.keep(4, bytes_of("another four")));
  }
  auto file = PartsFile::open(path_).value();
  EXPECT_TRUE(file.done().empty());  // nothing was begun yet
  EXPECT_FALSE(file.read(4));
  ASSERT_TRUE(file.begin("pass 1"));
  EXPECT_EQ(file.done(), std::vector<std::uint64_t>{4});
  EXPECT_EQ(file.read(4).value(), bytes_of("four"));
  EXPECT_EQ(file.lost(), (std::map<std::uint64_t, std::uint32_t>{{5, 2}}));
  EXPECT_FALSE(file.read(5));
  ASSERT_TRUE(file.begin("pass 2"));
  EXPECT_EQ(file.read(4).value(), bytes_of("another four"));
  EXPECT_TRUE(file.lost().empty());
  ASSERT_TRUE(file.begin("other work"));
  EXPECT_TRUE(file.done().empty());
  ASSERT_TRUE(file.remove());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(PartsFileTest, CutShortAnywhereWhatWasWholeCounts) {
  std::vector<std::size_t> ends;  // of the file, after each part
  {
    auto file = PartsFile::open(path_).value();
    ASSERT_TRUE(file.begin("work"));
    for (std::uint64_t part = 0; part < 4; ++part) {
      ASSERT_TRUE(file.hand_out(part, 0));
      ASSERT_TRUE(file.keep(part, bytes_of(std::string(part * 5, static_cast<char>('a' + part)))));
      ends.push_back(content().size());
    }
  }
  const std::string whole = content();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    folder_.write("work.parts", whole.substr(0, size));
    auto file = PartsFile::open(path_);
    ASSERT_TRUE(file) << size;
    ASSERT_TRUE(file->begin("work"));
    const auto expected =
        static_cast<std::size_t>(std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
    EXPECT_EQ(file->done().size(), expected) << size;
    // And it can be gone on with.
    ASSERT_TRUE(file->keep(9, bytes_of("nine")));
    EXPECT_EQ(file->read(9).value(), bytes_of("nine"));
  }
}

TEST_F(PartsFileTest, WhatWasChangedDoesNotCount) {
  {
    auto file = PartsFile::open(path_).value();
    ASSERT_TRUE(file.begin("work"));
    for (std::uint64_t part = 0; part < 3; ++part) ASSERT_TRUE(file.keep(part, bytes_of("some bytes of a part")));
  }
  const std::string whole = content();
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::string changed = whole;
    changed[random.index(changed.size())] ^= static_cast<char>(1 << random.index(8));
    folder_.write("work.parts", changed);
    auto file = PartsFile::open(path_);
    if (!file) continue;  // it was in its first line
    ASSERT_TRUE(file->begin("work"));
    for (const std::uint64_t part : file->done()) EXPECT_EQ(file->read(part).value(), bytes_of("some bytes of a part"));
    EXPECT_LT(file->done().size(), 3U);
  }
}

TEST_F(PartsFileTest, IsOneProcessesAlone) {
  const auto first = PartsFile::open(path_);
  ASSERT_TRUE(first);
  const auto second = PartsFile::open(path_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another run is at work"), std::string::npos);
}

TEST_F(PartsFileTest, RefusesWhatIsSomethingElse) {
  folder_.write("work.parts", "HIERARCHY\nROOT Hips and more of it, so that it is longer than a first line");
  const auto file = PartsFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::kBadInput);
  EXPECT_NE(content().find("HIERARCHY"), std::string::npos);  // and it is as it was
  EXPECT_FALSE(PartsFile::open(folder_.file("no/such/folder/work.parts")));
  EXPECT_FALSE(PartsFile::open(folder_.path().string()));
}

TEST_F(PartsFileTest, AFullDiskLosesNothing) {
  auto file = PartsFile::open(path_).value();
  ASSERT_TRUE(file.begin("work"));
  ASSERT_TRUE(file.keep(0, bytes_of(std::string(1000, 'x'))));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little{content().size() + 300, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto kept = file.keep(1, bytes_of(std::string(1000, 'y')));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, ErrorKind::kNoSpace);
  EXPECT_EQ(file.done(), std::vector<std::uint64_t>{0});
  EXPECT_EQ(file.read(0).value().size(), 1000U);
  // Room again: it goes on, and so does whoever opens it later.
  ASSERT_TRUE(file.keep(2, bytes_of("two")));
  file = PartsFile::open(folder_.file("other.parts")).value();
  auto again = PartsFile::open(path_).value();
  ASSERT_TRUE(again.begin("work"));
  EXPECT_EQ(again.done(), (std::vector<std::uint64_t>{0, 2}));
}

}  // namespace
}  // namespace loom
