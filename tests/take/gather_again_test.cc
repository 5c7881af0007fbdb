// SPDX-License-Identifier: MIT
// Stretches of a library read again, and what is told where the library has changed meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/motion/mirror.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/take/gather.h>

#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::take {
namespace {

using ::testing::HasSubstr;

class GatherAgain : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) add(name, name[0] - 'a');
  }

  void add(const std::string& name, int number, double seconds = 4) {
    testing::Gait gait;
    gait.seconds = seconds;
    gait.speed = 1.1 + 0.1 * number;
    motion::Clip clip = testing::make_gait(gait).clip;
    clip.name = name;
    clip.labels = {{"walk", 10, 40}, {"turn-left", 45, 61}};
    ASSERT_TRUE(library_.add_clip(clip));
  }

  void replace(const std::string& name, int number, double seconds = 4) {
    ASSERT_TRUE(library_.remove_clip(name));
    add(name, number, seconds);
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = *library::Library::open_or_create(folder_.file("moves.loom"));
};

TEST_F(GatherAgain, GivesWhatWasGathered) {
  GatherOptions options;
  options.labels = {"walk", "turn-left"};
  options.mirror = true;
  options.rate = 24;
  const Gathered first = gather(library_, options).value();
  ASSERT_GT(first.motion.clips.size(), 6u) << "of each clip two stretches, mirrored too";
  AgainOptions again;
  again.input_hash = first.input_hash;
  const auto second = gather_again(library_, first.motion.stretches, 24, again);
  ASSERT_TRUE(second) << second.error().to_string();
  EXPECT_EQ(second->input_hash, first.input_hash);
  EXPECT_EQ(second->motion.stretches, first.motion.stretches);
  EXPECT_EQ(second->motion.titles(), first.motion.titles());
  ASSERT_EQ(second->motion.clips.size(), first.motion.clips.size());
  for (std::size_t c = 0; c < first.motion.clips.size(); ++c) {
    EXPECT_EQ(second->motion.clips[c].roots, first.motion.clips[c].roots) << c;
    EXPECT_EQ(second->motion.clips[c].rotations, first.motion.clips[c].rotations) << c;
    EXPECT_EQ(second->motion.clips[c].labels, first.motion.clips[c].labels) << c;
    EXPECT_EQ(second->motion.contacts[c].planted, first.motion.contacts[c].planted) << c;
  }
}

TEST_F(GatherAgain, OnTheFloorOfTheRecordingCutsWhatTheWholeRecordingSays) {
  const std::vector<Stretch> stretches = {{"a", false, 20, 40}, {"a", true, 30, 25}, {"c", true, 0, 33}};
  AgainOptions options;
  options.floor = Floor::kOfRecording;
  const auto gathered = gather_again(library_, stretches, 30, options);
  ASSERT_TRUE(gathered) << gathered.error().to_string();
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    motion::Clip whole = motion::resample(*library_.read_clip(stretches[i].name), 30).value();
    if (stretches[i].mirrored) whole = motion::mirror(whole).value();
    const motion::Contacts contacts = motion::stand_on_floor(whole);
    const motion::Clip& clip = gathered->motion.clips[i];
    ASSERT_EQ(clip.frames(), stretches[i].frames);
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      EXPECT_EQ(clip.roots[f], whole.roots[stretches[i].begin + f]);
      EXPECT_TRUE(std::equal(clip.pose(f).begin(), clip.pose(f).end(), whole.pose(stretches[i].begin + f).begin()));
      EXPECT_EQ(gathered->motion.contacts[i].planted[f], contacts.planted[stretches[i].begin + f]);
    }
  }
}

TEST_F(GatherAgain, TellsWhatIsGoneAndWhatHasChanged) {
  const Gathered first = gather(library_, {}).value();
  std::vector<std::string> hashes;
  for (const Stretch& stretch : first.motion.stretches) hashes.push_back(library_.clip_info(stretch.name)->hash);
  const auto changes = [&] { return changes_since(library_, first.motion.stretches, 30, hashes).value(); };
  EXPECT_EQ(changes(), "");
  replace("b", 7);
  EXPECT_EQ(changes(), "'b' has changed");
  EXPECT_EQ(changes_since(library_, first.motion.stretches, 30).value(), "") << "without hashes one cannot know";
  AgainOptions again{Floor::kOfStretch, first.input_hash, "the thing was built", "build it again", "less"};
  EXPECT_THAT(
      gather_again(library_, first.motion.stretches, 30, again).error().message,
      HasSubstr("the library has changed since the thing was built: clips it was made of have changed; build it "
                "again"));
  ASSERT_TRUE(library_.remove_clip("a"));
  EXPECT_EQ(changes(), "'a' is gone, 'b' has changed");
  EXPECT_THAT(gather_again(library_, first.motion.stretches, 30, again).error().message,
              HasSubstr("since the thing was built: 'a' is gone; build it again"));
  replace("c", 2, 2);
  EXPECT_EQ(changes(), "'a' is gone, 'b' and 1 more clip have changed");
  EXPECT_EQ(changes_since(library_, first.motion.stretches, 30).value(), "'a' is gone, 'c' has changed")
      << "it has become too short";
  ASSERT_TRUE(library_.remove_clip("b"));
  ASSERT_TRUE(library_.remove_clip("c"));
  EXPECT_EQ(changes(), "'a' and 2 more clips are gone");
}

TEST_F(GatherAgain, RefusesClipsOfSeveralBodies) {
  motion::Clip other = *library_.read_clip("a");
  std::vector<motion::Joint> joints = other.skeleton->joints();
  joints[1].offset *= 1.3f;
  other.skeleton = std::make_shared<motion::Skeleton>(*motion::Skeleton::create(joints, other.skeleton->end_sites()));
  other.name = "other";
  ASSERT_TRUE(library_.add_clip(other));
  const std::vector<Stretch> stretches = {{"a", false, 0, 30}, {"other", false, 0, 30}};
  EXPECT_THAT(gather_again(library_, stretches, 30).error().message, HasSubstr("do not move the same body"));
}

}  // namespace
}  // namespace loom::take
