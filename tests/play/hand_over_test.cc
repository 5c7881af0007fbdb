// SPDX-License-Identifier: MIT
// From one stream to another without a jump, a flash of the rest pose or a way back to the origin.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/measure/measure.h>
#include <loom/motion/kinematics.h>
#include <loom/play/hand_over.h>

#include "tests/blend/sample_set.h"
#include "tests/count_allocations.h"

namespace loom::play {
namespace {

using Stream = std::unique_ptr<motion::MotionStream>;

Stream played(const std::string& name, double rate = 30) {
  auto set = testing::sample_set({name}, rate);
  return std::make_unique<motion::RecordedStream>(std::move(set.clips[0]), std::move(set.contacts[0]));
}

struct Shown {
  Vec3 root;
  std::vector<Quat> rotations;
  motion::SourceFrame source;
};

Shown next(motion::MotionStream& stream) {
  Shown shown;
  shown.rotations.resize(stream.skeleton()->size());
  motion::StreamPose pose{{}, shown.rotations, 0, {}};
  EXPECT_TRUE(stream.next({}, pose));
  shown.root = pose.root;
  shown.source = pose.source;
  return shown;
}

void add(motion::Clip& clip, const Shown& shown) {
  clip.roots.push_back(shown.root);
  clip.rotations.insert(clip.rotations.end(), shown.rotations.begin(), shown.rotations.end());
}

/// Plays `from` for a second, hands over to `to`, and plays a second more.
motion::Clip handed_over(const std::string& from, const std::string& to) {
  HandOverStream stream(played(from));
  motion::Clip clip{"both", stream.skeleton(), stream.rate(), {}, {}, {}};
  for (int p = 0; p < 30; ++p) add(clip, next(stream));
  EXPECT_TRUE(stream.hand_over(played(to)).has_value());
  for (int p = 0; p < 30; ++p) add(clip, next(stream));
  motion::align_hemispheres(clip);
  return clip;
}

double largest_jump(const motion::Clip& clip) { return measure::measure(clip, motion::Contacts{}).largest_jump_m; }

double largest_jump_of(const std::string& name) { return largest_jump(testing::sample_set({name}, 30).clips[0]); }

TEST(HandOverStream, GoesOverWithoutAJump) {
  for (const auto& [from, to] : {std::pair("locomotion-03", "jog"), {"jog", "idle-1"}, {"idle-1", "punch-family-01"}}) {
    const motion::Clip both = handed_over(from, to);
    // Speeds that differ by metres a second die away over a tenth of a second, which shows as a second difference; what
    // a plain cut shows is many times that.
    EXPECT_LT(largest_jump(both), largest_jump_of(from) + largest_jump_of(to) + 0.03) << from << " to " << to;
    const motion::GroundFrameFinder finder(*both.skeleton);
    const auto frames = finder.find(both);
    for (std::size_t f = 1; f < frames.size(); ++f) {
      EXPECT_LT(std::hypot(frames[f].x - frames[f - 1].x, frames[f].z - frames[f - 1].z), 0.2f) << from << " " << f;
    }
  }
}

TEST(HandOverStream, FirstPoseAfterItIsTheOneThatWouldHaveBeenShown) {
  const Stream plain = played("locomotion-03");
  HandOverStream stream(plain->clone());
  Shown expected;
  for (int p = 0; p < 20; ++p) expected = next(*plain), next(stream);
  expected = next(*plain);
  ASSERT_TRUE(stream.hand_over(played("jog")));
  const Shown shown = next(stream);
  EXPECT_LT(length(shown.root - expected.root), 1e-4f);
  for (std::size_t j = 0; j < shown.rotations.size(); ++j) {
    EXPECT_LT(length(log_vector(shown.rotations[j] * conjugate(expected.rotations[j]))), 1e-3f) << j;
  }
}

TEST(HandOverStream, SoonShowsTheNewMotionAloneWhereTheOldOneCameTo) {
  HandOverStream stream(played("locomotion-03"));
  for (int p = 0; p < 20; ++p) next(stream);
  const Stream plain = played("jog");
  next(*plain);
  ASSERT_TRUE(stream.hand_over(played("jog")));
  Shown shown, expected;
  for (int p = 0; p < 60; ++p) shown = next(stream), expected = next(*plain);
  for (std::size_t j = 1; j < shown.rotations.size(); ++j) {
    EXPECT_LT(length(log_vector(shown.rotations[j] * conjugate(expected.rotations[j]))), 1e-3f) << j;
  }
  EXPECT_NEAR(shown.root.y, expected.root.y, 1e-3);
  EXPECT_EQ(stream.source_names()[shown.source.clip], "jog");
  const motion::GroundFrame frame = motion::GroundFrameFinder(*stream.skeleton()).find(shown.root, shown.rotations[0]);
  EXPECT_NEAR(stream.place().x, frame.x, 0.05);
  EXPECT_NEAR(stream.place().z, frame.z, 0.05);
}

TEST(HandOverStream, MotionThatIsOverHandsOverAsItWouldHaveGoneOn) {
  const auto set = testing::sample_set({"locomotion-03"}, 30);
  motion::Clip clip = *motion::cut(set.clips[0], 0, 12);
  motion::Contacts contacts = set.contacts[0];
  contacts.planted.resize(12);
  HandOverStream stream(std::make_unique<motion::RecordedStream>(clip, contacts));
  Shown last;
  for (int p = 0; p < 12; ++p) last = next(stream);
  std::vector<Quat> room(last.rotations.size());
  motion::StreamPose pose{{}, room, 0, {}};
  EXPECT_FALSE(stream.next({}, pose));
  ASSERT_TRUE(stream.hand_over(played("jog")));
  const Shown after = next(stream);
  const Vec3 would = clip.roots[11] * 2 - clip.roots[10];
  EXPECT_LT(length(after.root - would), 1e-4f);
}

TEST(HandOverStream, FeetThatTheJoinCarriesAreNotToldToStand) {
  HandOverStream stream(played("jog"));
  const motion::Skeleton& skeleton = *stream.skeleton();
  for (int p = 0; p < 25; ++p) next(stream);
  ASSERT_TRUE(stream.hand_over(played("idle-1")));
  const auto feet = *motion::find_foot_points(skeleton);
  std::vector<Quat> room(skeleton.size()), turns(skeleton.size());
  std::vector<Vec3> before, points(skeleton.size() + skeleton.end_sites().size());
  int stood = 0;
  for (int p = 0; p < 45; ++p) {
    motion::StreamPose pose{{}, room, 0, {}};
    ASSERT_TRUE(stream.next({}, pose));
    motion::forward_kinematics(skeleton, pose.root, room, points, turns);
    for (std::size_t part = 0; part < feet.size() && p > 0; ++part) {
      if ((pose.planted >> part & 1) == 0) continue;
      const auto point = static_cast<std::size_t>(feet[part]);
      EXPECT_LT(length(points[point] - before[point]) * 30, 0.4f) << "pose " << p;
      ++stood;
    }
    before = points;
  }
  EXPECT_GT(stood, 40) << "who stands does so once the join is over";
}

TEST(HandOverStream, RefusesWhatDoesNotFitAndGoesOn) {
  HandOverStream stream(played("locomotion-03"));
  const Shown first = next(stream);
  EXPECT_FALSE(stream.hand_over(played("jog", 60)));
  motion::Contacts none;
  auto set = testing::sample_set({"jog"}, 30);
  set.clips[0].roots.clear();
  set.clips[0].rotations.clear();
  EXPECT_FALSE(stream.hand_over(std::make_unique<motion::RecordedStream>(set.clips[0], none)));
  EXPECT_GT(length(next(stream).root - first.root), 0.0f);
}

TEST(HandOverStream, SourcesThatComeAgainAreNamedOnce) {
  HandOverStream stream(played("locomotion-03"));
  next(stream);
  for (int again = 0; again < 3; ++again) {
    ASSERT_TRUE(stream.hand_over(played("jog")));
    next(stream);
    ASSERT_TRUE(stream.hand_over(played("locomotion-03")));
    EXPECT_EQ(stream.source_names()[next(stream).source.clip], "locomotion-03");
  }
  EXPECT_EQ(stream.source_names(), (std::vector<std::string>{"locomotion-03", "jog"}));
}

TEST(HandOverStream, AllocatesNothingWhileItPlays) {
  HandOverStream stream(played("locomotion-03"));
  next(stream);
  ASSERT_TRUE(stream.hand_over(played("jog")));
  std::vector<Quat> room(stream.skeleton()->size());
  motion::StreamPose pose{{}, room, 0, {}};
  const std::size_t before = testing::allocations;
  for (int p = 0; p < 20; ++p) stream.next({}, pose);
  EXPECT_EQ(testing::allocations, before);
}

}  // namespace
}  // namespace loom::play
