// SPDX-License-Identifier: MIT
// Motion gathered from a library: what is faulty stays out, and is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/graph/source.h>
#include <loom/library/import.h>

#include "tests/make_walk.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_gait;

class GatherFaulty : public ::testing::Test {
 protected:
  void add(const std::string& name, bool thrown, const std::string& label = "walk") {
    motion::Clip clip = make_gait({}).clip;
    clip.name = name;
    frames_ = clip.frames();
    rate_ = clip.rate;
    clip.labels = {{label, 0, clip.frames()}};
    if (thrown) {
      for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f].x += 2;
    }
    ASSERT_TRUE(library_.add_clip(clip));
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = std::move(*library::Library::open_or_create(folder_.file("moves.loom")));
  std::size_t frames_ = 0;
  double rate_ = 0;
};

TEST_F(GatherFaulty, ClipsAreCutAroundWhatIsFaulty) {
  add("good", false);
  add("thrown", true);
  SourceOptions options;
  options.rate = rate_;
  const auto source = gather(library_, options);
  ASSERT_TRUE(source) << source.error().to_string();
  const auto margin = static_cast<std::size_t>(std::ceil(0.1 * rate_));
  ASSERT_EQ(source->left_out.size(), 1u);
  EXPECT_EQ(source->left_out[0].clip, "thrown");
  EXPECT_EQ(source->left_out[0].frames, (motion::FrameRange{60 - margin, 61 + margin}));
  ASSERT_EQ(source->clips.size(), 3u);
  EXPECT_EQ(source->clips[1].offset, 0u);
  EXPECT_EQ(source->clips[1].frames, 60 - margin);
  EXPECT_EQ(source->clips[2].offset, 61 + margin);
  EXPECT_EQ(source->clips[2].offset + source->clips[2].frames, frames_);
  // The frames are those the offset says.
  const motion::Clip stored = library_.read_clip("thrown").value();
  const motion::Clip& piece = source->motion.clips[2];
  EXPECT_EQ(piece.roots[5].x, stored.roots[source->clips[2].offset + 5].x);
  EXPECT_EQ(piece.pose(5)[3], stored.pose(source->clips[2].offset + 5)[3]);
}

TEST_F(GatherFaulty, MirroredAndResampledTheyStayOut) {
  add("thrown", true);
  SourceOptions options;
  options.rate = rate_ / 2;
  options.mirror = true;
  const auto source = gather(library_, options);
  ASSERT_TRUE(source) << source.error().to_string();
  ASSERT_EQ(source->clips.size(), 4u);
  for (const GraphClip& clip : source->clips) {
    const double begin = clip.offset / options.rate, end = (clip.offset + clip.frames) / options.rate;
    EXPECT_TRUE(end < 60 / rate_ || begin > 60 / rate_) << begin << " to " << end;
  }
  for (const motion::Clip& clip : source->motion.clips) {
    for (std::size_t f = 1; f < clip.frames(); ++f) {
      EXPECT_LT(distance(clip.roots[f], clip.roots[f - 1]), 0.3f);
    }
  }
  EXPECT_EQ(source->left_out.size(), 1u);  // of the library's clip, not of each copy
}

TEST_F(GatherFaulty, KeptWhereAskedFor) {
  add("thrown", true);
  SourceOptions options;
  options.keep_faulty = true;
  const auto source = gather(library_, options);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->clips.size(), 1u);
  EXPECT_THAT(source->left_out, IsEmpty());
}

TEST_F(GatherFaulty, OnlyOfWhatWasAskedFor) {
  add("good", false, "walk");
  add("thrown", true, "other");
  SourceOptions options;
  options.labels = {"walk"};
  const auto source = gather(library_, options);
  ASSERT_TRUE(source);
  EXPECT_THAT(source->left_out, IsEmpty());
}

TEST(GatherRealCapture, FlippedFeetStayOut) {
  LOOM_REQUIRE_MOCAP();
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("91.loom")).value();
  std::vector<std::string> files;
  for (const char* name : {"91_36", "91_54", "91_55"}) {
    files.push_back((testing::mocap_folder() / "cmu30" / (std::string(name) + ".bvh")).string());
  }
  ASSERT_TRUE(library::import_motions(library, files, {}));
  const auto source = gather(library, {});
  ASSERT_TRUE(source) << source.error().to_string();
  std::vector<std::string> clips;
  for (const library::LeftOut& stretch : source->left_out) clips.push_back(stretch.clip);
  EXPECT_THAT(clips, ElementsAre("91_54", "91_55"));
  for (const GraphClip& clip : source->clips) {
    const bool over_54 = clip.name == "91_54" && clip.offset <= 111 && clip.offset + clip.frames > 110;
    const bool over_55 = clip.name == "91_55" && clip.offset <= 67 && clip.offset + clip.frames > 66;
    EXPECT_FALSE(over_54 || over_55) << clip.offset;
  }
}

}  // namespace
}  // namespace loom::graph
