// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/world/collision.h>

namespace loom::world {
namespace {

/// The distance from a point to what stands upright, by hand: outline on the floor, then height.
double solid_distance(const Obstacle& o, Vec3 point, double seconds) {
  const Placement at = o.place(seconds);
  const Point p = at.own({static_cast<double>(point.x), static_cast<double>(point.z)});
  double flat = 0;
  if (o.shape == Shape::kCylinder) {
    flat = std::max(0.0, std::hypot(p.x, p.z) - o.radius);
  } else if (o.shape == Shape::kBox) {
    flat = std::hypot(std::max(0.0, std::fabs(p.x) - o.width / 2), std::max(0.0, std::fabs(p.z) - o.depth / 2));
  } else {
    bool inside = false;
    flat = 1e9;
    for (std::size_t i = 0, j = o.outline.size() - 1; i < o.outline.size(); j = i++) {
      const Point a = o.outline[i], b = o.outline[j];
      if ((a.z > p.z) != (b.z > p.z) && p.x < (b.x - a.x) * (p.z - a.z) / (b.z - a.z) + a.x) inside = !inside;
      for (int k = 0; k <= 200; ++k) {
        const double t = k / 200.0;
        flat = std::min(flat, std::hypot(a.x + t * (b.x - a.x) - p.x, a.z + t * (b.z - a.z) - p.z));
      }
    }
    if (inside) flat = 0;
  }
  const double y = static_cast<double>(point.y);
  return std::hypot(flat, std::max({0.0, o.bottom - y, y - o.top}));
}

double slow_gap(const World& world, const motion::Capsule& c, double seconds) {
  double least = 1e9;
  for (const Obstacle& o : world.obstacles) {
    for (int k = 0; k <= 300; ++k) {
      const double d = solid_distance(o, lerp(c.a, c.b, static_cast<float>(k) / 300), seconds);
      least = std::min(least, d - static_cast<double>(std::max(c.radius_a, c.radius_b)));
    }
  }
  return std::max(0.0, least);
}

World random_rooms(Random& random, std::size_t count) {
  World world;
  world.ground.push_back({{-20, -20}, {20, 20}});
  for (std::size_t i = 0; i < count; ++i) {
    Obstacle o;
    o.name = std::to_string(i);
    o.at = {random.uniform() * 8 - 4, random.uniform() * 8 - 4, random.uniform() * 6};
    o.shape = i % 3 == 0 ? Shape::kCylinder : (i % 3 == 1 ? Shape::kBox : Shape::kPolygon);
    o.radius = 0.1 + random.uniform();
    o.width = 0.1 + random.uniform();
    o.depth = 0.1 + random.uniform() * 2;
    o.bottom = random.uniform();
    o.top = o.bottom + 0.2 + random.uniform();
    if (o.shape == Shape::kPolygon) o.outline = {{0, 0}, {1, 0}, {1, 1}, {0.3, 0.3}};
    if (i % 5 == 4) o.path = {{0, o.at}, {3, {o.at.x + 2, o.at.z, o.at.heading + 1}}};
    world.obstacles.push_back(o);
  }
  return world;
}

TEST(Collision, AgreesWithPointsAlongTheCapsule) {
  Random random(3);
  const auto some = [&](double most) { return static_cast<float>(random.uniform() * most); };
  int touching = 0, clear = 0;
  for (int round = 0; round < 10; ++round) {
    const World world = random_rooms(random, 8);
    auto collision = Collision::create(world);
    ASSERT_TRUE(collision);
    for (int k = 0; k < 20; ++k) {
      motion::Capsule c;
      c.a = {some(10) - 5, some(2), some(10) - 5};
      c.b = c.a + Vec3{some(1) - 0.5f, some(1) - 0.5f, some(1) - 0.5f};
      c.radius_a = 0.02f + some(0.1);
      c.radius_b = 0.02f + some(0.1);
      const double seconds = random.uniform() * 3, wanted = slow_gap(world, c, seconds);
      EXPECT_NEAR(collision->gap(c, seconds, 100), wanted, 0.006) << round << " " << k;
      const bool touches = collision->touch({&c, 1}, seconds).has_value();
      EXPECT_TRUE(!touches || wanted <= 0.006);
      EXPECT_TRUE(touches || wanted > 0);
      ++(touches ? touching : clear);
    }
  }
  EXPECT_GT(touching, 8);
  EXPECT_GT(clear, 20);
}

TEST(Collision, StandsTenThousandObstacles) {
  Random random(5);
  World world;
  world.ground.push_back({{0, 0}, {400, 400}});
  for (int i = 0; i < 10000; ++i) {
    Obstacle o;
    o.name = std::to_string(i);
    o.at = {(i % 100) * 4.0, (i / 100) * 4.0, random.uniform()};
    world.obstacles.push_back(o);
  }
  auto collision = Collision::create(world);
  ASSERT_TRUE(collision);
  for (int k = 0; k < 500; ++k) {
    motion::Capsule c;
    c.a = {static_cast<float>(random.uniform() * 400), 1, static_cast<float>(random.uniform() * 400)};
    c.b = c.a + Vec3{0, 0.5f, 0};
    c.radius_a = c.radius_b = 0.2f;
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
      if (solid_distance(world.obstacles[i], c.a, 0) <= 0.2) near.push_back(i);
    }
    const auto touch = collision->touch({&c, 1});
    EXPECT_EQ(touch.has_value(), !near.empty());
    if (touch) {
      EXPECT_TRUE(std::find(near.begin(), near.end(), touch->obstacle) != near.end());
    }
  }
}

TEST(Collision, HalfAMillionTrianglesAreASurface) {
  io::TriangleMesh mesh;
  for (int i = 0; i <= 500; ++i) {
    for (int j = 0; j <= 500; ++j)
      mesh.positions.push_back({0.1f * static_cast<float>(i), 1, 0.1f * static_cast<float>(j)});
  }
  for (std::uint32_t i = 0; i < 500; ++i) {
    for (std::uint32_t j = 0; j < 500; ++j) {
      const std::uint32_t a = i * 501 + j;
      for (const std::uint32_t corner : {a, a + 1, a + 501, a + 1, a + 502, a + 501}) mesh.triangles.push_back(corner);
    }
  }
  World world;
  world.ground.push_back({{0, 0}, {50, 50}});
  Obstacle o;
  o.name = "sheet";
  o.shape = Shape::kMesh;
  give_mesh(o, std::move(mesh));
  world.obstacles.push_back(o);
  auto collision = Collision::create(world);
  ASSERT_TRUE(collision);
  const motion::Capsule low{{20, 0.2f, 20}, {20, 0.8f, 20}, 0.1f, 0.1f},
      through{{20, 0.2f, 20}, {20, 1.8f, 20}, 0.1f, 0.1f};
  EXPECT_NEAR(collision->gap(low, 0, 10), 0.1, 1e-4);
  EXPECT_FALSE(collision->touch({&low, 1}));
  EXPECT_TRUE(collision->touch({&low, 1}, 0, 0.15));
  EXPECT_TRUE(collision->touch({&through, 1}));
}

}  // namespace
}  // namespace loom::world
