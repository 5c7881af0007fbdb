// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/measure/physical_sense.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::measure {
namespace {

/// The small person, stiff, moved by `root` of each frame's seconds.
template <class Root>
motion::Clip stiff(std::size_t frames, double rate, Root root) {
  const auto person = testing::small_person();
  motion::Clip clip{"stiff", person, rate, {}, std::vector<Quat>(frames * person->size()), {}};
  for (std::size_t f = 0; f < frames; ++f)
    clip.roots.push_back(root(static_cast<float>(static_cast<double>(f) / rate)));
  return clip;
}

motion::Contacts contacts_of(const motion::Clip& clip, std::uint8_t planted) {
  motion::Contacts contacts;
  contacts.planted.assign(clip.frames(), planted);
  contacts.points = *motion::find_foot_points(*clip.skeleton);
  return contacts;
}

TEST(PhysicalSense, AParabolaFallsAtWhatItWasMadeWith) {
  for (const float g : {9.81f, 5.0f}) {
    const motion::Clip leap = stiff(20, 60, [&](float t) { return Vec3{t, 1 + 1.6f * t - 0.5f * g * t * t, 0}; });
    const auto flights = find_flights(leap, contacts_of(leap, 0));
    ASSERT_EQ(flights.size(), 1U);
    EXPECT_NEAR(flights[0].mps2, static_cast<double>(g), 0.01);
    EXPECT_EQ(flights[0].begin, 0U);
    EXPECT_EQ(flights[0].end, 20U);
  }
}

TEST(PhysicalSense, ShortHopsAndStandingAreNoFalls) {
  const motion::Clip clip = stiff(30, 30, [](float) { return Vec3{0, 0.97f, 0}; });
  motion::Contacts contacts = contacts_of(clip, motion::kLeftFoot);
  EXPECT_TRUE(find_flights(clip, contacts).empty());
  std::fill(contacts.planted.begin() + 10, contacts.planted.begin() + 15, 0);
  EXPECT_TRUE(find_flights(clip, contacts).empty());
}

TEST(PhysicalSense, WhoStandsStillPressesBelowTheirCentre) {
  const motion::Clip clip = stiff(30, 30, [](float) { return Vec3{0, 0.97f, 0}; });
  const auto both = zero_moment_outside(clip, contacts_of(clip, motion::kLeftFoot | motion::kRightFoot));
  ASSERT_EQ(both.size(), 30U);
  EXPECT_TRUE(std::isnan(both[0]));
  for (std::size_t f = 3; f < 27; ++f) EXPECT_NEAR(both[f], 0, 0.03) << f;
  // On one foot with the centre between both, one would tip over.
  const auto one = zero_moment_outside(clip, contacts_of(clip, motion::kLeftFoot));
  EXPECT_GT(one[15], 0.02);
  // In the air there is no such point.
  EXPECT_TRUE(std::isnan(zero_moment_outside(clip, contacts_of(clip, 0))[15]));
}

TEST(PhysicalSense, BrakingMovesThePointAheadByHeightTimesDecelerationOverG) {
  constexpr float kBraking = 3;  // metres a second squared
  const motion::Clip clip = stiff(30, 30, [](float t) { return Vec3{0, 0.97f, 2 * t - 0.5f * kBraking * t * t}; });
  motion::Contacts contacts = contacts_of(clip, motion::kLeftFoot | motion::kRightFoot);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const auto centre = motion::mass_centre(poses, motion::find_body(*clip.skeleton));
  const double ahead = static_cast<double>(centre[15].y) * static_cast<double>(kBraking) / 9.81;
  double toes = -1e9;
  for (const int point : contacts.points) {
    toes = std::max(toes, static_cast<double>(poses.position(15, static_cast<std::size_t>(point)).z));
  }
  const double expected = std::max(0.0, static_cast<double>(centre[15].z) + ahead - toes - 0.045);
  ASSERT_GT(expected, 0.02);
  EXPECT_NEAR(zero_moment_outside(clip, contacts)[15], expected, 0.005);
}

TEST(PhysicalSense, AWalkPressesOnItsFeetMostly) {
  const testing::GaitClip made = testing::make_gait({});
  const auto contacts = motion::find_contacts(made.clip).value();
  const auto outside = zero_moment_outside(made.clip, contacts);
  EXPECT_EQ(outside.size(), made.clip.frames());
  EXPECT_TRUE(std::any_of(outside.begin(), outside.end(), [](double d) { return d == 0; }));
}

}  // namespace
}  // namespace loom::measure
