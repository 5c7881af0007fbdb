// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/walls.h>

namespace loom::crowd {
namespace {

float some(Random& random, double most) { return static_cast<float>(random.uniform(-most, most)); }

/// By looking at many points of it.
float sampled_distance(const Wall& wall, Flat place) {
  float nearest = 1e9f;
  for (int n = 0; n <= 2000; ++n) {
    nearest = std::min(nearest, length(wall.a + (wall.b - wall.a) * (static_cast<float>(n) / 2000) - place));
  }
  return nearest - wall.radius;
}

TEST(Walls, FindTheNearestAsAPlainSearchDoes) {
  Random random(3);
  for (const double spread : {3.0, 300.0}) {
    std::vector<Wall> all;
    for (int n = 0; n < 60; ++n) {
      const Flat a{some(random, spread), some(random, spread)};
      all.push_back({a, n % 5 == 0 ? a : a + Flat{some(random, 5), some(random, 5)}, n % 3 == 0 ? 0.4f : 0.0f});
    }
    const Walls walls(all);
    for (int round = 0; round < 60; ++round) {
      const Flat place{some(random, spread), some(random, spread)};
      std::vector<std::pair<float, std::uint32_t>> truth;
      for (std::uint32_t w = 0; w < all.size(); ++w) {
        const float far = sampled_distance(all[w], place);
        if (far < 4) truth.emplace_back(far, w);
      }
      std::sort(truth.begin(), truth.end());
      std::array<WallPoint, 8> found;
      const std::size_t count = walls.near(place, 4, 0, found);
      ASSERT_EQ(count, std::min<std::size_t>(truth.size(), 8));
      for (std::size_t n = 0; n < count; ++n) {
        EXPECT_NEAR(found[n].distance, truth[n].first, 5e-3);
        EXPECT_NEAR(length(found[n].point - place), std::fabs(found[n].distance), 1e-3);
      }
    }
  }
}

TEST(Walls, AWayIsClearWhereNoPointOfItIsNearAWall) {
  Random random(9);
  int clear = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Wall> all;
    for (int n = 0; n < 4; ++n)
      all.push_back({{some(random, 4), some(random, 4)}, {some(random, 4), some(random, 4)}, 0.1f});
    const Walls walls(all);
    const Flat from{some(random, 4), some(random, 4)}, to{some(random, 4), some(random, 4)};
    float nearest = 1e9f;
    for (int n = 0; n <= 300; ++n) {
      for (const Wall& wall : all) {
        nearest = std::min(nearest, sampled_distance(wall, from + (to - from) * (static_cast<float>(n) / 300)));
      }
    }
    if (std::fabs(nearest - 0.3f) < 0.03f) continue;  // the samples cannot tell
    EXPECT_EQ(walls.clear(from, to, 0.3f), nearest > 0.3f);
    clear += nearest > 0.3f ? 1 : 0;
  }
  EXPECT_GT(clear, 10);
}

TEST(MovingWalls, GoAlongTheirPathAndRoundAgain) {
  MovingWalls cart;
  cart.walls = {{{0, 0}, {0, 0}, 0.5f}};
  cart.path = {{1, {0, 0, 0}}, {3, {4, 0, 0}}, {5, {4, 2, 1}}};
  EXPECT_EQ(cart.place(0).x, 0);
  EXPECT_NEAR(cart.place(2).x, 2, 1e-5);
  EXPECT_NEAR(cart.place(4).z, 1, 1e-5);
  EXPECT_NEAR(cart.place(9).heading, 1, 1e-5);
  cart.loops = true;
  EXPECT_NEAR(cart.place(6).x, 2, 1e-5);
  const Walls walls({}, {cart});
  std::array<WallPoint, 2> found;
  ASSERT_EQ(walls.near({2, 1}, 3, 2, found), 1);
  EXPECT_NEAR(found[0].distance, 0.5, 1e-4);
  EXPECT_NEAR(found[0].velocity.x, 2, 1e-2);
}

}  // namespace
}  // namespace loom::crowd
