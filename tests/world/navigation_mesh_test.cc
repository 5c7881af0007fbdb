// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/world/floor_field.h>
#include <loom/world/navigation_mesh.h>

namespace loom::world {
namespace {

World room() {
  World world;
  world.ground.push_back({{0, 0}, {10, 10}});
  return world;
}

Obstacle box(const std::string& name, double x, double z, double width, double depth) {
  Obstacle o;
  o.name = name;
  o.at = {x, z, 0};
  o.width = width;
  o.depth = depth;
  return o;
}

double length_of(Point from, const std::vector<Point>& way) {
  double length = 0;
  for (const Point& p : way) {
    length += std::hypot(p.x - from.x, p.z - from.z);
    from = p;
  }
  return length;
}

TEST(NavigationMesh, AnEmptyFloorIsDrawnInAtItsEdge) {
  const auto mesh = NavigationMesh::create(room());
  ASSERT_TRUE(mesh) << mesh.error().to_string();
  EXPECT_GT(mesh->polygons(), 0U);
  EXPECT_TRUE(mesh->holds({5, 5}));
  EXPECT_TRUE(mesh->holds({0.6, 9.4}));
  EXPECT_FALSE(mesh->holds({0.1, 5}));
  EXPECT_FALSE(mesh->holds({12, 5}));
  const auto way = mesh->way({1, 1}, {9, 9});
  ASSERT_TRUE(way);
  EXPECT_EQ(way->size(), 1U) << "straight on";
}

TEST(NavigationMesh, NobodyStandsInsideAnObstacleAndWaysGoRoundIt) {
  World world = room();
  world.obstacles.push_back(box("wall", 5, 4, 0.4, 8));  // leaves a gap at z = 8 to 10
  const auto mesh = NavigationMesh::create(world).value();
  EXPECT_FALSE(mesh.holds({5, 4}));
  const auto way = mesh.way({2, 2}, {8, 2}).value();
  // Round the corner of the wall, 0.35 m from it at least: 6.35 up, about 6.4 down.
  EXPECT_GT(length_of({2, 2}, way), 2 * std::hypot(2.8, 6.0));
  EXPECT_LT(length_of({2, 2}, way), 2 * std::hypot(3.0, 7.0));
  world.obstacles.push_back(box("door", 5, 9, 0.4, 2.2));
  const auto closed = NavigationMesh::create(world).value();
  const auto none = closed.way({2, 2}, {8, 2});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().to_string().find("no way"), std::string::npos);
}

TEST(NavigationMesh, OutlinesThatAreNotConvexAreClosedAsTheyAre) {
  World world = room();
  Obstacle o;
  o.name = "bay";
  o.shape = Shape::kPolygon;
  o.outline = {{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 6}, {6, 6}, {6, 4}, {3, 4}};  // open to the left
  world.obstacles.push_back(o);
  const auto mesh = NavigationMesh::create(world).value();
  EXPECT_TRUE(mesh.holds({4, 5}));
  EXPECT_FALSE(mesh.holds({6.5, 5}));
  EXPECT_FALSE(mesh.holds({5, 3.5}));
}

TEST(NavigationMesh, AMeshIsWalkedUnderWhereThereIsRoomAndNotWhereThereIsNone) {
  for (const float height : {1.0f, 2.6f}) {
    World world = room();
    Obstacle o;
    o.name = "ceiling";
    o.shape = Shape::kMesh;
    o.mesh_file = "ceiling.obj";
    io::TriangleMesh plate;
    plate.positions = {{4, height, 0}, {6, height, 0}, {6, height, 10}, {4, height, 10}};
    plate.triangles = {0, 1, 2, 0, 2, 3};
    give_mesh(o, plate);
    world.obstacles.push_back(o);
    const auto mesh = NavigationMesh::create(world);
    ASSERT_TRUE(mesh) << mesh.error().to_string();
    EXPECT_EQ(mesh->holds({5, 5}), height > 2);
    EXPECT_EQ(mesh->way({2, 5}, {8, 5}).has_value(), height > 2);
  }
}

/// Against the field of exact distances: who stands on the mesh has its clearance, and ways are about as long as the
/// shortest, which no way is shorter than.
TEST(NavigationMesh, AgreesWithTheFieldOfDistances) {
  Random random(7);
  std::size_t ways = 0;
  for (int n = 0; n < 12; ++n) {
    World world = room();
    for (int i = 0; i < 10; ++i) {
      Obstacle o = box(fmt::format("box-{}", i), random.uniform(1, 9), random.uniform(1, 9), random.uniform(0.3, 2),
                       random.uniform(0.3, 2));
      o.at.heading = random.uniform(0, 3);
      if (i % 3 == 0) o.shape = Shape::kCylinder;
      world.obstacles.push_back(o);
    }
    const NavigationOptions options;
    const auto mesh = NavigationMesh::create(world, options);
    ASSERT_TRUE(mesh) << mesh.error().to_string();
    const auto field = FloorField::create(world, {}, 0.05).value();
    for (int k = 0; k < 300; ++k) {
      const Point p{random.uniform(0, 10), random.uniform(0, 10)};
      const double clear = static_cast<double>(field.clearance(p.x, p.z));
      if (mesh->holds(p)) {
        EXPECT_GT(clear, options.radius - 0.15) << p.x << ' ' << p.z;
      }
    }
    for (int k = 0; k < 20; ++k) {
      const Point a{random.uniform(0.5, 9.5), random.uniform(0.5, 9.5)},
          b{random.uniform(0.5, 9.5), random.uniform(0.5, 9.5)};
      if (!mesh->holds(a) || !mesh->holds(b)) continue;
      const auto way = mesh->way(a, b);
      // Somebody a little thinner gets everywhere that the mesh does, somebody a little wider nowhere that it does not.
      const GoalDistance thin(field, b, options.radius - 0.12, a, 10), wide(field, b, options.radius + 0.15, a, 10);
      EXPECT_TRUE(way || !wide.reachable(a));
      if (!way) continue;
      ++ways;
      EXPECT_GE(length_of(a, *way), static_cast<double>(thin.at_least(a.x, a.z)) - 0.15);
      const double most = static_cast<double>(wide.at_least(a.x, a.z));
      if (wide.reachable(a)) {
        EXPECT_LT(length_of(a, *way), 1.3 * most + 1);
      }
    }
  }
  EXPECT_GT(ways, 50U);
}

TEST(NavigationMesh, SaysWhatIsWrong) {
  EXPECT_FALSE(NavigationMesh::create(World{}));
  World full = room();
  full.obstacles.push_back(box("all", 5, 5, 12, 12));
  const auto none = NavigationMesh::create(full);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().to_string().find("nobody can stand"), std::string::npos);
  EXPECT_FALSE(NavigationMesh::create(room(), {.radius = -1}));
  EXPECT_FALSE(NavigationMesh::create(room(), {.cell = 0}));
}

}  // namespace
}  // namespace loom::world
