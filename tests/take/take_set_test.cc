// SPDX-License-Identifier: MIT
#include <thread>

#include <gtest/gtest.h>

#include <loom/take/take_set.h>

#include "tests/make_walk.h"

namespace loom::take {
namespace {

TakeSet walks(std::size_t count) {
  TakeSet set;
  for (std::size_t i = 0; i < count; ++i) {
    testing::Gait gait;
    gait.speed = 1 + 0.1 * static_cast<double>(i);
    set.clips.push_back(testing::make_gait(gait).clip);
    set.clips.back().name = "walk-" + std::to_string(i);
  }
  set.skeleton = set.clips.front().skeleton;
  return set;
}

bool same(const Track& a, const Track& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.x == y.x && x.z == y.z && x.heading == y.heading; });
}

TEST(TakeSet, IsCalledByItsStretchesOrElseByItsClips) {
  TakeSet set = walks(2);
  EXPECT_EQ(set.titles(), (std::vector<std::string>{"walk-0", "walk-1"}));
  set.stretches = {{"a", false, 0, 10}, {"a", true, 0, 10}};
  EXPECT_EQ(set.titles(), (std::vector<std::string>{"a", "a (mirrored)"}));
}

TEST(TakeSet, TracksAreThoseOfItsClipsAndFoundOnce) {
  const TakeSet set = walks(3);
  const std::vector<Track>& tracks = set.tracks();
  ASSERT_EQ(tracks.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(same(tracks[c], smooth_track(set.clips[c]))) << c;
  EXPECT_EQ(&set.tracks(), &tracks);
}

TEST(TakeSet, ACopyThatIsChangedHasItsOwnTracks) {
  const TakeSet set = walks(2);
  static_cast<void>(set.tracks());
  TakeSet other = set;
  motion::move(other.clips[0], {3, 0, 0});
  EXPECT_FALSE(same(other.tracks()[0], set.tracks()[0]));
  EXPECT_TRUE(same(other.tracks()[1], set.tracks()[1]));
}

TEST(TakeSet, TracksMayBeAskedForBySeveralAtOnce) {
  const TakeSet set = walks(4);
  std::vector<const std::vector<Track>*> seen(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t) threads.emplace_back([&, t] { seen[t] = &set.tracks(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto* tracks : seen) EXPECT_EQ(tracks, seen[0]);
}

}  // namespace
}  // namespace loom::take
