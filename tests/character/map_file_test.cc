// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/character/map_file.h>

namespace loom::character {
namespace {

motion::Rig small_rig() {
  motion::Rig rig{"r", {}, {{}}};
  for (const char* name : {"Hips", "L = Leg", "R#Leg", "arm", "arm", "Head"}) {
    rig.joints.push_back({name, rig.joints.empty() ? -1 : 0, false});
    rig.poses[0].push_back({});
  }
  return rig;
}

TEST(MapFile, ComesBackAsItWasWritten) {
  const motion::Rig rig = small_rig();
  JointMap map;
  map.human = true;
  map.of(Role::kHips) = {0, 0.9f};
  map.of(Role::kLeftThigh) = {1, 0.5f};
  map.of(Role::kRightThigh) = {2, 0.9f};
  map.of(Role::kLeftUpperArm) = {3, 0.9f};  // two joints of one name: told by number
  map.of(Role::kRightUpperArm) = {4, 0.9f};
  const auto read = read_map(map_text(map, rig), "m");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->lines.size(), kRoles);
  const auto again = put_right(JointMap{}, rig, *read);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_TRUE(again->human);
  for (std::size_t r = 0; r < kRoles; ++r) {
    EXPECT_EQ(again->joints[r].joint, map.joints[r].joint) << kRoleNames[r];
    EXPECT_EQ(again->joints[r].confidence, map.joints[r].joint >= 0 ? 1.0f : 0.0f);
  }
}

TEST(MapFile, WhatIsSaidHoldsAndTheRestStays) {
  const motion::Rig rig = small_rig();
  JointMap map;
  map.of(Role::kHead) = {0, 0.9f};
  map.of(Role::kNeck) = {5, 0.9f};
  map.of(Role::kChest) = {3, 0.9f};
  map.twists = {{Role::kLeftUpperArm, 5}, {Role::kLeftUpperArm, 4}};
  const auto put = put_right(map, rig, *read_map("# by hand\n\n head = Head \r\nchest=\n", "m"));
  ASSERT_TRUE(put);
  EXPECT_EQ(put->of(Role::kHead).joint, 5);
  EXPECT_EQ(put->of(Role::kNeck).joint, -1) << "the joint was given to another role";
  EXPECT_EQ(put->of(Role::kChest).joint, -1);
  ASSERT_EQ(put->twists.size(), 1U) << "what has a role is no twist joint";
  EXPECT_EQ(put->twists[0].joint, 4);
}

TEST(MapFile, ANumberIsANumberEvenWhereAnotherJointIsCalledSo) {
  motion::Rig rig = small_rig();
  rig.joints[5].name = "@3";
  const auto put = put_right(JointMap{}, rig, *read_map("left_hand = @3\nhead = @5\n", "m"));
  ASSERT_TRUE(put) << put.error().to_string();
  EXPECT_EQ(put->of(Role::kLeftHand).joint, 3);
  EXPECT_EQ(put->of(Role::kHead).joint, 5);
}

TEST(MapFile, ErrorsNameTheirLine) {
  const motion::Rig rig = small_rig();
  const auto line_of = [&](const char* text) -> std::size_t {
    const auto read = read_map(text, "m");
    if (!read) return read.error().line;
    const auto put = put_right(JointMap{}, rig, *read);
    return put ? 0 : put.error().line;
  };
  EXPECT_EQ(line_of("hips = Hips\nhips"), 2U);
  EXPECT_EQ(line_of("# x\nbelly = Hips"), 2U);
  EXPECT_EQ(line_of("hips = Hips\n\nhips = Head"), 3U);
  EXPECT_EQ(line_of("hips = hips"), 1U);
  EXPECT_EQ(line_of("\nleft_hand = arm"), 2U) << "two joints have that name";
  EXPECT_EQ(line_of("hips = @6"), 1U);
  EXPECT_EQ(line_of("hips = @-1"), 1U);
  EXPECT_EQ(line_of("hips = Hips\nhead = Hips"), 2U);
  EXPECT_EQ(line_of("hips = @5\nhead = @4"), 0U);
}

}  // namespace
}  // namespace loom::character
