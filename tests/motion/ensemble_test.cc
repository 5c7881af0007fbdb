// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/motion/ensemble.h>

#include "tests/make_clip.h"

namespace loom::motion {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<MotionStream> recorded(std::size_t frames, std::uint64_t seed, double rate = 30) {
  Clip clip = testing::random_clip(testing::small_person(), frames, rate, seed);
  clip.name = "clip " + std::to_string(seed);
  return std::make_unique<RecordedStream>(std::move(clip), Contacts{});
}

std::vector<std::unique_ptr<MotionStream>> both(std::unique_ptr<MotionStream> a, std::unique_ptr<MotionStream> b) {
  std::vector<std::unique_ptr<MotionStream>> streams;
  streams.push_back(std::move(a));
  streams.push_back(std::move(b));
  return streams;
}

std::vector<Vec3> roots_of(MotionStream& stream) { return record(stream, 100)->clip.roots; }

TEST(RecordedStream, IsTheClipThatWasRecorded) {
  const Clip clip = testing::random_clip(testing::small_person(), 40, 30, 3);
  Contacts contacts;
  contacts.planted.assign(40, 5);
  RecordedStream stream(clip, contacts);
  const GroundFrameFinder finder(*clip.skeleton);
  EXPECT_EQ(stream.place().x, finder.find(clip.roots[0], clip.pose(0)[0]).x);
  const Recording again = *record(stream, 100);
  EXPECT_EQ(again.clip.roots, clip.roots);
  EXPECT_EQ(again.contacts.planted, contacts.planted);
  EXPECT_EQ(again.sources[17].frame, 17U);
  EXPECT_EQ(stream.place().x, finder.find(clip.roots[39], clip.pose(39)[0]).x);
}

TEST(SourceRuns, AFrameRepeatedOrSkippedBeginsNoNewPiece) {
  Recording recording;
  recording.sources = {{0, 5}, {0, 5}, {0, 7}, {0, 10}, {1, 11}, {1, 10}};
  const auto runs = source_runs(recording);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].end, 3U);
  EXPECT_EQ(runs[0].last, 7U);
  EXPECT_EQ(runs[1].from, 10U);
  EXPECT_EQ(runs[2].clip, 1U);
  EXPECT_EQ(runs[3].begin, 5U);
}

TEST(StreamEnsemble, ShowsItsStreamsSideBySideUntilOneIsOver) {
  const auto ensemble = *StreamEnsemble::create(both(recorded(20, 1), recorded(30, 2)));
  const auto recordings = *record(*ensemble, 100);
  ASSERT_EQ(recordings.size(), 2U);
  for (const std::uint64_t seed : {1, 2}) {
    auto roots = roots_of(*recorded(30, seed));
    if (seed == 1) roots = roots_of(*recorded(20, seed));
    roots.resize(20);
    EXPECT_EQ(recordings[seed - 1].clip.roots, roots);
    EXPECT_EQ(recordings[seed - 1].source_names.front(), "clip " + std::to_string(seed));
  }
}

TEST(StreamEnsemble, RefusesNobodyAndDifferentClocks) {
  EXPECT_THAT(StreamEnsemble::create({}).error().message, HasSubstr("needs a character"));
  EXPECT_THAT(StreamEnsemble::create(both(recorded(20, 1), recorded(20, 2, 60))).error().message, HasSubstr("rates"));
}

TEST(StreamEnsemble, ACopyOfAllOrOfOneGoesOnAlike) {
  const auto ensemble = *StreamEnsemble::create(both(recorded(30, 1), recorded(30, 2)));
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(ensemble->step({}));
  const auto copy = ensemble->clone();
  const auto second = ensemble->alone(1);
  const auto own = *record(*ensemble, 0.5), same = *record(*copy, 0.5), one = *record(*second, 0.5);
  EXPECT_EQ(own[0].clip.roots, same[0].clip.roots);
  EXPECT_EQ(own[1].clip.roots, same[1].clip.roots);
  EXPECT_EQ(own[1].clip.roots, one[0].clip.roots);
}

TEST(Split, EveryStreamShowsEveryPoseInWhateverOrderTheyAreAsked) {
  const auto streams = split(*StreamEnsemble::create(both(recorded(30, 1), recorded(30, 2))));
  std::vector<Quat> rotations(streams[0]->skeleton()->size());
  StreamPose pose{{}, rotations, 0, {}};
  std::vector<std::vector<Vec3>> seen(2);
  for (const std::size_t which : {0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1}) {
    ASSERT_TRUE(streams[which]->next({}, pose));
    seen[which].push_back(pose.root);
  }
  const auto copy = streams[1]->clone();
  const auto rest = roots_of(*streams[1]), same = roots_of(*copy);
  EXPECT_EQ(rest, same);
  seen[1].insert(seen[1].end(), rest.begin(), rest.end());
  const auto others = roots_of(*streams[0]);
  seen[0].insert(seen[0].end(), others.begin(), others.end());
  EXPECT_EQ(seen[0], roots_of(*recorded(30, 1)));
  EXPECT_EQ(seen[1], roots_of(*recorded(30, 2)));
}

TEST(Split, OneAloneCanBePlayed) {
  auto streams = split(*StreamEnsemble::create(both(recorded(30, 1), recorded(30, 2))));
  const auto kept = std::move(streams[1]);
  streams.clear();
  EXPECT_EQ(roots_of(*kept), roots_of(*recorded(30, 2)));
}

}  // namespace
}  // namespace loom::motion
