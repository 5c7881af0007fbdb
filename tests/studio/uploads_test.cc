// SPDX-License-Identifier: MIT
#include "apps/studio/uploads.h"

#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/temporary_folder.h"

namespace loom::studio {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StudioUploads : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TMPDIR", folder_.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("TMPDIR"); }

  [[nodiscard]] std::size_t folders() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  static void write(const std::string& path, std::size_t bytes) { std::ofstream(path) << std::string(bytes, 'x'); }

  testing::TemporaryFolder folder_;
};

TEST_F(StudioUploads, WhatAKilledProcessLeftGoesAndWhatARunningOneHasStays) {
  fs::create_directory(folder_.file("motion-loom-uploads-ofMine"));
  folder_.write("motion-loom-uploads-ofMine/drop/motion.bvh", "somebody's own, by its name only like ours");
  const pid_t killed = ::fork();
  if (killed == 0) {
    auto uploads = Uploads::create();
    write(*uploads->place_for("drop", "motion.bvh", 100), 100);
    ::raise(SIGKILL);
  }
  ::waitpid(killed, nullptr, 0);
  EXPECT_EQ(folders(), 2U) << "that of the process which was killed, and the one that is not ours";
  auto first = Uploads::create();
  ASSERT_TRUE(first);
  EXPECT_EQ(folders(), 2U);
  const std::string place = *first->place_for("drop", "motion.bvh", 100);
  write(place, 100);
  {
    const auto second = Uploads::create();
    ASSERT_TRUE(second);
    EXPECT_TRUE(fs::exists(place));
    EXPECT_EQ(folders(), 3U);
  }
  EXPECT_EQ(folders(), 2U);
  EXPECT_TRUE(fs::exists(folder_.file("motion-loom-uploads-ofMine") + "/drop/motion.bvh"));
}

TEST_F(StudioUploads, WhatWaitsIsBoundedAndToldSo) {
  auto uploads = Uploads::create({1000, 4});
  ASSERT_TRUE(uploads);
  const auto large = uploads->place_for("a", "1.bvh", 800);
  ASSERT_TRUE(large);
  const auto more = uploads->place_for("a", "2.bvh", 300);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().status, 413);
  EXPECT_THAT(more.error().why, HasSubstr("wait to be imported"));
  write(*large, 500);
  uploads->settle(*large);  // it was smaller than it might have been
  const auto fits = uploads->place_for("a", "2.bvh", 300);
  ASSERT_TRUE(fits);
  uploads->drop(*fits);
  ASSERT_TRUE(uploads->place_for("b", "2.bvh", 500)) << "room that was not used is given back";
  uploads->remove("a");
  for (const char* name : {"1.bvh", "3.bvh", "4.bvh"}) EXPECT_TRUE(uploads->place_for("b", name, 1)) << name;
  EXPECT_EQ(uploads->place_for("b", "5.bvh", 1).error().status, 413) << "too many files";
}

TEST_F(StudioUploads, WhatIsBeingImportedIsLeftAlone) {
  auto uploads = Uploads::create();
  ASSERT_TRUE(uploads);
  EXPECT_FALSE(uploads->take("a")) << "nothing was sent";
  const auto place = uploads->place_for("a", "1.bvh", 10);
  ASSERT_TRUE(place);
  write(*place, 10);
  const auto taken = uploads->take("a");
  ASSERT_TRUE(taken);
  EXPECT_EQ(*taken, fs::path(*place).parent_path());
  EXPECT_FALSE(uploads->take("a")) << "it is taken once";
  EXPECT_EQ(uploads->place_for("a", "2.bvh", 10).error().status, 409);
  EXPECT_TRUE(fs::exists(*place));
  uploads->remove("a");
  EXPECT_FALSE(fs::exists(*place));
  EXPECT_TRUE(uploads->place_for("a", "2.bvh", 10)) << "the name is free again";
}

TEST_F(StudioUploads, NobodyWaitsForFilesToBeDeleted) {
  std::promise<void> begun, allowed;
  std::vector<std::string> deleted;
  const auto caller = std::this_thread::get_id();
  {
    auto uploads = Uploads::create({}, [&](const fs::path& folder) {
      EXPECT_NE(std::this_thread::get_id(), caller);
      begun.set_value();
      allowed.get_future().wait();
      for (const auto& entry : fs::directory_iterator(folder)) deleted.push_back(entry.path().filename().string());
      fs::remove_all(folder);
    });
    ASSERT_TRUE(uploads);
    const std::string place = *uploads->place_for("a", "1.bvh", 10);
    write(place, 10);
    uploads->remove("a");
    EXPECT_FALSE(fs::exists(place)) << "it is out of the way at once";
    begun.get_future().wait();
    // While that is under way everything else goes on, under the same name too.
    const auto again = uploads->place_for("a", "2.bvh", 10);
    ASSERT_TRUE(again);
    write(*again, 10);
    uploads->settle(*again);
    EXPECT_TRUE(uploads->take("a"));
    allowed.set_value();
  }
  EXPECT_THAT(deleted, ::testing::ElementsAre("1.bvh"));
  EXPECT_EQ(folders(), 0U) << "in the end nothing is left";
}

TEST_F(StudioUploads, WhatTheDiskHasNoRoomForIsRefusedAtOnce) {
  auto uploads = Uploads::create({~std::uint64_t{0} / 2, 10});
  ASSERT_TRUE(uploads);
  const auto refused = uploads->place_for("a", "1.bvh", std::uint64_t{1} << 60);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 507);
  EXPECT_THAT(refused.error().why, HasSubstr("the disk is full"));
}

}  // namespace
}  // namespace loom::studio
