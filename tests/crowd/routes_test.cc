// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/route_finder.h>
#include <loom/crowd/world_walls.h>

namespace loom::crowd {
namespace {

float length_of(Flat from, const std::vector<Flat>& route) {
  float sum = 0;
  for (const Flat& p : route) {
    sum += length(p - from);
    from = p;
  }
  return sum;
}

TEST(RouteFinder, GoesRoundAWallAndNeverThroughOne) {
  Random random(2);
  const auto some = [&](double most) { return static_cast<float>(random.uniform(-most, most)); };
  int round_walls = 0, none = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<Wall> all = {{{-8, -8}, {8, -8}}, {{8, -8}, {8, 8}}, {{8, 8}, {-8, 8}}, {{-8, 8}, {-8, -8}}};
    for (int n = 0; n < 6; ++n) all.push_back({{some(7), some(7)}, {some(7), some(7)}, 0.1f});
    const Walls walls(all);
    const auto finder = RouteFinder::create(walls, {-8, -8}, {8, 8}, 0.4f).value();
    const Flat from{some(7), some(7)}, to{some(7), some(7)};
    const auto route = finder.find(from, to);
    if (!route) {
      ++none;
      EXPECT_FALSE(walls.clear(from, to, 0.4f));
      continue;
    }
    EXPECT_EQ(route->back(), to);
    EXPECT_GE(length_of(from, *route), length(to - from) - 1e-3f);
    round_walls += route->size() > 1 ? 1 : 0;
    Flat here = from;
    for (const Flat& next : *route) {
      // The first and the last stretch may begin nearer to a wall than one is wide.
      EXPECT_TRUE(walls.clear(here, next, here == from || next == to ? 0.15f : 0.35f));
      here = next;
    }
  }
  EXPECT_GT(round_walls, 5);
  EXPECT_LT(none, 30);
}

TEST(RouteFinder, IsAsShortAsTheCornersAllow) {
  // One wall: the shortest way goes by one of its ends.
  const Walls walls(std::vector<Wall>{{{-3, 0}, {3, 0}}});
  const auto finder = RouteFinder::create(walls, {-8, -8}, {8, 8}, 0.3f).value();
  const auto route = finder.find({1, -4}, {1, 4}).value();
  const float shortest = 2 * length(Flat{3.3f, 0} - Flat{1, -4});
  EXPECT_GT(length_of({1, -4}, route), shortest - 0.1f);
  EXPECT_LT(length_of({1, -4}, route), 1.06f * shortest);
}

TEST(RouteFinder, SaysWhereNoWayLeads) {
  const Walls walls(std::vector<Wall>{{{-2, -2}, {2, -2}}, {{2, -2}, {2, 2}}, {{2, 2}, {-2, 2}}, {{-2, 2}, {-2, -2}}});
  const auto finder = RouteFinder::create(walls, {-8, -8}, {8, 8}, 0.3f).value();
  const auto shut = finder.find({0, 0}, {5, 5});
  ASSERT_FALSE(shut);
  EXPECT_NE(shut.error().message.find("no way leads"), std::string::npos);
  EXPECT_TRUE(finder.free({0, 0}));
  EXPECT_FALSE(finder.free({2, 1}));
  EXPECT_FALSE(RouteFinder::create(walls, {1, 1}, {1, 5}, 0.3f));
}

constexpr const char* kHall = R"(world hall
ground -10 -5 10 5
ground 0 5 4 9
box table at 2 0 size 2 1 turn 90 to 0.8
cylinder pillar at -4 1 radius 0.5 to 2.5
box lintel at 0 4 size 20 0.2 from 2.2 to 2.5
polygon corner to 2: -9 -4, -7 -4, -9 -2
gap hole: 6 -2, 8 -2, 8 0, 6 0
cylinder cart at 0 -3 radius 0.4 to 1
path cart: 0 0 -3, 4 4 -3
)";

TEST(FloorOf, HasTheOutlinesOfWhatIsInTheWayAndTheEdgesOfTheFloor) {
  const world::World world = world::parse_world(kHall, "hall.world").value();
  const WorldFloor floor = floor_of(world).value();
  EXPECT_EQ(floor.low, (Flat{-10, -5}));
  EXPECT_EQ(floor.high, (Flat{10, 9}));
  const auto near = [&](Flat place, double seconds = 0) {
    std::array<WallPoint, 1> found;
    return floor.walls.near(place, 20, seconds, found) > 0 ? found[0].distance : 99.0f;
  };
  // A table of 2 by 1 m, turned by a quarter: 1 m along x, 2 m along z.
  EXPECT_NEAR(near({3, 0}), 0.5, 1e-4);
  EXPECT_NEAR(near({2, 1.2f}), 0.2, 1e-4);
  EXPECT_NEAR(near({-4, 2}), 0.5, 1e-4);
  EXPECT_NEAR(near({-8.9f, -3.9f}), 0.1, 1e-4) << "inside the polygon, from its side";
  EXPECT_NEAR(near({7, -1}), 1, 1e-4) << "the hole";
  EXPECT_NEAR(near({0, -3}, 4), 2, 1e-3) << "the cart has gone: the edge of the floor";
  EXPECT_NEAR(near({4, -2}, 4), 0.6, 1e-3) << "and stands here";
  EXPECT_NEAR(near({-2, 4}), 1, 1e-4) << "the lintel is overhead";
  EXPECT_NEAR(near({2, 5}), 2, 1e-4) << "no edge between two pieces of floor";
  EXPECT_NEAR(near({-3, 4.9f}), 0.1, 1e-4);
}

TEST(FloorOf, RefusesAWorldWithoutAFloor) { EXPECT_FALSE(floor_of(world::World{})); }

}  // namespace
}  // namespace loom::crowd
