// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/polish/detail/foot_path.h>

#include "tests/make_clip.h"

namespace loom::polish {
namespace {

/// How far two feet point apart on the floor, degrees.
double turned(const FootPlace& a, const FootPlace& b) {
  const Vec3 p = a.toe - a.heel, q = b.toe - b.heel;
  return std::abs(std::atan2(p.x * q.z - p.z * q.x, p.x * q.x + p.z * q.z)) / static_cast<double>(kDegree);
}

TEST(FootPath, AHeelAndAToePinnedPastEachOtherDoNotTurnTheFootRound) {
  // The foot slides back under the body all the time. Its heel is told to be planted early and its toe late, so that
  // each is pinned where it dwells, and the toe comes to lie behind the heel.
  const Foot foot = find_feet(*testing::small_person()).value()[0];
  std::vector<FootPlace> recorded;
  FootContacts planted;
  for (std::size_t f = 0; f < 40; ++f) {
    const float z = -0.025f * static_cast<float>(f);
    recorded.push_back({{0, 0.08f, z}, {0.01f, 0, z + 0.18f}});
    planted.heel.push_back(f < 22 ? 1 : 0);
    planted.toe.push_back(f >= 10 && f < 36 ? 1 : 0);
  }
  motion::Contacts contacts;
  FootPlantOptions options;
  options.max_wander = 1;
  const std::vector<FootPlace> path =
      plan_foot_path(foot, recorded, planted, std::vector<std::uint8_t>(40, 0), contacts, 30, options);
  for (std::size_t f = 0; f < path.size(); ++f) {
    EXPECT_LT(turned(path[f], recorded[f]), 61) << "frame " << f;
    EXPECT_NEAR(distance(path[f].heel, path[f].toe), distance(recorded[f].heel, recorded[f].toe), 1e-4) << f;
  }
}

TEST(KeepDirection, LeavesAFootAloneThatPointsAboutWhereItShould) {
  const Vec3 own{0, -0.08f, 0.18f};
  for (const float angle : {-55.0f, 0.0f, 30.0f, 59.0f}) {
    const Vec3 apart = rotate(axis_angle({0, 1, 0}, angle * kDegree), own);
    FootPlace place{{1, 0.08f, 2}, Vec3{1, 0.08f, 2} + apart};
    const FootPlace before = place;
    keep_direction(place, own, 0.5f);
    EXPECT_EQ(place.heel, before.heel) << angle;
    EXPECT_EQ(place.toe, before.toe) << angle;
  }
}

TEST(KeepDirection, BringsBackOneThatPointsElsewhereAndOnlyTheEndThatGivesWayMoves) {
  const Vec3 own{0, -0.08f, 0.18f};
  for (const float angle : {-179.0f, -90.0f, 70.0f, 150.0f}) {
    const Vec3 apart = rotate(axis_angle({0, 1, 0}, angle * kDegree), own);
    FootPlace place{{}, apart};
    keep_direction(place, own, 0);
    EXPECT_EQ(place.heel, Vec3{}) << angle;
    EXPECT_NEAR(turned(place, {{}, own}), 60, 0.01) << angle;
    EXPECT_NEAR(turned(place, {{}, apart}), std::abs(angle) - 60, 0.01) << angle;
  }
}

}  // namespace
}  // namespace loom::polish
