// SPDX-License-Identifier: MIT
// Every file that people have given us, read to the end.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/file.h>
#include <loom/io/asf_amc.h>
#include <loom/io/read.h>

#include "tests/shared_data.h"

namespace loom::io {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<fs::path> motion_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_motion_file(entry.path().string())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What `Frames:` says in a BVH file.
std::size_t announced_frames(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("Frames:", 0) == 0) return std::stoul(line.substr(7));
  }
  return 0;
}

TEST(RealCapture, EveryClipOfTheCmuDatabaseIsReadWithItsUnitAxisAndFrames) {
  LOOM_REQUIRE_MOCAP();
  std::size_t count = 0;
  for (const fs::path& file : motion_files(testing::mocap_folder() / "cmu30")) {
    const auto read = read_motion(file);
    ASSERT_TRUE(read) << read.error().to_string();
    const ReadClip& clip = read->front();
    EXPECT_NEAR(clip.metres_per_unit, 0.0564444, 1e-6) << file;
    EXPECT_EQ(clip.up_axis, 1) << file;
    EXPECT_EQ(clip.frames_dropped, 0u) << file;
    EXPECT_EQ(clip.clip.frames(), announced_frames(file)) << file;
    EXPECT_EQ(clip.clip.rate, 30) << file;
    EXPECT_EQ(clip.clip.joints(), 31u) << file;
    ++count;
  }
  EXPECT_EQ(count, 452u);
}

TEST(RealCapture, DownloadedFilesLoseTheirTPose) {
  LOOM_REQUIRE_MOCAP();
  for (const fs::path& file : motion_files(testing::mocap_folder() / "native")) {
    const auto read = read_motion(file);
    ASSERT_TRUE(read) << read.error().to_string();
    const ReadClip& clip = read->front();
    EXPECT_NEAR(clip.metres_per_unit, 0.0564444, 1e-6) << file;
    EXPECT_EQ(clip.up_axis, 1) << file;
    EXPECT_EQ(clip.frames_dropped, 1u) << file;
    EXPECT_EQ(clip.clip.frames(), announced_frames(file) - 1) << file;
    EXPECT_EQ(clip.clip.rate, 120) << file;
    EXPECT_TRUE(motion::validate(clip.clip)) << file;
    ReadOptions options;
    options.keep_t_pose = true;
    EXPECT_EQ(read_motion(file, options)->front().clip.frames(), announced_frames(file)) << file;
  }
}

TEST(RealCapture, OtherMakersFilesStandUpright) {
  LOOM_REQUIRE_MOCAP();
  const fs::path folder = testing::mocap_folder() / "formats";
  for (const auto& [file, unit, up, height] :
       {std::tuple{"bvh_test3.bvh", 0.0254, 2, 0.88}, std::tuple{"test_freebvh.bvh", 0.01, 1, 0.98},
        std::tuple{"test_mocapbank.bvh", 0.01, 1, 0.94}, std::tuple{"walk01.bvh", 0.01, 1, 1.035}}) {
    const auto read = read_motion(folder / file);
    ASSERT_TRUE(read) << read.error().to_string();
    EXPECT_EQ(read->front().metres_per_unit, unit) << file;
    EXPECT_EQ(read->front().up_axis, up) << file;
    EXPECT_NEAR(read->front().clip.roots[0].y, height, 0.01) << file;
  }
  EXPECT_TRUE(read_motion(folder / "rotation_first_root.bvh"));
}

TEST(RealCapture, TheCasesGiveWhatTheirTableSays) {
  LOOM_REQUIRE_MOCAP();
  const fs::path folder = testing::mocap_folder() / "formats" / "cases";
  std::ifstream table(folder / "EXPECT.tsv");
  std::string line;
  std::getline(table, line);
  int cases = 0;
  while (std::getline(table, line)) {
    const std::string name = line.substr(0, line.find('\t'));
    const std::string expected = line.substr(name.size() + 1, line.find('\t', name.size() + 1) - name.size() - 1);
    const fs::path file = folder / name;
    ++cases;
    if (file.extension() == ".asf") {
      const auto bytes = load_file(file);
      const bool read = read_asf(bytes->text(), name).has_value();
      EXPECT_EQ(read, expected.rfind("ok", 0) == 0) << name;
      continue;
    }
    ReadOptions options;
    options.asf_file = folder / "ok.asf";
    const auto read = read_motion(file, options);
    if (!read) {
      EXPECT_EQ(read.error().file, file) << name;
      EXPECT_FALSE(read.error().message.empty()) << name;
    }
    if (expected.find(" or ") != std::string::npos) continue;  // either will do
    EXPECT_EQ(read.has_value(), expected.rfind("reject", 0) != 0) << name << (read ? "" : read.error().message);
    if (read && expected == "warn") {
      EXPECT_THAT(read->front().warnings, Contains(HasSubstr("more row")));
    }
  }
  EXPECT_EQ(cases, 30);
}

}  // namespace
}  // namespace loom::io
