// SPDX-License-Identifier: MIT
// `loom convert` and `loom export`, run as a user runs them.
#include <array>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/io/bvh_write.h>
#include <loom/io/read.h>
#include <loom/library/library.h>
#include <loom/motion/body.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

using motion::Clip;
using ::testing::HasSubstr;

struct Outcome {
  int status = 0;
  std::string text;  ///< standard output and standard error together
};

Outcome loom(const std::string& words) {
  Outcome outcome;
  std::FILE* pipe = ::popen(fmt::format("{} {} 2>&1", LOOM_COMMAND, words).c_str(), "r");
  std::array<char, 4096> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe))
    outcome.text.append(block.data(), got);
  outcome.status = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

class ConvertCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    clip_ = testing::random_clip(testing::small_person(), 61, 60, 1);
    input_ = folder_.file("walk.bvh");
    ASSERT_TRUE(write_bvh(clip_, input_));
  }

  testing::TemporaryFolder folder_;
  Clip clip_;
  std::string input_;
};

TEST_F(ConvertCommand, TurnsBvhIntoGlbAndBack) {
  const std::string glb = folder_.file("walk.glb"), back = folder_.file("back.bvh");
  const Outcome there = loom(fmt::format("convert {} {}", input_, glb));
  EXPECT_EQ(there.status, 0) << there.text;
  EXPECT_THAT(there.text, HasSubstr("walk: 61 frames at 60 Hz, 17 joints"));
  EXPECT_EQ(loom(fmt::format("convert {} {}", glb, back)).status, 0);
  const Clip returned = read_motion(back).value().front().clip;
  ASSERT_EQ(returned.frames(), clip_.frames());
  for (std::size_t f = 0; f < clip_.frames(); ++f) EXPECT_LT(distance(returned.roots[f], clip_.roots[f]), 1e-4f);
}

TEST_F(ConvertCommand, CutsResamplesAndTellsItAsJson) {
  const Outcome outcome = loom(
      fmt::format("convert {} {} --from 10 --to 31 --rate 30 --json 2>/dev/null", input_, folder_.file("cut.glb")));
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  const auto told = nlohmann::json::parse(outcome.text.substr(outcome.text.find('{')));
  EXPECT_EQ(told["clips"][0]["frames"], 11);
  EXPECT_EQ(told["clips"][0]["rate"], 30);
  const Clip cut = read_motion(folder_.file("cut.glb")).value().front().clip;
  EXPECT_LT(distance(cut.roots[0], clip_.roots[10]), 1e-4f);
  EXPECT_LT(distance(cut.roots[10], clip_.roots[30]), 1e-4f);
}

TEST_F(ConvertCommand, MirrorTellsWhereTheSidesOfABodyDiffer) {
  EXPECT_THAT(loom(fmt::format("convert {} {} --mirror", input_, folder_.file("even.bvh"))).text,
              ::testing::Not(HasSubstr("differ")));
  std::vector<motion::Joint> joints = clip_.skeleton->joints();
  const int shin = motion::find_body(*clip_.skeleton).left_leg.end;
  joints[static_cast<std::size_t>(shin)].offset *= 1.25f;
  clip_.skeleton =
      std::make_shared<motion::Skeleton>(motion::Skeleton::create(joints, clip_.skeleton->end_sites()).value());
  ASSERT_TRUE(write_bvh(clip_, input_));
  const Outcome uneven = loom(fmt::format("convert {} {} --mirror", input_, folder_.file("uneven.bvh")));
  EXPECT_EQ(uneven.status, 0);
  EXPECT_THAT(uneven.text, HasSubstr("the bones of the two sides differ"));
}

TEST_F(ConvertCommand, WrongUsageAndFailureDiffer) {
  EXPECT_EQ(loom(fmt::format("convert {} walk.obj", input_)).status, 2);
  EXPECT_EQ(loom("convert").status, 2);
  const Outcome missing = loom(fmt::format("convert /nowhere.bvh {}", folder_.file("a.glb")));
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.text, HasSubstr("/nowhere.bvh"));
}

class ExportCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = folder_.file("moves.loom");
    auto library = library::Library::open_or_create(library_);
    ASSERT_TRUE(library);
    const auto skeleton = testing::small_person();
    for (const char* name : {"walk-slow", "walk-fast", "run"}) {
      Clip clip = testing::random_clip(skeleton, 12, 30, 1);
      clip.name = name;
      clip.labels = {{"move", 2, 9}};
      ASSERT_TRUE(library->add_clip(clip));
    }
  }

  testing::TemporaryFolder folder_;
  std::string library_;
};

TEST_F(ExportCommand, SeveralClipsBecomeAnimationsOfOneFile) {
  const std::string file = folder_.file("moves.glb");
  const Outcome outcome = loom(fmt::format("export {} 'walk*' -o {}", library_, file));
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  const auto clips = read_motion(file).value();
  ASSERT_EQ(clips.size(), 2U);
  EXPECT_EQ(clips[0].clip.name, "walk-fast");
  EXPECT_EQ(clips[1].clip.name, "walk-slow");
  EXPECT_EQ(clips[1].clip.labels, (std::vector<motion::Label>{{"move", 2, 9}}));
}

TEST_F(ExportCommand, AFolderGetsAFileForEachClip) {
  const std::string folder = folder_.file("out");
  ASSERT_EQ(loom(fmt::format("export {} -o {}", library_, folder)).status, 0);
  for (const char* name : {"walk-slow.bvh", "walk-fast.bvh", "run.bvh"}) {
    EXPECT_TRUE(read_motion((std::filesystem::path(folder) / name).string())) << name;
  }
}

TEST_F(ExportCommand, UnknownClipsAreNamed) {
  const Outcome outcome = loom(fmt::format("export {} wlak-slow -o {}", library_, folder_.file("a.glb")));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.text, HasSubstr("did you mean 'walk-slow'"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a.glb")));
}

}  // namespace
}  // namespace loom::io
