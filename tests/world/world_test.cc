// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/world/floor_obstacles.h>
#include <loom/world/grid_map.h>
#include <loom/world/world.h>

namespace loom::world {
namespace {

constexpr const char* kText = R"(world "a small one"   # a comment
ground -5 -5 5 5
ground 5 -1 9 1
box wall at 0 1 size 4 0.2 turn 30 to 2.5
cylinder "thin pole" at -2 -2 radius 0.1 to 3
polygon corner from 0.5 to 1.5 asks duck: 1 1, 3 1, 3 3, 2 2
gap ditch: 5.5 -1, 6 -1, 6 1, 5.5 1
box cart at 0 0 size 1 0.5 to 1
path cart loop: 0 0 0, 2 4 0 90, 4 0 0
start -4 -4 45 called home
goal 8 0
)";

std::string error_of(const std::string& text) {
  const auto world = parse_world(text, "w");
  return world ? "" : world.error().to_string();
}

TEST(World, ReadsWhatItWrites) {
  const auto world = parse_world(kText, "w");
  ASSERT_TRUE(world) << world.error().to_string();
  EXPECT_EQ(world->obstacles.size(), 5u);
  EXPECT_EQ(world->obstacles[2].ask, Ask::kDuck);
  EXPECT_EQ(world->obstacles[3].ask, Ask::kJump);
  const std::string once = format_world(*world);
  const auto again = parse_world(once, "again");
  ASSERT_TRUE(again) << again.error().to_string() << once;
  EXPECT_EQ(format_world(*again), once);
  EXPECT_TRUE(world->has_floor({8, 0.5}));
  EXPECT_FALSE(world->has_floor({8, 2}));
  EXPECT_NEAR(*world->starts[0].heading, 0.785398, 1e-6);
}

TEST(World, ErrorsHaveLines) {
  EXPECT_THAT(error_of("world a\n"), testing::HasSubstr("w:1: the world has no ground"));
  EXPECT_THAT(error_of(""), testing::HasSubstr("no ground"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a at 0 0 size 0 1 to 2\n"), testing::HasSubstr("w:2: a box has a width"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a at 0 nan size 1 1 to 2\n"), testing::HasSubstr("w:2:"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a at 0 0 size 1 1 from 3 to 2\n"), testing::HasSubstr("above its bottom"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a to 2\nbox a to 2\n"), testing::HasSubstr("w:3: an obstacle called"));
  EXPECT_THAT(error_of("ground 0 0 1 1\npolygon a to 2: 0 0, 1 1, 1 0, 0 1\n"), testing::HasSubstr("crosses itself"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a to 2\npath a: 1 0 0, 0.5 1 1\n"),
              testing::HasSubstr("time goes forward"));
  EXPECT_THAT(error_of("ground 0 0 1 1\npath b: 1 0 0\n"), testing::HasSubstr("no obstacle above"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nwal a\n"), testing::HasSubstr("expected world, ground"));
  EXPECT_THAT(error_of("ground 0 0 1e300 1\n"), testing::HasSubstr("w:1:"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nbox a to 2 asks fly\n"), testing::HasSubstr("duck, step or jump"));
  EXPECT_THAT(error_of("ground 0 0 1 1\nmesh a \"b.obj\"\n"), testing::HasSubstr("cannot read meshes"));
}

TEST(World, MovingObstaclesAreWhereTheirPathSays) {
  const auto world = parse_world(kText, "w");
  ASSERT_TRUE(world);
  const Obstacle& cart = world->obstacles[4];
  EXPECT_NEAR(cart.place(1).x, 2, 1e-9);
  EXPECT_NEAR(cart.place(5).x, 2, 1e-9);  // round again
  EXPECT_NEAR(cart.place(2).heading, 1.570796, 1e-6);
}

TEST(World, PlacementsTurnAsGroundFramesDo) {
  const Placement quarter{1, 2, 1.5707963267948966};
  const Point ahead = quarter({0, 1});  // own +z becomes +x
  EXPECT_NEAR(ahead.x, 2, 1e-9);
  EXPECT_NEAR(ahead.z, 2, 1e-9);
  const Point back = quarter.own(ahead);
  EXPECT_NEAR(back.x, 0, 1e-9);
  EXPECT_NEAR(back.z, 1, 1e-9);
}

TEST(ReadObj, FansAndCountsFromTheEnd) {
  const auto mesh = io::read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/2/3 2 3 -1\n", "m");
  ASSERT_TRUE(mesh) << mesh.error().to_string();
  EXPECT_EQ(mesh->size(), 2u);
  EXPECT_EQ(mesh->triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_FALSE(io::read_obj("v 0 0 0\nf 1 1 2\n", "m"));
  EXPECT_FALSE(io::read_obj("v 0 0 x\n", "m"));
}

/// The distance by going through the points of the outline, a millimetre apart: slow and simple.
double sampled_distance(const Obstacle& o, Point p, double seconds) {
  const Placement at = o.place(seconds);
  std::vector<Point> corners = o.outline;
  if (o.shape == Shape::kBox)
    corners = {{-o.width / 2, -o.depth / 2},
               {o.width / 2, -o.depth / 2},
               {o.width / 2, o.depth / 2},
               {-o.width / 2, o.depth / 2}};
  if (o.shape == Shape::kCylinder) {
    for (int i = 0; i < 2000; ++i)
      corners.push_back({o.radius * std::cos(i * 0.00314159265), o.radius * std::sin(i * 0.00314159265)});
  }
  double least = 1e9;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = at(corners[i]), b = at(corners[(i + 1) % corners.size()]);
    const int steps = 1 + static_cast<int>(std::hypot(b.x - a.x, b.z - a.z) / 0.001);
    for (int k = 0; k <= steps; ++k) {
      const double t = k / static_cast<double>(steps);
      least = std::min(least, std::hypot(a.x + t * (b.x - a.x) - p.x, a.z + t * (b.z - a.z) - p.z));
    }
  }
  return least;
}

World random_world(Random& random, std::size_t count) {
  World world;
  world.ground.push_back({{-20, -20}, {20, 20}});
  for (std::size_t i = 0; i < count; ++i) {
    Obstacle o;
    o.name = std::to_string(i);
    o.at = {random.uniform() * 30 - 15, random.uniform() * 30 - 15, random.uniform() * 6};
    o.shape = i % 3 == 0 ? Shape::kCylinder : (i % 3 == 1 ? Shape::kBox : Shape::kPolygon);
    o.radius = 0.1 + random.uniform();
    o.width = 0.1 + random.uniform();
    o.depth = 0.1 + random.uniform() * 2;
    if (o.shape == Shape::kPolygon) o.outline = {{0, 0}, {1, 0}, {1, 1}, {0.3, 0.3}};
    if (i % 5 == 4) o.path = {{0, o.at}, {3, {o.at.x + 2, o.at.z, o.at.heading + 1}}};
    world.obstacles.push_back(o);
  }
  return world;
}

TEST(FloorObstacles, AgreeWithPointsAlongTheOutlines) {
  Random random(7);
  for (int round = 0; round < 3; ++round) {
    const World world = random_world(random, 15);
    const auto floor = FloorObstacles::create(world);
    ASSERT_TRUE(floor);
    for (int k = 0; k < 20; ++k) {
      const Point p{random.uniform() * 34 - 17, random.uniform() * 34 - 17};
      const double seconds = random.uniform() * 4;
      const Nearest nearest = floor->nearest(p, seconds);
      double least = 1e9;
      for (const Obstacle& o : world.obstacles) least = std::min(least, sampled_distance(o, p, seconds));
      if (nearest.distance >= 0) {
        EXPECT_NEAR(nearest.distance, least, 0.002);
      }
      EXPECT_NEAR(std::hypot(nearest.point.x - p.x, nearest.point.z - p.z), std::fabs(nearest.distance), 1e-9);
    }
  }
}

TEST(FloorObstacles, TreeAgreesWithOneAtATime) {
  Random random(11);
  const World world = random_world(random, 600);
  const auto floor = FloorObstacles::create(world);
  ASSERT_TRUE(floor);
  std::vector<FloorObstacles> singles;
  for (const Obstacle& o : world.obstacles) {
    World one = world;
    one.obstacles = {o};
    singles.push_back(*FloorObstacles::create(one));
  }
  std::vector<std::size_t> found;
  for (int k = 0; k < 200; ++k) {
    const Point p{random.uniform() * 40 - 20, random.uniform() * 40 - 20};
    double least = 1e9;
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < singles.size(); ++i) {
      const double d = singles[i].nearest(p, 1).distance;
      least = std::min(least, d);
      if (d <= 0.8) near.push_back(i);
    }
    EXPECT_DOUBLE_EQ(floor->nearest(p, 1).distance, least);
    floor->within(p, 0.8, 1, found);
    EXPECT_EQ(found, near);
    EXPECT_EQ(floor->overlaps(p, 0.8, 1), !near.empty());
  }
}

TEST(FloorObstacles, ReachStopsAtTheFirstTouch) {
  World world;
  world.ground.push_back({{-5, -5}, {5, 5}});
  Obstacle wall;
  wall.name = "wall";
  wall.at = {2, 0, 0};
  wall.width = 0.2;
  wall.depth = 2;
  world.obstacles.push_back(wall);
  const auto floor = FloorObstacles::create(world);
  EXPECT_NEAR(floor->reach({0, 0}, {4, 0}, 0.3), (1.9 - 0.3) / 4, 1e-5);
  EXPECT_EQ(floor->reach({0, 2}, {4, 2}, 0.3), 1);
}

TEST(FloorObstacles, LooksAtWhatABodyMeets) {
  World world;
  world.ground.push_back({{-5, -5}, {5, 5}});
  Obstacle o;
  o.name = "lamp";
  o.bottom = 2.2;
  o.top = 2.5;
  world.obstacles.push_back(o);
  o = {};
  o.name = "rug";
  o.top = 0.02;
  world.obstacles.push_back(o);
  o = {};
  o.name = "bar";
  o.bottom = 1.2;
  o.top = 1.3;
  o.ask = Ask::kDuck;
  world.obstacles.push_back(o);
  EXPECT_FALSE(FloorObstacles::create(world)->overlaps({0, 0}, 0.3));
  EXPECT_EQ(FloorObstacles::create(world, {.asking = true})->nearest({0, 0}).obstacle, 2u);
}

TEST(FloorObstacles, MeshesCountBetweenTheHeights) {
  World world;
  world.ground.push_back({{-5, -5}, {5, 5}});
  Obstacle o;
  o.name = "ramp";
  o.shape = Shape::kMesh;
  // A sheet that rises from 0 at x = 0 to 4 at x = 4.
  give_mesh(o, *io::read_obj("v 0 0 -1\nv 4 4 -1\nv 4 4 1\nv 0 0 1\nf 1 2 3 4\n", "m"));
  world.obstacles.push_back(o);
  const auto floor = FloorObstacles::create(world, {.low = 0.5, .high = 2});
  EXPECT_NEAR(floor->nearest({0, 0}).distance, 0.5, 1e-6);
  EXPECT_NEAR(floor->nearest({3, 0}).distance, 1, 1e-6);
  EXPECT_EQ(floor->nearest({1, 0}).distance, 0);
}

TEST(GridMap, CellsBecomeTheSameWorld) {
  const std::string text = "type octile\nheight 3\nwidth 4\nmap\n.@@T\n.@@.\nG..S\n";
  const auto map = read_map(text, "m", 0.5);
  ASSERT_TRUE(map) << map.error().to_string();
  const World world = world_of(*map, "m");
  const auto floor = FloorObstacles::create(world);
  for (std::uint32_t r = 0; r < 3; ++r) {
    for (std::uint32_t c = 0; c < 4; ++c)
      EXPECT_EQ(floor->overlaps(map->middle(c, r), 0.01), map->blocked_at(c, r)) << c << " " << r;
  }
  EXPECT_NEAR(map->middle(3, 0).x, 1.75, 1e-12);
  EXPECT_NEAR(map->middle(3, 0).z, 0.25, 1e-12);
  EXPECT_FALSE(read_map("type octile\nheight 3\nwidth 4\nmap\n.@@T\n", "m", 0.5));
  EXPECT_FALSE(read_map("type octile\nheight 1\nwidth 4\nmap\n.@?T\n", "m", 0.5));
  EXPECT_FALSE(read_map("type octile\nheight 99999\nwidth 4\nmap\n", "m", 0.5));
  EXPECT_FALSE(read_map(text, "m", 0));
}

TEST(GridMap, ReadsTheMapsOfOthers) {
  const std::filesystem::path folder = std::filesystem::path(LOOM_SOURCE_DIR) / "../shared/worlds";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared worlds";
  std::size_t read = 0;
  for (const char* sub : {"grid", "floorplan"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / sub)) {
      const auto ending = entry.path().extension();
      if (ending != ".map" && ending != ".yaml") continue;
      const auto world = load_any_world(entry.path().string(), 0.5);
      ASSERT_TRUE(world) << world.error().to_string();
      EXPECT_FALSE(world->obstacles.empty());
      EXPECT_TRUE(FloorObstacles::create(*world));
      ++read;
    }
  }
  EXPECT_EQ(read, 12u);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "mesh")) {
    if (entry.path().extension() == ".txt") continue;
    const auto mesh = io::load_mesh(entry.path().string());
    ASSERT_TRUE(mesh) << mesh.error().to_string();
    EXPECT_GT(mesh->size(), 10u);
  }
}

}  // namespace
}  // namespace loom::world
