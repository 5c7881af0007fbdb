// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <loom/base/whole.h>
#include <loom/world/detail/ears.h>
#include <loom/world/navigation_mesh.h>
#include <loom/world/world_mesh.h>

namespace loom::world {
namespace {

constexpr double kMostMeshCells = 4000;  ///< of a side
constexpr double kCellHeight = 0.05;     ///< metres
constexpr int kCorners = 6;              ///< of a polygon at most
constexpr int kMostPolygons = 2048;      ///< of a way
constexpr unsigned char kFloorArea = 1;
constexpr unsigned short kFloorFlag = 1;
constexpr float kReach = 0.5f;     ///< metres from a place in which the mesh is looked for
constexpr double kTouches = 0.06;  ///< metres off the mesh that still count as on it: about a cell

/// Frees what Recast and Detour have made.
template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* made) const { Free(made); }
};
template <typename T, void (*Free)(T*)>
using Held = std::unique_ptr<T, Freed<T, Free>>;
using Heightfield = Held<rcHeightfield, rcFreeHeightField>;
using Compact = Held<rcCompactHeightfield, rcFreeCompactHeightfield>;
using Contours = Held<rcContourSet, rcFreeContourSet>;
using PolyMesh = Held<rcPolyMesh, rcFreePolyMesh>;
using NavMesh = Held<dtNavMesh, dtFreeNavMesh>;
using Query = Held<dtNavMeshQuery, dtFreeNavMeshQuery>;

std::array<float, 3> flat(Point p) { return {static_cast<float>(p.x), 0, static_cast<float>(p.z)}; }

rcConfig settings_for(const World& world, const NavigationOptions& options) {
  Point low = world.ground[0].low, high = world.ground[0].high;
  for (const Ground& g : world.ground) {
    low = {std::min(low.x, g.low.x), std::min(low.z, g.low.z)};
    high = {std::max(high.x, g.high.x), std::max(high.z, g.high.z)};
  }
  const double cell = std::max(options.cell, std::max(high.x - low.x, high.z - low.z) / kMostMeshCells);
  rcConfig config{};
  config.cs = static_cast<float>(cell);
  config.ch = static_cast<float>(kCellHeight);
  config.walkableHeight = to_whole<int>(std::ceil(options.height / kCellHeight));
  config.walkableClimb = std::max(0, to_whole<int>(std::floor(options.low / kCellHeight)));
  config.walkableRadius = to_whole<int>(std::ceil(options.radius / cell));
  config.maxEdgeLen = 0;
  config.maxSimplificationError = 1.0f;
  config.minRegionArea = 8;
  config.mergeRegionArea = 20;
  config.maxVertsPerPoly = kCorners;
  const std::array<float, 3> from = flat({low.x - cell, low.z - cell}), to = flat({high.x + cell, high.z + cell});
  std::copy(from.begin(), from.end(), config.bmin);
  std::copy(to.begin(), to.end(), config.bmax);
  config.bmin[1] = -0.5f;
  config.bmax[1] = static_cast<float>(options.height) + 1;
  rcCalcGridSize(config.bmin, config.bmax, config.cs, &config.width, &config.height);
  return config;
}

/// The floor, and what meshes have in the way of a body above it.
bool draw_heights(rcContext& context, const World& world, const rcConfig& config, rcHeightfield& field) {
  const auto triangle = [&](const std::array<float, 9>& corners, unsigned char area) {
    rcRasterizeTriangle(&context, &corners[0], &corners[3], &corners[6], area, field, config.walkableClimb);
  };
  for (const Ground& g : world.ground) {
    const auto a = flat(g.low), b = flat({g.low.x, g.high.z}), c = flat(g.high), d = flat({g.high.x, g.low.z});
    triangle({a[0], 0, a[2], b[0], 0, b[2], c[0], 0, c[2]}, kFloorArea);
    triangle({a[0], 0, a[2], c[0], 0, c[2], d[0], 0, d[2]}, kFloorArea);
  }
  for (const Obstacle& o : world.obstacles) {
    if (o.shape != Shape::kMesh || !o.mesh) continue;
    const Placement at = o.place(0);
    for (std::size_t t = 0; t < o.mesh->size(); ++t) {
      std::array<float, 9> corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = o.mesh->corner(t, k);
        const auto placed = flat(at({static_cast<double>(p.x), static_cast<double>(p.z)}));
        corners[3 * k] = placed[0];
        corners[3 * k + 1] = p.y;
        corners[3 * k + 2] = placed[2];
      }
      triangle(corners, RC_NULL_AREA);
    }
  }
  rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, field);
  return true;
}

/// Closes the floor under everything that is no mesh and is in the way of a body.
void mark_outlines(rcContext& context, const World& world, const NavigationOptions& options,
                   rcCompactHeightfield& open) {
  for (const Obstacle& o : world.obstacles) {
    const bool gap = o.ask == Ask::kJump;
    if (o.shape == Shape::kMesh || (!gap && (o.top <= options.low || o.bottom >= options.height))) continue;
    for (const auto& corners : triangles_of(outline_of(o))) {
      std::array<float, 9> verts{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto p = flat(corners[k]);
        std::copy(p.begin(), p.end(), verts.begin() + static_cast<std::ptrdiff_t>(3 * k));
      }
      rcMarkConvexPolyArea(&context, verts.data(), 3, -1, 1, RC_NULL_AREA, open);
    }
  }
}

Result<PolyMesh> polygons_of(const World& world, const NavigationOptions& options, const rcConfig& config) {
  rcContext context(false);
  const auto failed = [] { return fail_as(ErrorKind::kOutOfMemory, "the floor is too much for a navigation mesh"); };
  const Heightfield field(rcAllocHeightfield());
  if (!field ||
      !rcCreateHeightfield(&context, *field, config.width, config.height, config.bmin, config.bmax, config.cs,
                           config.ch) ||
      !draw_heights(context, world, config, *field))
    return failed();
  const Compact open(rcAllocCompactHeightfield());
  if (!open || !rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *field, *open))
    return failed();
  mark_outlines(context, world, options, *open);
  if (!rcErodeWalkableArea(&context, config.walkableRadius, *open) || !rcBuildDistanceField(&context, *open) ||
      !rcBuildRegions(&context, *open, 0, config.minRegionArea, config.mergeRegionArea))
    return failed();
  const Contours contours(rcAllocContourSet());
  if (!contours || !rcBuildContours(&context, *open, config.maxSimplificationError, config.maxEdgeLen, *contours))
    return failed();
  PolyMesh mesh(rcAllocPolyMesh());
  if (!mesh || !rcBuildPolyMesh(&context, *contours, config.maxVertsPerPoly, *mesh)) return failed();
  if (mesh->npolys == 0) return fail_as(ErrorKind::kBadInput, "nobody can stand anywhere on the floor of this world");
  std::fill_n(mesh->flags, mesh->npolys, kFloorFlag);
  return mesh;
}

Result<NavMesh> detour_of(const rcPolyMesh& mesh, const NavigationOptions& options) {
  dtNavMeshCreateParams params{};
  params.verts = mesh.verts;
  params.vertCount = mesh.nverts;
  params.polys = mesh.polys;
  params.polyAreas = mesh.areas;
  params.polyFlags = mesh.flags;
  params.polyCount = mesh.npolys;
  params.nvp = mesh.nvp;
  params.walkableHeight = static_cast<float>(options.height);
  params.walkableRadius = static_cast<float>(options.radius);
  params.walkableClimb = static_cast<float>(options.low);
  std::copy_n(mesh.bmin, 3, params.bmin);
  std::copy_n(mesh.bmax, 3, params.bmax);
  params.cs = mesh.cs;
  params.ch = mesh.ch;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  NavMesh made(dtAllocNavMesh());
  if (!made || !dtCreateNavMeshData(&params, &data, &size) || dtStatusFailed(made->init(data, size, DT_TILE_FREE_DATA)))
    return fail_as(ErrorKind::kOutOfMemory, "the floor has more corners than a navigation mesh can number");
  return made;
}

}  // namespace

struct NavigationMesh::State {
  NavMesh mesh;
  Query query;
  std::size_t polygons = 0;
  double radius = 0;
  dtQueryFilter filter;

  /// The polygon at a place, and the point of it that is nearest; 0: none near.
  dtPolyRef nearest(Point place, std::array<float, 3>& on) const {
    const std::array<float, 3> at = flat(place), reach{kReach, 1, kReach};
    dtPolyRef ref = 0;
    if (dtStatusFailed(query->findNearestPoly(at.data(), reach.data(), &filter, &ref, on.data()))) return 0;
    return ref;
  }
};

NavigationMesh::NavigationMesh(std::unique_ptr<State> state) : state_(std::move(state)) {}
NavigationMesh::~NavigationMesh() = default;
NavigationMesh::NavigationMesh(NavigationMesh&&) noexcept = default;
NavigationMesh& NavigationMesh::operator=(NavigationMesh&&) noexcept = default;

Result<NavigationMesh> NavigationMesh::create(const World& world, const NavigationOptions& options) {
  if (const auto sound = check_world(world); !sound) return fail_from(sound);
  if (!(options.radius >= 0 && options.radius < 10 && options.height > 0 && options.height < 100 &&
        options.cell > 0.001))
    return fail_as(ErrorKind::kBadInput, "a navigation mesh needs a radius, a height and a cell of some metres");
  const rcConfig config = settings_for(world, options);
  const auto polygons = polygons_of(world, options, config);
  if (!polygons) return fail_from(polygons);
  auto mesh = detour_of(**polygons, options);
  if (!mesh) return fail_from(mesh);
  auto state = std::make_unique<State>();
  state->mesh = std::move(*mesh);
  state->radius = options.radius;
  state->polygons = static_cast<std::size_t>((*polygons)->npolys);
  state->query.reset(dtAllocNavMeshQuery());
  if (!state->query || dtStatusFailed(state->query->init(state->mesh.get(), kMostPolygons)))
    return fail_as(ErrorKind::kOutOfMemory, "no memory for ways on the floor");
  return NavigationMesh(std::move(state));
}

std::size_t NavigationMesh::polygons() const { return state_->polygons; }

double NavigationMesh::radius() const { return state_->radius; }
dtNavMesh& NavigationMesh::detour() const { return *state_->mesh; }

bool NavigationMesh::holds(Point place) const {
  std::array<float, 3> on{};
  if (state_->nearest(place, on) == 0) return false;
  return std::hypot(static_cast<double>(on[0]) - place.x, static_cast<double>(on[2]) - place.z) < kTouches;
}

std::optional<Point> NavigationMesh::nearest(Point place) const {
  std::array<float, 3> found{};
  if (state_->nearest(place, found) == 0) return {};
  return Point{static_cast<double>(found[0]), static_cast<double>(found[2])};
}

Result<std::vector<Point>> NavigationMesh::way(Point from, Point to) const {
  std::array<float, 3> start{}, end{};
  const dtPolyRef first = state_->nearest(from, start), last = state_->nearest(to, end);
  const Point bad = first == 0 ? from : to;
  if (first == 0 || last == 0)
    return fail_as(ErrorKind::kBadInput, fmt::format("nobody can stand at {:.2f}, {:.2f}", bad.x, bad.z));
  std::vector<dtPolyRef> polys(kMostPolygons);
  int count = 0;
  const dtStatus found = state_->query->findPath(first, last, start.data(), end.data(), &state_->filter, polys.data(),
                                                 &count, kMostPolygons);
  if (dtStatusFailed(found) || count == 0 || polys[static_cast<std::size_t>(count - 1)] != last) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("no way leads from {:.2f}, {:.2f} to {:.2f}, {:.2f}", from.x, from.z, to.x, to.z));
  }
  std::vector<float> corners(3 * static_cast<std::size_t>(kMostPolygons));
  int corner_count = 0;
  state_->query->findStraightPath(start.data(), end.data(), polys.data(), count, corners.data(), nullptr, nullptr,
                                  &corner_count, kMostPolygons);
  std::vector<Point> way;
  for (std::size_t i = 1; i + 1 < static_cast<std::size_t>(corner_count); ++i) {
    way.push_back({static_cast<double>(corners[3 * i]), static_cast<double>(corners[3 * i + 2])});
  }
  way.push_back(to);
  return way;
}

}  // namespace loom::world
