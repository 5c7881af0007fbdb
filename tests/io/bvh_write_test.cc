// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/bvh.h>
#include <loom/io/bvh_write.h>
#include <loom/io/read.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/shared_data.h"

namespace loom::io {
namespace {

using motion::Clip;

constexpr float kTenthOfAMillimetre = 1e-4f;

Clip write_and_read(const Clip& clip, const BvhWriteOptions& options = {}) {
  const Result<std::string> text = format_bvh(clip, options);
  EXPECT_TRUE(text) << text.error().to_string();
  Result<RawMotion> raw = read_bvh(text.value(), "written.bvh");
  EXPECT_TRUE(raw) << raw.error().to_string();
  ReadOptions read_options;
  read_options.metres_per_unit = options.metres_per_unit;
  Result<ReadClip> read = normalise(std::move(*raw), read_options);
  EXPECT_TRUE(read) << read.error().to_string();
  return std::move(read->clip);
}

/// How far any joint or end site of `a` is from where `b` has it, in metres; joints are matched by name.
float largest_difference(const Clip& a, const Clip& b) {
  EXPECT_EQ(a.frames(), b.frames());
  EXPECT_EQ(a.joints(), b.joints());
  const motion::WorldPoses at = motion::forward_kinematics(a), bt = motion::forward_kinematics(b);
  float largest = 0;
  for (std::size_t j = 0; j < a.joints(); ++j) {
    const auto match = b.skeleton->find(a.skeleton->joint(j).name);
    EXPECT_TRUE(match) << a.skeleton->joint(j).name;
    for (std::size_t f = 0; match && f < a.frames(); ++f) {
      largest = std::max(largest, distance(at.position(f, j), bt.position(f, static_cast<std::size_t>(*match))));
    }
  }
  // End sites: the nearest of the other's, since joints may come in another order.
  for (std::size_t p = a.joints(); p < at.points; ++p) {
    float nearest = 1e9f;
    for (std::size_t q = b.joints(); q < bt.points; ++q) {
      float worst = 0;
      for (std::size_t f = 0; f < a.frames(); ++f) {
        worst = std::max(worst, distance(at.position(f, p), bt.position(f, q)));
      }
      nearest = std::min(nearest, worst);
    }
    largest = std::max(largest, nearest);
  }
  return largest;
}

TEST(BvhWriter, APersonReturnsWithinATenthOfAMillimetre) {
  const Clip clip = testing::random_clip(testing::small_person(), 50, 60, 7);
  const Clip read = write_and_read(clip);
  EXPECT_LT(largest_difference(clip, read), kTenthOfAMillimetre);
  EXPECT_EQ(read.rate, 60);
}

TEST(BvhWriter, RandomBodiesOfEverySizeReturnWithinATenthOfAMillimetre) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto body = testing::random_skeleton(1 + seed % 50, seed);
    const float sizes[] = {0.02f, 0.3f, 1.0f, 3.0f};
    const auto scaled = std::make_shared<motion::Skeleton>(body->scaled(sizes[seed % 4]));
    const Clip clip = testing::random_clip(scaled, 20, 30, seed);
    EXPECT_LT(largest_difference(clip, write_and_read(clip)), kTenthOfAMillimetre) << "seed " << seed;
  }
}

TEST(BvhWriter, GimbalLockLosesNothing) {
  Clip clip = testing::random_clip(testing::small_person(), 200, 30, 3);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    // Through straight up and straight down about Y, and within a hair of both.
    const float about_y = f % 4 < 2 ? kPi / 2 : -kPi / 2;
    const float hair = f % 3 == 0 ? 0 : 1e-5f * static_cast<float>(f);
    for (Quat& q : clip.pose(f)) {
      q = normalized(axis_angle({0, 0, 1}, 0.1f * static_cast<float>(f)) * axis_angle({0, 1, 0}, about_y + hair) *
                     axis_angle({1, 0, 0}, 0.7f));
    }
  }
  EXPECT_LT(largest_difference(clip, write_and_read(clip)), kTenthOfAMillimetre);
}

TEST(BvhWriter, AnglesAreContinuousInTime) {
  Clip clip = testing::random_clip(testing::small_person(), 400, 30, 3);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (Quat& q : clip.pose(f)) q = axis_angle({0, 0.3f, 1}, 0.05f * static_cast<float>(f));
  }
  const std::string text = format_bvh(clip).value();
  std::istringstream rows(text.substr(text.find("Frame Time")));
  std::string line;
  std::getline(rows, line);
  std::vector<double> before;
  while (std::getline(rows, line)) {
    std::istringstream values(line);
    std::vector<double> now{std::istream_iterator<double>(values), {}};
    for (std::size_t i = 3; i < before.size(); ++i) ASSERT_LT(std::fabs(now[i] - before[i]), 20);
    before = now;
  }
}

TEST(BvhWriter, UnitCanBeChosen) {
  const Clip clip = testing::random_clip(testing::small_person(), 5, 30, 1);
  for (const double unit : {1.0, 0.0254, 0.001}) {
    EXPECT_LT(largest_difference(clip, write_and_read(clip, {unit})), kTenthOfAMillimetre) << unit;
  }
  EXPECT_FALSE(format_bvh(clip, {0.0}));
  EXPECT_FALSE(format_bvh(clip, {std::nan("")}));
}

TEST(BvhWriter, OddNamesStayApart) {
  auto joints = std::vector<motion::Joint>{{"My Hips", -1, {}},
                                           {"a{b", 0, {0, 1, 0}},
                                           {"a}b", 0, {1, 0, 0}},
                                           {"a_b", 0, {0, 0, 1}},
                                           {"x # y", 0, {1, 1, 0}}};
  const auto skeleton = std::make_shared<motion::Skeleton>(motion::Skeleton::create(joints, {}).value());
  const Clip read = write_and_read(testing::random_clip(skeleton, 4, 30, 1));
  ASSERT_EQ(read.joints(), 5u);
  EXPECT_EQ(read.skeleton->joint(0).name, "My Hips");
  EXPECT_EQ(read.skeleton->joint(1).name, "a_b");
  EXPECT_EQ(read.skeleton->joint(4).name, "x___y");
}

TEST(BvhWriter, RefusesWhatNoReaderWouldTake) {
  Clip clip = testing::random_clip(testing::small_person(), 5, 30, 1);
  clip.rate = 1e9;
  EXPECT_FALSE(format_bvh(clip));
  clip.rate = 30;
  clip.roots[2].x = std::nanf("");
  EXPECT_FALSE(format_bvh(clip));
  EXPECT_FALSE(format_bvh(Clip{}));
}

TEST(BvhWriter, LeavesTheOldFileWhenItCannotWrite) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "bvh_write_test";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "clip.bvh";
  std::ofstream(path) << "old";
  Clip clip = testing::random_clip(testing::small_person(), 5, 30, 1);
  clip.rate = -1;
  EXPECT_FALSE(write_bvh(clip, path));
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "old");
  clip.rate = 30;
  ASSERT_TRUE(write_bvh(clip, path));
  EXPECT_TRUE(read_motion(path));
  // Nothing but the file itself is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_FALSE(write_bvh(clip, folder / "missing" / "clip.bvh"));
  std::filesystem::remove_all(folder);
}

TEST(BvhWriter, RealCaptureReturnsWithinATenthOfAMillimetre) {
  LOOM_REQUIRE_MOCAP();
  for (const char* file : {"cmu30/02_04.bvh", "cmu30/127_23.bvh", "cmu30/144_30.bvh", "native/49_02.bvh",
                           "formats/bvh_test3.bvh", "formats/test_freebvh.bvh", "formats/walk01.bvh"}) {
    const auto read = read_motion(testing::mocap_folder() / file);
    ASSERT_TRUE(read) << read.error().to_string();
    const Clip& clip = read->front().clip;
    EXPECT_LT(largest_difference(clip, write_and_read(clip)), kTenthOfAMillimetre) << file;
  }
}

}  // namespace
}  // namespace loom::io
