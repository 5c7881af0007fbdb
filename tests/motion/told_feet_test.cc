// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/motion/contacts.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/told_feet.h>

#include "tests/make_walk.h"

namespace loom::motion {
namespace {

TEST(ToldFeet, LabelsDecideWhichFeetStand) {
  const testing::GaitClip made = testing::make_gait({});
  const Contacts found = find_contacts(made.clip).value();
  Clip told = made.clip;
  told.labels = {{"walk", 0, told.frames()}, {"feet-left", 4, 9}, {"feet-none", 12, 15}, {"feet-both", 14, 20}};
  const Contacts contacts = find_contacts(told).value();
  ASSERT_EQ(contacts.planted.size(), found.planted.size());
  for (std::size_t f = 0; f < found.planted.size(); ++f) {
    if (f >= 4 && f < 9) {
      EXPECT_EQ(stance_of(contacts.planted[f]), Stance::kLeft) << f;
      EXPECT_EQ(contacts.planted[f], (found.planted[f] & kLeftFoot) != 0 ? found.planted[f] & kLeftFoot : kLeftFoot);
    } else if (f >= 12 && f < 14) {
      EXPECT_EQ(contacts.planted[f], 0) << f;
    } else if (f >= 14 && f < 20) {
      EXPECT_EQ(stance_of(contacts.planted[f]), Stance::kDouble) << f;
    } else {
      EXPECT_EQ(contacts.planted[f], found.planted[f]) << f;
    }
  }
}

TEST(ToldFeet, AMirroredClipStandsOnTheOtherFoot) {
  const std::vector<Label> labels = {{"feet-left", 0, 3}};
  std::vector<std::uint8_t> planted(3);
  apply_told_feet(mirror_labels(labels), planted);
  for (const std::uint8_t p : planted) EXPECT_EQ(p, kRightFoot);
}

TEST(ToldFeet, AreNoBehaviors) {
  std::vector<Label> labels = {{"walk", 0, 9}, {"feet-both", 0, 2}, {"feet-wet", 1, 2}};
  drop_told_feet(labels);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].name, "walk");
  EXPECT_EQ(labels[1].name, "feet-wet");
  EXPECT_FALSE(tells_feet("feet"));
  EXPECT_TRUE(tells_feet("feet-none"));
}

TEST(ToldFeet, RangesBeyondTheClipAreCutOff) {
  const std::vector<Label> labels = {{"feet-both", 2, 900}};
  std::vector<std::uint8_t> planted(4, kLeftHeel);
  apply_told_feet(labels, planted);
  EXPECT_EQ(planted, (std::vector<std::uint8_t>{kLeftHeel, kLeftHeel, kLeftHeel | kRightFoot, kLeftHeel | kRightFoot}));
}

}  // namespace
}  // namespace loom::motion
