// SPDX-License-Identifier: MIT
#include <queue>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/world/floor_field.h>

namespace loom::world {
namespace {

World boxes(Random& random, std::size_t count) {
  World world;
  world.ground.push_back({{0, 0}, {12, 12}});
  for (std::size_t i = 0; i < count; ++i) {
    Obstacle o;
    o.name = std::to_string(i);
    o.width = 0.5 + random.uniform() * 3;
    o.depth = 0.5 + random.uniform() * 3;
    o.at = {1.5 + random.uniform() * 9, 1.5 + random.uniform() * 9, 0};
    world.obstacles.push_back(o);
  }
  return world;
}

/// Whether a straight way goes through the inside of no box.
bool sees(const World& world, Point a, Point b) {
  for (const Obstacle& o : world.obstacles) {
    double from = 0, to = 1;  // the part of the way within the box, by its sides (Liang and Barsky)
    const auto side = [&](double start, double step, double low, double high) {
      if (std::fabs(step) < 1e-12) {
        if (start <= low || start >= high) to = -1;
        return;
      }
      const double one = (low - start) / step, two = (high - start) / step;
      from = std::max(from, std::min(one, two));
      to = std::min(to, std::max(one, two));
    };
    side(a.x, b.x - a.x, o.at.x - o.width / 2, o.at.x + o.width / 2);
    side(a.z, b.z - a.z, o.at.z - o.depth / 2, o.at.z + o.depth / 2);
    if (from < to - 1e-9) return false;
  }
  return true;
}

/// The length of the shortest way: Dijkstra over what the corners of the boxes see of each other.
double exact_distance(const World& world, Point start, Point goal) {
  std::vector<Point> points{start, goal};
  for (const Obstacle& o : world.obstacles) {
    for (const double u : {-0.5, 0.5})
      for (const double v : {-0.5, 0.5}) points.push_back({o.at.x + u * o.width, o.at.z + v * o.depth});
  }
  std::vector<double> cost(points.size(), 1e9);
  std::vector<bool> done(points.size());
  cost[0] = 0;
  for (std::size_t round = 0; round < points.size(); ++round) {
    std::size_t best = points.size();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!done[i] && (best == points.size() || cost[i] < cost[best])) best = i;
    done[best] = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (done[i] || !sees(world, points[best], points[i])) continue;
      cost[i] = std::min(cost[i], cost[best] + std::hypot(points[i].x - points[best].x, points[i].z - points[best].z));
    }
  }
  return cost[1];
}

TEST(GoalDistance, IsNeverMoreThanTheShortestWayAndNotMuchLess) {
  Random random(21);
  int bent = 0, near = 0, asked = 0;
  for (int round = 0; round < 12; ++round) {
    const World world = boxes(random, 6);
    const auto field = FloorField::create(world);
    ASSERT_TRUE(field);
    const auto free_place = [&] {
      while (true) {
        const Point p{0.2 + random.uniform() * 11.6, 0.2 + random.uniform() * 11.6};
        if (field->obstacles().nearest(p).distance > 0.01) return p;
      }
    };
    const Point goal = free_place();
    const GoalDistance distance(*field, goal, 0, free_place(), 100);
    for (int k = 0; k < 30; ++k) {
      const Point p = free_place();
      const double exact = exact_distance(world, p, goal), least = static_cast<double>(distance.at_least(p.x, p.z));
      if (exact > 1e8) continue;  // shut in
      EXPECT_LE(least, exact + 1e-5);
      near += least >= exact / 1.09 - 0.6 ? 1 : 0;  // where boxes overlap by less than a cell it is optimistic
      ++asked;
      bent += exact > 1.02 * std::hypot(p.x - goal.x, p.z - goal.z) ? 1 : 0;
    }
  }
  EXPECT_GT(bent, 20);
  EXPECT_GT(near, asked * 8 / 10);
}

TEST(GoalDistance, StopsEarlyWithoutSayingTooMuch) {
  World world;
  world.ground.push_back({{0, 0}, {60, 60}});
  const auto field = FloorField::create(world);
  const GoalDistance distance(*field, {5, 5}, 0.1, {8, 5}, 1.2);
  for (const Point p : {Point{6, 6}, {20, 20}, {55, 55}, {7, 30}})
    EXPECT_LE(static_cast<double>(distance.at_least(p.x, p.z)), std::hypot(p.x - 5, p.z - 5) + 1e-5);
  EXPECT_TRUE(distance.reachable({55, 55}));
}

TEST(GoalDistance, AClosedRoomCannotBeReached) {
  World world;
  world.ground.push_back({{0, 0}, {10, 10}});
  Obstacle wall;
  wall.name = "wall";
  wall.at = {5, 5, 0};
  wall.width = 0.3;
  wall.depth = 10;
  world.obstacles.push_back(wall);
  const auto field = FloorField::create(world);
  const GoalDistance distance(*field, {8, 5}, 0.1, {2, 5});
  EXPECT_FALSE(distance.reachable({2, 5}));
  EXPECT_TRUE(distance.reachable({8, 9}));
}

TEST(FloorField, ClearanceIsTheDistanceBetweenItsPoints) {
  Random random(2);
  const World world = boxes(random, 8);
  const auto field = FloorField::create(world);
  for (int k = 0; k < 500; ++k) {
    const Point p{0.3 + random.uniform() * 11.4, 0.3 + random.uniform() * 11.4};
    const double to_edge = std::min({p.x, p.z, 12 - p.x, 12 - p.z});
    const double exact = std::min({field->obstacles().nearest(p).distance, to_edge, 2.0});
    EXPECT_NEAR(static_cast<double>(field->clearance(p.x, p.z)), exact, 0.05);
  }
  EXPECT_LT(field->clearance(-1, 3), 0);
  EXPECT_LT(field->clearance(3, 12.5), 0);
}

}  // namespace
}  // namespace loom::world
