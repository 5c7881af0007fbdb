// SPDX-License-Identifier: MIT
#include <vector>

#include <gtest/gtest.h>

#include <loom/polish/deepest_feet.h>

#include "tests/make_walk.h"

namespace loom::polish {
namespace {

float deepest_of(const motion::Clip& clip, const motion::Contacts& contacts) {
  return deepest_feet(std::vector{clip}, std::vector{contacts});
}

TEST(DeepestFeet, AreAsDeepAsTheDeepestOfAllClips) {
  const testing::GaitClip walk = testing::make_gait({});
  const motion::Contacts contacts = motion::find_contacts(walk.clip).value();
  const float own = deepest_of(walk.clip, contacts);
  EXPECT_LT(own, 0.005f);
  motion::Clip sunken = walk.clip;
  for (Vec3& root : sunken.roots) root.y -= 0.04f;
  EXPECT_NEAR(deepest_of(sunken, contacts), own + 0.04f, 1e-4f);
  EXPECT_NEAR(deepest_feet(std::vector{sunken, walk.clip}, std::vector{contacts, contacts}), own + 0.04f, 1e-4f);
}

TEST(DeepestFeet, AFloorThatSlopesIsFollowed) {
  const testing::GaitClip uphill = testing::make_gait({.slope = 0.03f});
  EXPECT_LT(deepest_of(uphill.clip, motion::find_contacts(uphill.clip).value()), 0.01f);
}

TEST(DeepestFeet, NoContactsTellOfNone) {
  const testing::GaitClip walk = testing::make_gait({});
  EXPECT_EQ(deepest_of(walk.clip, testing::made_contacts(walk)), 0);
  EXPECT_EQ(deepest_feet({}, {}), 0);
}

}  // namespace
}  // namespace loom::polish
