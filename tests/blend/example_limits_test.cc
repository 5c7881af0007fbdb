// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/blend/example_limits.h>
#include <loom/motion/body.h>

#include "tests/blend/sample_set.h"

namespace loom::blend {
namespace {

class ExampleLimitsTest : public ::testing::Test {
 protected:
  ExampleLimitsTest() {
    const testing::SampleSet set = testing::sample_set(testing::family_names("reach", 4));
    AlignOptions options;
    for (const double stroke : set.strokes) options.strokes.push_back({stroke});
    auto alignment = align(set.clips, set.contacts, options).value();
    space_ = BlendSpace::create(set.clips, set.contacts, std::move(alignment)).value();
    limits_ = ExampleLimits::of(*space_);
  }

  std::shared_ptr<const BlendSpace> space_;
  ExampleLimits limits_;
};

TEST_F(ExampleLimitsTest, TheExamplesThemselvesAreAllowed) {
  for (const motion::Clip& clip : space_->clips()) {
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    EXPECT_EQ(limits_.bent_beyond(poses), 0);
    EXPECT_EQ(limits_.sunk_beyond(poses), 0);
    EXPECT_TRUE(limits_.allow(clip));
  }
}

TEST_F(ExampleLimitsTest, AKneeOrAnElbowBentBackwardsIsNot) {
  const motion::Body body = motion::find_body(*space_->skeleton());
  for (const motion::Limb& limb : {body.left_leg, body.right_arm}) {
    motion::Clip clip = space_->clips().front();
    const motion::Hinge hinge{limb, motion::hinge_axis_at_rest(*clip.skeleton, body, limb)};
    const float bend = motion::signed_bend(motion::forward_kinematics(clip), 3, hinge);
    Quat& joint = clip.pose(3)[static_cast<std::size_t>(limb.middle)];
    joint = normalized(axis_angle(hinge.axis, -bend - 25 * kDegree) * joint);
    EXPECT_NEAR(limits_.bent_beyond(motion::forward_kinematics(clip)), 25 * kDegree, 4 * kDegree);
    EXPECT_FALSE(limits_.allow(clip));
  }
}

TEST_F(ExampleLimitsTest, FeetBelowTheFloorAreNot) {
  motion::Clip clip = space_->clips().front();
  clip.roots[5].y -= 0.1f;
  EXPECT_NEAR(limits_.sunk_beyond(motion::forward_kinematics(clip)), 0.1f, 0.03f);
  EXPECT_FALSE(limits_.allow(clip));
}

}  // namespace
}  // namespace loom::blend
