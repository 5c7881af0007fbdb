// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>
#include <loom/play/guide.h>
#include <loom/play/root_follow.h>
#include <loom/play/splice.h>
#include <loom/take/take_set.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::play {
namespace {

std::shared_ptr<const take::TakeSet> two_walks() {
  auto motion = std::make_shared<take::TakeSet>();
  for (const double speed : {1.2, 1.4}) {
    testing::Gait gait;
    gait.speed = speed;
    motion->clips.push_back(testing::make_gait(gait).clip);
    motion->contacts.push_back(*motion::find_contacts(motion->clips.back()));
  }
  motion->skeleton = motion->clips[0].skeleton;
  return motion;
}

motion::Clip recorded(Splice& splice, std::size_t poses, double rate, double speed = 1) {
  motion::Clip clip;
  clip.skeleton = splice.motion().skeleton;
  clip.rate = rate;
  std::vector<Quat> rotations(clip.joints());
  for (std::size_t i = 0; i < poses; ++i) {
    motion::StreamPose pose{{}, rotations, 0, {}};
    splice.write(pose);
    splice.advance(speed);
    clip.roots.push_back(pose.root);
    clip.rotations.insert(clip.rotations.end(), rotations.begin(), rotations.end());
  }
  return clip;
}

TEST(Splice, PlaysAClipAsItIs) {
  const auto motion = two_walks();
  Splice splice(motion, 30, 0.1f);
  splice.start({0, 0}, motion->tracks()[0][0]);
  const motion::Clip played = recorded(splice, 50, 30);
  for (std::size_t f = 0; f < 50; ++f) {
    EXPECT_LT(distance(played.roots[f], motion->clips[0].roots[f]), 1e-4f) << f;
  }
}

TEST(Splice, TwiceThePosesAreTheSameMotion) {
  const auto motion = two_walks();
  Splice once(motion, 30, 0.1f), twice(motion, 60, 0.1f);
  once.start({0, 10}, {});
  twice.start({0, 10}, {});
  const motion::Clip a = recorded(once, 20, 30), b = recorded(twice, 39, 60);
  for (std::size_t f = 0; f < 20; ++f) EXPECT_LT(distance(a.roots[f], b.roots[2 * f]), 1e-5f);
}

/// Half a second of one walk and a second of the other, in another phase of the step.
motion::Clip with_a_jump(float ease_seconds) {
  const auto motion = two_walks();
  Splice splice(motion, 60, ease_seconds);
  splice.start({0, 10}, {1, 2, 0.5f});
  motion::Clip played = recorded(splice, 30, 60);
  const motion::GroundFrame before = splice.place();
  splice.jump(1, 40);
  EXPECT_NEAR(splice.place().x, before.x, 1e-4f);
  EXPECT_NEAR(splice.place().z, before.z, 1e-4f);
  EXPECT_NEAR(splice.place().heading, before.heading, 1e-4f);
  const motion::Clip after = recorded(splice, 60, 60);
  played.roots.insert(played.roots.end(), after.roots.begin(), after.roots.end());
  played.rotations.insert(played.rotations.end(), after.rotations.begin(), after.rotations.end());
  return played;
}

TEST(Splice, AJumpShowsFarLessThanACut) {
  const double cut = measure::measure(with_a_jump(1e-4f)).largest_jump_m;
  EXPECT_LT(measure::measure(with_a_jump(0.08f)).largest_jump_m, 0.25 * cut);
}

TEST(Splice, AtTheEndOfAClipItStands) {
  const auto motion = two_walks();
  Splice splice(motion, 30, 0.1f);
  splice.start({0, static_cast<std::uint32_t>(motion->clips[0].frames() - 2)}, {});
  EXPECT_EQ(splice.frames_left(), 1);
  for (int i = 0; i < 10; ++i) splice.advance();
  EXPECT_EQ(splice.frames_left(), 0);
}

TEST(Splice, MovesTheCharacterWhereItIsTold) {
  const auto motion = two_walks();
  Splice splice(motion, 30, 0.1f);
  splice.start({1, 20}, {});
  splice.move_to({3, -4, 1});
  EXPECT_NEAR(splice.place().x, 3, 1e-5f);
  EXPECT_NEAR(splice.place().z, -4, 1e-5f);
  EXPECT_NEAR(splice.place().heading, 1, 1e-5f);
}

TEST(RootFollow, AWalkStraightAheadIsTurnedByThreeTenthsOfARadianAMetre) {
  Splice splice(two_walks(), 60, 0.1f);
  splice.start({0, 0}, {});
  Guide guide;
  motion::Control control;
  control.turn_rate = 2;
  double way = 0, turn = 0;
  for (int i = 0; i < 60; ++i) {
    const motion::GroundFrame before = splice.place();
    splice.advance();
    const float own_way = distance(splice.place().position(), before.position());
    control.velocity = rotate(before.rotation(), {0, 0, 1.2f});
    guide.step(control, 1.0f / 60);
    follow({}, before, 1.0f / 60, splice, guide);
    if (i < 20) continue;  // the stick's turn has been taken up
    way += static_cast<double>(own_way);
    turn += static_cast<double>(wrap_angle(splice.place().heading - before.heading));
  }
  EXPECT_NEAR(turn / way, 0.3, 0.03);
}

}  // namespace
}  // namespace loom::play
