// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/crowd/collisions.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/detour_steering.h>
#include <loom/crowd/scenes.h>
#include <loom/crowd/world_crowd.h>
#include <loom/measure/measure.h>

#include "tests/count_allocations.h"
#include "tests/crowd/walking_gait.h"

namespace loom::crowd {
namespace {

const std::shared_ptr<const SteeringModel>& model() {
  static const std::shared_ptr<const SteeringModel> learned =
      LearnedSteering::learn(sample_gait(*testing::walking_gait(), {.count = 4000})).value();
  return learned;
}

std::unique_ptr<Crowd> crowd_of(std::vector<Member> members, const CrowdOptions& options = {},
                                std::vector<Wall> walls = {}) {
  return Crowd::create(testing::walking_gait(), model(), std::move(members),
                       std::make_shared<const Walls>(std::move(walls)), options)
      .value();
}

void steps(Crowd& crowd, int frames) {
  for (int f = 0; f < frames; ++f) crowd.step({});
}

/// The least distance of any two.
float nearest_two(const Crowd& crowd) {
  float nearest = 1e9f;
  for (std::size_t a = 0; a < crowd.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) nearest = std::min(nearest, length(crowd.seen(a).place - crowd.seen(b).place));
  }
  return nearest;
}

Member standing(float x, float z) { return {{x, z, 0}, {}, 1.3f, 0}; }
Member walking(Flat from, Flat to, int priority = 0) {
  return {{from.x, from.z, heading_of(to - from)}, {to}, 1.3f, priority};
}

TEST(Crowd, OneGoesStraightToItsGoalAndStands) {
  auto crowd = crowd_of({walking({0, 0}, {0, 8})});
  for (int f = 0; f < 12 * 30; ++f) {
    crowd->step({});
    EXPECT_LT(std::fabs(crowd->place(0).x), 0.4f);
  }
  EXPECT_TRUE(crowd->arrived(0));
  EXPECT_LT(crowd->arrival(0).value(), 9);
  EXPECT_LT(length(crowd->seen(0).place - Flat{0, 8}), 0.6f);
  EXPECT_LT(length(crowd->seen(0).velocity), 0.05f);
}

TEST(Crowd, TurnsRoundWhereItStands) {
  auto crowd = crowd_of({{{0, 0, kPi}, {{0, 6}}, 1.3f, 0}});
  steps(*crowd, 12 * 30);
  EXPECT_TRUE(crowd->arrived(0));
}

TEST(Crowd, NobodyIsEverInAnotherWhateverTheSteering) {
  for (const Steering steering : kSteerings) {
    CrowdOptions options;
    options.steering = steering;
    auto crowd = crowd_of(circle_scene(14), options);
    for (int f = 0; f < 25 * 30; ++f) {
      crowd->step({});
      ASSERT_GT(nearest_two(*crowd), 2 * options.radius - 1e-3f) << to_string(steering) << " frame " << f;
    }
  }
}

TEST(Crowd, ReciprocallyAllGetThroughTheMiddle) {
  auto crowd = crowd_of(circle_scene(12));
  steps(*crowd, 40 * 30);
  for (std::size_t i = 0; i < crowd->size(); ++i) EXPECT_TRUE(crowd->arrived(i)) << i;
}

TEST(Crowd, KeepsOutOfWallsEvenWhereAllPushThroughADoor) {
  // A wall with a door of 1.2 m, and a crowd whose goals lie behind it.
  const std::vector<Wall> walls = {{{-6, 0}, {-0.6f, 0}}, {{0.6f, 0}, {6, 0}}, {{-6, -9}, {-6, 9}}, {{6, -9}, {6, 9}}};
  for (const Steering steering : kSteerings) {
    std::vector<Member> members;
    for (int n = 0; n < 10; ++n) {
      Member m = walking({static_cast<float>(n % 5) * 1.2f - 2.4f, -2 - 1.2f * static_cast<float>(n / 5)}, {0, 0});
      m.route = {{0, -0.8f}, {0, 0.8f}, {static_cast<float>(n % 5) * 1.5f - 3, 4 + static_cast<float>(n / 5)}};
      members.push_back(m);
    }
    CrowdOptions options;
    options.steering = steering;
    auto crowd = crowd_of(members, options, walls);
    for (int f = 0; f < 45 * 30; ++f) {
      crowd->step({});
      ASSERT_GT(nearest_two(*crowd), 2 * options.radius - 1e-3f);
      for (std::size_t i = 0; i < crowd->size(); ++i) {
        const Flat p = crowd->seen(i).place;
        for (const Wall& wall : walls) ASSERT_GT(line_distance(p, p, wall.a, wall.b), options.radius - 1e-3f) << f;
      }
    }
    if (steering != Steering::kReciprocal) continue;
    std::size_t through = 0;
    for (std::size_t i = 0; i < crowd->size(); ++i) through += crowd->seen(i).place.z > 0 ? 1 : 0;
    EXPECT_GE(through, 8U);
  }
}

TEST(Crowd, WhoHasArrivedStaysWhereItStandsAndIsWalkedAround) {
  auto crowd = crowd_of({standing(0, 4), walking({0.05f, 0}, {0, 9}), walking({1, 8}, {0, -2})});
  const Flat before = crowd->seen(0).place;
  steps(*crowd, 20 * 30);
  EXPECT_LT(length(crowd->seen(0).place - before), 0.02f);
  EXPECT_TRUE(crowd->arrived(1));
  EXPECT_TRUE(crowd->arrived(2));
}

TEST(Crowd, ThoseWhoStandPartForWhoMustPassAndForWhoHasWaitedLong) {
  // A corridor that two who stand close: 2 m wide, each of them 0.7 m.
  const std::vector<Wall> walls = {{{-1, -3}, {-1, 12}}, {{1, -3}, {1, 12}}};
  for (const int priority : {1, 0}) {
    auto crowd = crowd_of({standing(-0.45f, 4), standing(0.45f, 4), walking({0, 0}, {0, 8}, priority)}, {}, walls);
    steps(*crowd, (priority > 0 ? 20 : 45) * 30);
    EXPECT_TRUE(crowd->arrived(2)) << "with priority " << priority;
  }
}

TEST(Crowd, IsTheSameOnOneThreadAndAsACopy) {
  auto crowd = crowd_of(streams_scene(24)), alone = crowd_of(streams_scene(24));
  steps(*crowd, 150);
  {
    const ThreadLimit one(1);
    steps(*alone, 150);
  }
  auto copy = crowd->clone();
  steps(*crowd, 60);
  for (int f = 0; f < 60; ++f) copy->step({});
  steps(*alone, 60);
  std::vector<Quat> a(crowd->skeleton(0)->size()), b(a.size()), c(a.size());
  for (std::size_t i = 0; i < crowd->size(); ++i) {
    motion::StreamPose pa{{}, a, 0, {}}, pb{{}, b, 0, {}}, pc{{}, c, 0, {}};
    crowd->show(i, pa);
    alone->show(i, pb);
    copy->show(i, pc);
    EXPECT_EQ(pa.root, pb.root);
    EXPECT_EQ(a, b);
    EXPECT_EQ(pa.root, pc.root);
    EXPECT_EQ(a, c);
  }
}

TEST(Crowd, AllocatesNothingWhileItWalks) {
  auto crowd = crowd_of(square_scene(30));
  const ThreadLimit one(1);
  steps(*crowd, 30);
  const std::size_t before = testing::allocations;
  steps(*crowd, 60);
  EXPECT_EQ(testing::allocations - before, 0U);
}

TEST(Crowd, FeetStandStill) {
  auto crowd = crowd_of(square_scene(6));
  const auto recordings = motion::record(*crowd, 12).value();
  for (const motion::Recording& recording : recordings) {
    const auto contacts = motion::find_contacts(recording.clip).value();
    EXPECT_LT(measure::measure(recording.clip, contacts).foot_slide_mean_mps, 0.03);
  }
}

TEST(Crowd, SaysWhatIsWrongWithItsMembers) {
  const auto why = [](std::vector<Member> members, std::vector<Wall> walls = {}) {
    const auto crowd = Crowd::create(testing::walking_gait(), model(), std::move(members),
                                     std::make_shared<const Walls>(std::move(walls)));
    return crowd ? std::string() : crowd.error().message;
  };
  EXPECT_NE(why({}).find("one character"), std::string::npos);
  EXPECT_NE(why({standing(0, 0), standing(3, 3), standing(0.3f, 0)}).find("characters 1 and 3"), std::string::npos);
  EXPECT_NE(why({standing(0, 0)}, {{{-1, 0.1f}, {1, 0.1f}}}).find("wall"), std::string::npos);
  EXPECT_NE(why({standing(std::nanf(""), 0)}).find("no number"), std::string::npos);
  EXPECT_NE(why({standing(0, 0), standing(3e38f, 0)}).find("too far"), std::string::npos);
  EXPECT_EQ(why({standing(0, 0)}), "");
}

TEST(Crowd, NoLimbIsEverInAnotherBodyOrAWallAndAllGetOn) {
  const std::vector<Wall> walls = {{{-6, -1.6f}, {6, -1.6f}}, {{-6, 1.6f}, {6, 1.6f}}};
  for (const bool corridor : {false, true}) {
    std::vector<Member> members = circle_scene(14);
    if (corridor) {  // two rows that meet between walls
      members.clear();
      for (int n = 0; n < 8; ++n) {
        const float side = n % 2 == 0 ? 1.0f : -1.0f, row = static_cast<float>(n / 2),
                    z = n / 2 % 2 == 0 ? 0.5f : -0.5f;
        members.push_back(walking({side * (3 + row), z}, {-side * (3 + row), z}));
      }
    }
    const auto crowd = crowd_of(members, {}, corridor ? walls : std::vector<Wall>{});
    const auto recordings = motion::record(*crowd, 30).value();
    CollisionOptions strict;
    strict.depth = 0.004f;
    const auto report = find_collisions(recordings, Walls(corridor ? walls : std::vector<Wall>{}), strict).value();
    EXPECT_TRUE(report.bodies.empty()) << report.bodies.size() << ", deepest first " << report.bodies[0].depth;
    EXPECT_TRUE(report.walls.empty()) << report.walls.size();
    std::size_t arrived = 0;
    for (std::size_t i = 0; i < crowd->size(); ++i) arrived += crowd->arrived(i) ? 1 : 0;
    EXPECT_GE(arrived + 1, crowd->size());
  }
}

TEST(FindCollisions, SeesTwoWhoWalkThroughEachOtherAndAWall) {
  // Two recordings of one who walks, carried into each other: no steering had a say.
  auto crowd = crowd_of({walking({0, 0}, {0, 6})});
  motion::Recording one = std::move(motion::record(*crowd, 6).value()[0]);
  motion::Recording other = one, beside = one;
  motion::move(other.clip, {0, 5, kPi});
  motion::move(beside.clip, {4, 0, 0});
  const std::vector<motion::Recording> all = {one, other, beside};
  const auto report = find_collisions(all, Walls(std::vector<Wall>{{{3, 3}, {5, 3}}})).value();
  ASSERT_EQ(report.bodies.size(), 1U);
  EXPECT_EQ(report.bodies[0].one, 0U);
  EXPECT_EQ(report.bodies[0].other, 1U);
  EXPECT_GT(report.bodies[0].depth, 0.1f);
  EXPECT_LT(report.nearest, -0.1f);
  ASSERT_EQ(report.walls.size(), 1U);
  EXPECT_EQ(report.walls[0].one, 2U);
  const std::vector<motion::Recording> apart = {one, beside};
  const auto none = find_collisions(apart, Walls{}).value();
  EXPECT_TRUE(none.bodies.empty() && none.walls.empty());
  EXPECT_GT(none.nearest, 1.5f);
}

/// All members in a world with walls, and the crowd of them.
std::unique_ptr<Crowd> crowd_in(const world::World& world, const WorldCrowdOptions& who, CrowdOptions options = {}) {
  const WorldGround ground = WorldGround::of(world, options.radius).value();
  auto crowd =
      Crowd::create(testing::walking_gait(), model(), members_in(world, ground, who).value(), ground.walls, options)
          .value();
  crowd->rebuild(ground.walls, ground.ways);
  return crowd;
}

world::World cluttered_room() {
  return world::parse_world(
             "world room\nground 0 0 10 10\nbox a at 3 5 size 2 0.5 to 2\nbox b at 7 5 size 2 0.5 turn 30 to 2\n"
             "cylinder c at 5 7.5 radius 0.4 to 2\ncylinder d at 5 2.5 radius 0.4 to 2\nstart 1 1\ngoal 9 9\n",
             "")
      .value();
}

TEST(Crowd, InAClutteredRoomAllArriveAndNobodyIsInAWall) {
  WorldCrowdOptions who;
  who.characters = 8;
  for (const bool anywhere : {false, true}) {
    who.anywhere = anywhere;
    const world::World world = cluttered_room();
    const WorldGround ground = WorldGround::of(world, 0.35f).value();
    auto crowd = crowd_in(world, who);
    for (int f = 0; f < 45 * 30; ++f) {
      crowd->step({});
      ASSERT_GT(nearest_two(*crowd), 0.7f - 1e-3f);
      std::array<WallPoint, 1> wall;
      for (std::size_t i = 0; i < crowd->size(); ++i) {
        ASSERT_EQ(ground.walls->near(crowd->seen(i).place, 0.35f - 2e-3f, 0, wall), 0U) << i << " at frame " << f;
      }
    }
    std::size_t arrived = 0;
    for (std::size_t i = 0; i < crowd->size(); ++i) arrived += crowd->arrival(i) ? 1 : 0;
    EXPECT_GE(arrived, 7U) << (anywhere ? "anywhere" : "from start to goal");
  }
}

TEST(Crowd, WhoIsHeldUpByThoseWhoStandInTheDoorTakesTheOtherOne) {
  // A wall with two doors, the nearer of which is full of people who stand there for good.
  const world::World world = world::parse_world(
                                 "world doors\nground -8 -6 8 6\nbox left at -5 0 size 6 0.2 to 2\n"
                                 "box middle at 2 0 size 4 0.2 to 2\nbox right at 7 0 size 2 0.2 to 2\n",
                                 "")
                                 .value();
  CrowdOptions options;
  const WorldGround ground = WorldGround::of(world, options.radius).value();
  Member goes = walking({-1, -3}, {-1, 4});
  goes.route = ground.ways->find({-1, -3}, {-1, 4}).value();
  Member stands = standing(-1, 0);
  stands.priority = 5;  // it makes way for nobody
  auto crowd = Crowd::create(testing::walking_gait(), model(),
                             {goes, stands, standing(-1.2f, -0.9f), standing(-0.4f, -0.9f)}, ground.walls, options)
                   .value();
  auto stuck = Crowd::create(testing::walking_gait(), model(),
                             {goes, stands, standing(-1.2f, -0.9f), standing(-0.4f, -0.9f)}, ground.walls, options)
                   .value();
  crowd->rebuild(ground.walls, ground.ways);
  steps(*crowd, 60 * 30);
  steps(*stuck, 60 * 30);
  EXPECT_TRUE(crowd->arrived(0)) << crowd->seen(0).place.x << ' ' << crowd->seen(0).place.z;
  EXPECT_FALSE(stuck->arrived(0)) << "which it only does because it looks for another way";
}

TEST(Crowd, WaysInAWorldWithMeshesGoRoundThem) {
  world::World world;
  world.ground.push_back({{0, 0}, {10, 10}});
  world::Obstacle fence;
  fence.name = "fence";
  fence.shape = world::Shape::kMesh;
  fence.mesh_file = "fence.obj";
  io::TriangleMesh sheet;  // upright, from one side of the room nearly to the other
  sheet.positions = {{5, 0, 0}, {5, 0, 8}, {5, 2, 8}, {5, 2, 0}};
  sheet.triangles = {0, 1, 2, 0, 2, 3};
  world::give_mesh(fence, sheet);
  world.obstacles.push_back(fence);
  const WorldGround ground = WorldGround::of(world, 0.35f).value();
  ASSERT_TRUE(ground.mesh);
  const auto way = ground.way({2, 2}, {8, 2}).value();
  ASSERT_GT(way.size(), 1U);
  Flat before{2, 2};
  for (const Flat& p : way) {
    EXPECT_TRUE(ground.walls->clear(before, p, 0.3f));
    before = p;
  }
  EXPECT_FALSE(WorldGround::of(cluttered_room(), 0.35f)->mesh) << "which has none";
}

TEST(Crowd, DetoursCrowdSteersItToo) {
  const std::vector<Member> members = circle_scene(8);
  world::World world;
  world.ground.push_back({{-20, -20}, {20, 20}});
  CrowdOptions options;
  auto mesh = std::make_shared<const world::NavigationMesh>(world::NavigationMesh::create(world).value());
  options.other = detour_steering(mesh, members, options.radius).value();
  auto crowd = crowd_of(members, options);
  for (int f = 0; f < 40 * 30; ++f) {
    crowd->step({});
    ASSERT_GT(nearest_two(*crowd), 2 * options.radius - 1e-3f) << "frame " << f;
  }
  std::size_t arrived = 0;
  for (std::size_t i = 0; i < crowd->size(); ++i) arrived += crowd->arrived(i) ? 1 : 0;
  EXPECT_GE(arrived, 6U);
  EXPECT_FALSE(detour_steering(mesh, std::vector<Member>{standing(40, 0)}, options.radius)) << "off the floor";
}

}  // namespace
}  // namespace loom::crowd
