// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/plan/reach_plan.h>
#include <loom/plan/walk_plan.h>

#include "tests/plan/sample_reaches.h"

namespace loom::plan {
namespace {

using ::testing::HasSubstr;
using testing::reaches;

class ReachPlanTest : public ::testing::Test {
 protected:
  static world::World room(const std::string& things) {
    return world::parse_world("world room\nground -3 -3 3 3\n" + things, "room.world").value();
  }

  static blend::JointTarget place(float x, float y, float z) {
    blend::JointTarget target;
    target.joint = reaches().family.family->joint;
    target.point = {x, y, z};
    return target;
  }

  static Result<ReachPlan> plan(const world::World& world, const blend::JointTarget& target,
                                ReachMethod method = ReachMethod::kBoth, motion::GroundFrame stand = {}) {
    auto collision = world::Collision::create(world).value();
    ReachOptions options;
    options.method = method;
    return plan_reach(*reaches().space, *reaches().maker, world, collision, stand, {&target, 1}, options);
  }

  static Vec3 hand_at_stroke(const ReachPlan& plan, int joint) {
    const motion::Clip& clip = plan.blended.clip;
    const std::size_t frame = plan.blended.strokes.front();
    return motion::joint_frame(*clip.skeleton, joint, clip.roots[frame], clip.pose(frame)).position;
  }
};

/// Where the hand passes on its straight way to `kTarget`, and little else does.
constexpr const char* kInTheWay = "box post at -0.27 0.33 size 0.05 0.05 from 0.85 to 1.0\n";
const Vec3 kTarget{-0.25f, 1.15f, 0.5f};

TEST_F(ReachPlanTest, GoesStraightWhereNothingIsInTheWay) {
  const auto made = plan(room(""), place(kTarget.x, kTarget.y, kTarget.z));
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->by, ReachMethod::kInverse);
  EXPECT_LT(distance(hand_at_stroke(*made, reaches().family.family->joint), kTarget), 0.005f);
}

TEST_F(ReachPlanTest, EveryMethodKeepsClearAndMeetsItsTarget) {
  const world::World world = room(kInTheWay);
  const auto target = place(kTarget.x, kTarget.y, kTarget.z);
  const auto straight = plan(world, target, ReachMethod::kInverse);
  ASSERT_FALSE(straight) << "the post is not in the way: the test shows nothing";
  EXPECT_THAT(straight.error().message, HasSubstr("post"));
  for (const ReachMethod method : {ReachMethod::kField, ReachMethod::kTree, ReachMethod::kBoth}) {
    SCOPED_TRACE(to_string(method));
    const auto made = plan(world, target, method);
    ASSERT_TRUE(made) << made.error().to_string();
    EXPECT_NE(made->by, ReachMethod::kInverse);
    EXPECT_GT(made->straight_touches, 0);
    EXPECT_TRUE(find_collisions(made->blended.clip, world).value().empty());
    EXPECT_LT(distance(hand_at_stroke(*made, target.joint), kTarget), 0.005f);
    EXPECT_EQ(made->blended.clip.frames(), made->blended.contacts.planted.size());
  }
}

TEST_F(ReachPlanTest, StandingElsewhereIsTheSameSeenFromThere) {
  const motion::GroundFrame stand{1.2f, -0.7f, 2.0f};
  const Vec3 there = transform(stand, kTarget);
  const auto here = plan(room(""), place(kTarget.x, kTarget.y, kTarget.z));
  const auto moved = plan(room(""), place(there.x, there.y, there.z), ReachMethod::kBoth, stand);
  ASSERT_TRUE(here && moved);
  ASSERT_EQ(here->blended.clip.frames(), moved->blended.clip.frames());
  for (std::size_t f = 0; f < here->blended.clip.frames(); ++f) {
    EXPECT_LT(distance(transform(stand, here->blended.clip.roots[f]), moved->blended.clip.roots[f]), 1e-3f);
  }
}

TEST_F(ReachPlanTest, TheHandKeepsItsSpeed) {
  const auto target = place(kTarget.x, kTarget.y, kTarget.z);
  const auto peak_and_mean = [&](const ReachPlan& made) {
    const motion::Clip& clip = made.blended.clip;
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    double most = 0;
    for (std::size_t f = 1; f <= made.blended.strokes.front(); ++f) {
      const auto joint = static_cast<std::size_t>(target.joint);
      most = std::max(most, static_cast<double>(distance(poses.position(f, joint), poses.position(f - 1, joint))));
    }
    return most * clip.rate;
  };
  const auto straight = plan(room(""), target), round = plan(room(kInTheWay), target, ReachMethod::kTree);
  ASSERT_TRUE(straight && round);
  EXPECT_LT(peak_and_mean(*round), 1.5 * peak_and_mean(*straight));
  EXPECT_GE(round->blended.clip.frames(), straight->blended.clip.frames());
}

TEST_F(ReachPlanTest, SaysWhatIsInTheWay) {
  const auto target = place(kTarget.x, kTarget.y, kTarget.z);
  const auto in_wall = plan(room("box wall at -0.25 0.5 size 0.5 0.2 to 2\n"), target);
  ASSERT_FALSE(in_wall);
  EXPECT_THAT(in_wall.error().message, HasSubstr("is inside 'wall'; the nearest place outside is"));
  const auto at_wall = plan(room("box wall at -0.25 0.62 size 0.5 0.2 to 2\n"), target);
  ASSERT_FALSE(at_wall);
  EXPECT_THAT(at_wall.error().message, HasSubstr("at the stroke the body is in 'wall'"));
  const auto in_box = plan(room("box crate at 0 0 size 0.4 0.4 to 1\n"), target);
  ASSERT_FALSE(in_box);
  EXPECT_THAT(in_box.error().message, HasSubstr("touches 'crate'"));
  const auto far = plan(room(""), place(0, 1, 3));
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().message, HasSubstr("out of reach"));
  EXPECT_THAT(far.error().message, HasSubstr("the nearest it gets is"));
  const auto nowhere = plan(room(""), target, ReachMethod::kBoth, {std::nanf(""), 0, 0});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace loom::plan
