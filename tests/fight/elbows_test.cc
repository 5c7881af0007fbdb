// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/fight/elbows.h>
#include <loom/sample/sample.h>

namespace loom::fight {
namespace {

TEST(StraightenElbows, ThatAreBentBackwardsAndLeavesTheOthersAlone) {
  motion::Clip clip = sample::make_sample("punch-right-1")->clip;
  const motion::Hinges hinges = motion::find_hinges(*clip.skeleton, motion::forward_kinematics(clip));
  const auto bend = [&](std::size_t hinge, std::size_t frame) {
    return motion::signed_bend(motion::forward_kinematics(clip), frame, *hinges[hinge]);
  };
  for (std::size_t h = motion::kKnees; h < motion::kHinges; ++h) {
    ASSERT_TRUE(hinges[h]);
    const auto middle = static_cast<std::size_t>(hinges[h]->limb.middle);
    for (const float wanted : {-0.5f, -0.05f, 0.05f, 0.5f}) {
      Quat& elbow = clip.pose(7)[middle];
      elbow = normalized(exp_vector(hinges[h]->axis * (wanted - bend(h, 7))) * elbow);
      const float before = bend(h, 7);
      straighten_elbows(*clip.skeleton, hinges, clip.pose(7));
      EXPECT_NEAR(bend(h, 7), std::max(before, 0.0f), 0.01f) << wanted;
      EXPECT_EQ(before < 0, wanted < 0);
    }
  }
}

}  // namespace
}  // namespace loom::fight
