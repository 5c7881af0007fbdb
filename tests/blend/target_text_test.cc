// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/blend/family/target_text.h>
#include <loom/sample/body_plan.h>

namespace loom::blend {
namespace {

using Kind = Constraint::Kind;

class TargetText : public ::testing::Test {
 protected:
  Result<JointTarget> read(const char* text) const { return target_from_text(text, *skeleton_); }
  std::shared_ptr<const motion::Skeleton> skeleton_ = sample::sample_skeleton();
};

TEST_F(TargetText, APlace) {
  const auto target = read("RightHand=0.3,1.2,-0.5@stroke");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->joint, *skeleton_->find("RightHand"));
  EXPECT_EQ(target->kind, Kind::kPosition);
  EXPECT_EQ(target->point, (Vec3{0.3f, 1.2f, -0.5f}));
  EXPECT_EQ(target->stroke, 0u);
  EXPECT_EQ(target->priority, 1);
  EXPECT_EQ(target->normalisation, 0);
}

TEST_F(TargetText, ALineAtTheSecondStrokeWithPriorityAndNorm) {
  const auto target = read("Head=line:0,1,0:0,0,2@stroke2,c=0.25,n=3");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->kind, Kind::kLine);
  EXPECT_EQ(target->point, (Vec3{0, 1, 0}));
  EXPECT_EQ(target->direction, (Vec3{0, 0, 2}));
  EXPECT_EQ(target->stroke, 1u);
  EXPECT_DOUBLE_EQ(target->priority, 0.25);
  EXPECT_DOUBLE_EQ(target->normalisation, 3);
}

TEST_F(TargetText, ATurnAboutSomeAxes) {
  const auto target = read("RightHand=turn:0,90,0:xz@2");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->kind, Kind::kOrientation);
  EXPECT_EQ(target->axes, 5);
  EXPECT_EQ(target->stroke, 1u);
  EXPECT_NEAR(target->orientation.y, std::sqrt(0.5f), 1e-6);
  EXPECT_EQ(read("RightHand=turn:0,90,0")->axes, 7);
}

TEST_F(TargetText, RefusesEverythingElse) {
  for (const char* text :
       {"", "RightHand", "RightHand=", "RightHand=1,2", "RightHand=1,2,3,4", "RightHand=1,2,x", "RightHand=line:1,2,3",
        "RightHand=line:1,2,3:0,1", "RightHand=plane:1,2,3:0,1,0", "RightHand=turn:0,0,0:", "RightHand=turn:0,0,0:w",
        "RightHand=turn:0,0,0:x:y", "RightHand=1,2,3@stroke0", "RightHand=1,2,3@strokes", "RightHand=1,2,3@stroke,d=1",
        "RightHand=1,2,3@stroke,c=", "RightHand=1,2,nan", "Tail=1,2,3@stroke"}) {
    EXPECT_FALSE(read(text)) << text;
  }
}

TEST_F(TargetText, KindsHaveNames) {
  EXPECT_STREQ(to_string(Kind::kPosition), "place");
  EXPECT_STREQ(to_string(Kind::kLine), "line");
  EXPECT_STREQ(to_string(Kind::kOrientation), "turn");
}

}  // namespace
}  // namespace loom::blend
