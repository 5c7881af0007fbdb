// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <loom/base/random.h>
#include <loom/crowd/world_crowd.h>
#include <loom/crowd/world_walls.h>
#include <loom/world/floor_obstacles.h>

namespace loom::crowd {
namespace {

constexpr int kTries = 2000;         ///< for a free place on the floor
constexpr float kApart = 0.9f;       ///< metres between two at the start
constexpr float kClear = 0.1f;       ///< metres between who starts and a wall, besides its radius
constexpr float kBarely = 0.02f;     ///< metres likewise, on narrow ways
constexpr float kNarrowCell = 0.1f;  ///< metres of the cells on which these are looked for
constexpr int kElsewhere = 30;       ///< goals that are tried for who may go anywhere

/// Free places of a world: around spots, nearer ones first, or anywhere where there are none.
class Places {
 public:
  Places(const world::World& world, const world::FloorObstacles& obstacles, float radius, std::uint64_t seed)
      : world_(world), obstacles_(obstacles), radius_(radius), random_(seed) {}

  /// A place apart from all that were given; nothing where the floor is full.
  std::optional<Flat> next(const std::vector<world::Spot>& spots) {
    for (int tried = 0; tried < kTries; ++tried) {
      const world::Point p = spots.empty() ? anywhere() : around(spots[given_.size() % spots.size()], tried);
      const Flat place{static_cast<float>(p.x), static_cast<float>(p.z)};
      const bool apart =
          std::all_of(given_.begin(), given_.end(), [&](Flat other) { return length(other - place) > kApart; });
      if (!apart || !free(p)) continue;
      given_.push_back(place);
      return place;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool free(world::Point p) const {
    const double r = static_cast<double>(radius_ + kClear);
    const bool floor = world_.has_floor({p.x - r, p.z}) && world_.has_floor({p.x + r, p.z}) &&
                       world_.has_floor({p.x, p.z - r}) && world_.has_floor({p.x, p.z + r});
    return floor && obstacles_.nearest(p, 0, r).distance > r;
  }
  world::Point anywhere() {
    const world::Ground& g = world_.ground[random_.index(world_.ground.size())];
    return {random_.uniform(g.low.x, g.high.x), random_.uniform(g.low.z, g.high.z)};
  }
  world::Point around(const world::Spot& spot, int tried) {
    const double far = tried == 0 ? 0 : std::sqrt(static_cast<double>(given_.size() + 1)) * (0.5 + tried / 200.0);
    const double turn = random_.uniform(0, 6.283185307179586), out = far * std::sqrt(random_.uniform());
    return {spot.at.x + out * std::sin(turn), spot.at.z + out * std::cos(turn)};
  }

  const world::World& world_;
  const world::FloorObstacles& obstacles_;
  float radius_;
  Random random_;
  std::vector<Flat> given_;
};

}  // namespace

Result<WorldGround> WorldGround::of(const world::World& world, float radius) {
  auto floor = floor_of(world);
  if (!floor) return fail_from(floor);
  WorldGround ground;
  ground.walls = std::make_shared<const Walls>(std::move(floor->walls));
  auto ways = RouteFinder::create(*ground.walls, floor->low, floor->high, radius + kClear);
  if (!ways) return fail_from(ways);
  ground.ways = std::make_shared<const RouteFinder>(std::move(*ways));
  auto narrow = RouteFinder::create(*ground.walls, floor->low, floor->high, radius + kBarely, kNarrowCell);
  if (!narrow) return fail_from(narrow);
  ground.narrow_ways = std::make_shared<const RouteFinder>(std::move(*narrow));
  const bool meshes = std::any_of(world.obstacles.begin(), world.obstacles.end(),
                                  [](const world::Obstacle& o) { return o.shape == world::Shape::kMesh; });
  if (!meshes) return ground;
  world::NavigationOptions options;
  options.radius = static_cast<double>(radius + kClear);
  auto mesh = world::NavigationMesh::create(world, options);
  if (!mesh) return fail_from(mesh);
  ground.mesh = std::make_shared<const world::NavigationMesh>(std::move(*mesh));
  return ground;
}

Result<std::vector<Flat>> WorldGround::way(Flat from, Flat to) const {
  if (!mesh) {
    auto wide = ways->find(from, to);
    return wide || !narrow_ways ? std::move(wide) : narrow_ways->find(from, to);
  }
  const auto point = [](Flat p) { return world::Point{static_cast<double>(p.x), static_cast<double>(p.z)}; };
  const auto found = mesh->way(point(from), point(to));
  if (!found) return fail_from(found);
  std::vector<Flat> route;
  for (const world::Point& p : *found) route.push_back({static_cast<float>(p.x), static_cast<float>(p.z)});
  return route;
}

Result<std::vector<Member>> members_in(const world::World& world, const WorldGround& ground,
                                       const WorldCrowdOptions& options, const Progress& progress) {
  world::FloorOptions solid;
  solid.asking = true;
  const auto obstacles = world::FloorObstacles::create(world, solid);
  if (!obstacles) return fail_from(obstacles);
  const std::vector<world::Spot> none;
  const auto &from_spots = options.anywhere ? none : world.starts, &to_spots = options.anywhere ? none : world.goals;
  Places starts(world, *obstacles, options.radius, options.seed),
      goals(world, *obstacles, options.radius, options.seed + 1);
  Random random(options.seed);
  std::vector<Member> members;
  for (std::size_t i = 0; i < options.characters; ++i) {
    if (!progress.report(static_cast<double>(i) / static_cast<double>(options.characters), "finding ways")) {
      return fail_as(ErrorKind::kStopped, "stopped");
    }
    const auto full = [&] {
      return fail_setting({"characters"},
                          fmt::format("the floor has room for {} characters, not for {}", i, options.characters));
    };
    auto from = starts.next(from_spots), to = goals.next(to_spots);
    if (!from || !to) return full();
    auto route = ground.way(*from, *to);
    for (int tried = 0; !route && to_spots.empty() && tried < kElsewhere; ++tried) {
      // Where it starts may be closed in, too.
      if (from_spots.empty() && tried % 3 == 2) from = starts.next(from_spots);
      to = goals.next(to_spots);
      if (!from || !to) return full();
      route = ground.way(*from, *to);
    }
    if (!route) return fail_from(route);
    Member member;
    member.start = {from->x, from->z, heading_of(route->front() - *from)};
    member.route = std::move(*route);
    member.speed = static_cast<float>(options.speed * random.uniform(0.9, 1.1));
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace loom::crowd
