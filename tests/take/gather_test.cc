// SPDX-License-Identifier: MIT
// Motion gathered from a library: what is faulty stays out, and is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/import.h>
#include <loom/take/gather.h>

#include "tests/make_walk.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::take {
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
  GatherOptions options;
  options.rate = rate_;
  const auto gathered = gather(library_, options);
  ASSERT_TRUE(gathered) << gathered.error().to_string();
  const auto margin = static_cast<std::size_t>(std::ceil(0.1 * rate_));
  ASSERT_EQ(gathered->left_out.size(), 1u);
  EXPECT_EQ(gathered->left_out[0].clip, "thrown");
  EXPECT_EQ(gathered->left_out[0].frames, (motion::FrameRange{60 - margin, 61 + margin}));
  ASSERT_EQ(gathered->motion.stretches.size(), 3u);
  EXPECT_EQ(gathered->motion.stretches[1].begin, 0u);
  EXPECT_EQ(gathered->motion.stretches[1].frames, 60 - margin);
  EXPECT_EQ(gathered->motion.stretches[2].begin, 61 + margin);
  EXPECT_EQ(gathered->motion.stretches[2].begin + gathered->motion.stretches[2].frames, frames_);
  // The frames are those the offset says.
  const motion::Clip stored = library_.read_clip("thrown").value();
  const motion::Clip& piece = gathered->motion.clips[2];
  EXPECT_EQ(piece.roots[5].x, stored.roots[gathered->motion.stretches[2].begin + 5].x);
  EXPECT_EQ(piece.pose(5)[3], stored.pose(gathered->motion.stretches[2].begin + 5)[3]);
}

TEST_F(GatherFaulty, LabelsThatTellFeetAreGoneByAndAreNoBehaviors) {
  add("plain", false);
  add("told", false);
  ASSERT_TRUE(library_.add_label("told", {"feet-none", 10, 20}));
  GatherOptions options;
  options.rate = rate_;
  const auto gathered = gather(library_, options);
  ASSERT_TRUE(gathered) << gathered.error().to_string();
  const auto& contacts = gathered->motion.contacts;
  ASSERT_EQ(contacts.size(), 2u);
  for (std::size_t f = 0; f < frames_; ++f) {
    EXPECT_EQ(contacts[1].planted[f], f >= 10 && f < 20 ? 0 : contacts[0].planted[f]) << f;
  }
  EXPECT_EQ(gathered->motion.clips[1].labels, gathered->motion.clips[0].labels);
}

TEST_F(GatherFaulty, MirroredAndResampledTheyStayOut) {
  add("thrown", true);
  GatherOptions options;
  options.rate = rate_ / 2;
  options.mirror = true;
  const auto gathered = gather(library_, options);
  ASSERT_TRUE(gathered) << gathered.error().to_string();
  ASSERT_EQ(gathered->motion.stretches.size(), 4u);
  for (const Stretch& clip : gathered->motion.stretches) {
    const double begin = clip.begin / options.rate, end = (clip.begin + clip.frames) / options.rate;
    EXPECT_TRUE(end < 60 / rate_ || begin > 60 / rate_) << begin << " to " << end;
  }
  for (const motion::Clip& clip : gathered->motion.clips) {
    for (std::size_t f = 1; f < clip.frames(); ++f) {
      EXPECT_LT(distance(clip.roots[f], clip.roots[f - 1]), 0.3f);
    }
  }
  EXPECT_EQ(gathered->left_out.size(), 1u);  // of the library's clip, not of each copy
}

TEST_F(GatherFaulty, KeptWhereAskedFor) {
  add("thrown", true);
  GatherOptions options;
  options.keep_faulty = true;
  const auto gathered = gather(library_, options);
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->motion.stretches.size(), 1u);
  EXPECT_THAT(gathered->left_out, IsEmpty());
}

TEST_F(GatherFaulty, OnlyOfWhatWasAskedFor) {
  add("good", false, "walk");
  add("thrown", true, "other");
  GatherOptions options;
  options.labels = {"walk"};
  const auto gathered = gather(library_, options);
  ASSERT_TRUE(gathered);
  EXPECT_THAT(gathered->left_out, IsEmpty());
}

TEST_F(GatherFaulty, PartsAreTakenBesideLabelsAndJoinThem) {
  add("a", false, "stroll");
  add("b", false);
  ASSERT_TRUE(library_.remove_label("b", {"walk", 0, frames_}));
  ASSERT_TRUE(library_.add_label("b", {"walk", 10, 40}));
  GatherOptions options;
  options.rate = rate_;
  options.labels = {"walk"};
  options.parts = {{"b", 30 / rate_, 60 / rate_}, {"b", 70 / rate_}};
  const auto both = gather(library_, options);
  ASSERT_TRUE(both) << both.error().to_string();
  const auto frames = static_cast<std::uint32_t>(frames_);
  EXPECT_THAT(both->motion.stretches, ElementsAre(Stretch{"b", false, 10, 50}, Stretch{"b", false, 70, frames - 70}));
  options.labels.clear();
  options.parts = {{"a"}};
  const auto whole = gather(library_, options);
  ASSERT_TRUE(whole) << whole.error().to_string();
  EXPECT_THAT(whole->motion.stretches, ElementsAre(Stretch{"a", false, 0, frames}));
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
  const auto gathered = gather(library, {});
  ASSERT_TRUE(gathered) << gathered.error().to_string();
  std::vector<std::string> clips;
  for (const library::LeftOut& stretch : gathered->left_out) clips.push_back(stretch.clip);
  EXPECT_THAT(clips, ElementsAre("91_54", "91_55"));
  for (const Stretch& clip : gathered->motion.stretches) {
    const bool over_54 = clip.name == "91_54" && clip.begin <= 111 && clip.begin + clip.frames > 110;
    const bool over_55 = clip.name == "91_55" && clip.begin <= 67 && clip.begin + clip.frames > 66;
    EXPECT_FALSE(over_54 || over_55) << clip.begin;
  }
}

}  // namespace
}  // namespace loom::take
