// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/motion/missing_way.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::motion {
namespace {

using testing::Gait;
using testing::make_gait;

/// A gait without its way along +Z, as animations for games are written.
Clip in_its_place(const Gait& gait) {
  Clip clip = make_gait(gait).clip;
  for (Vec3& root : clip.roots) root.z = 0;
  return clip;
}

TEST(MissingWay, OfAWalkInItsPlaceIsTheOneItWasMadeWith) {
  for (const double rate : {24.0, 30.0, 120.0}) {
    Gait gait;
    gait.rate = rate;
    const Clip walk = make_gait(gait).clip, still = in_its_place(gait);
    const auto missing = find_missing_way(still);
    ASSERT_TRUE(missing) << rate;
    EXPECT_NEAR(missing->speed, gait.speed, 0.05 * gait.speed) << rate;
    const Clip moved = add_way(still, *missing);
    EXPECT_NEAR(moved.roots.back().z, walk.roots.back().z - walk.roots.front().z, 0.05f * walk.roots.back().z) << rate;
    EXPECT_NEAR(moved.roots.back().x, 0, 0.05) << rate;
    EXPECT_EQ(moved.roots.back().y, still.roots.back().y) << rate;
    EXPECT_EQ(moved.rotations, still.rotations) << rate;
  }
}

TEST(MissingWay, GoesOnInFlight) {
  Gait run;
  run.duty = 0.35, run.cycle = 0.7, run.speed = 3, run.rate = 60;
  const auto missing = find_missing_way(in_its_place(run));
  ASSERT_TRUE(missing);
  EXPECT_NEAR(missing->speed, run.speed, 0.1 * run.speed);
}

TEST(MissingWay, IsNoneWhereFeetStand) {
  EXPECT_FALSE(find_missing_way(make_gait({}).clip));
  const auto person = testing::small_person();
  EXPECT_FALSE(find_missing_way(
      {"standing", person, 30, std::vector<Vec3>(60, Vec3{0, 0.97f, 0}), std::vector<Quat>(60 * person->size()), {}}));
}

TEST(MissingWay, IsNoneWhereTheBodySlidesOrSways) {
  const auto person = testing::small_person();
  Clip slides{"slides", person, 30, std::vector<Vec3>(60), std::vector<Quat>(60 * person->size()), {}};
  Clip sways = slides;
  for (std::size_t f = 0; f < 60; ++f) {
    const auto t = static_cast<float>(f) / 30;
    slides.roots[f] = {0, 0.97f, -t};
    sways.roots[f] = {0, 0.97f, 0.3f * std::sin(6 * t)};
  }
  EXPECT_FALSE(find_missing_way(slides));
  EXPECT_FALSE(find_missing_way(sways));
}

TEST(MissingWay, IsNoneWhereFeetSlideAndTheBodyGoesAboutAllTheSame) {
  Clip glides = in_its_place({});
  for (std::size_t f = 0; f < glides.frames(); ++f) glides.roots[f].x = 0.02f * static_cast<float>(f);
  EXPECT_FALSE(find_missing_way(glides));
}

}  // namespace
}  // namespace loom::motion
