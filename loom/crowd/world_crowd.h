// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/route_finder.h>
#include <loom/crowd/walls.h>
#include <loom/world/navigation_mesh.h>
#include <loom/world/world.h>

namespace loom::crowd {

/// A world made ready for a crowd: its walls, and ways around them.
struct WorldGround {
  std::shared_ptr<const Walls> walls;
  std::shared_ptr<const RouteFinder> ways;  ///< looks at `walls`
  /// For where these find none: hardly wider than the body, on smaller cells.
  std::shared_ptr<const RouteFinder> narrow_ways;
  /// Of a world with meshes: they are no outlines, so what is below and inside them is known to this alone. May be
  /// none.
  std::shared_ptr<const world::NavigationMesh> mesh;

  /// The places to go by, the last one `to`, as RouteFinder finds them, or on the mesh.
  [[nodiscard]] Result<std::vector<Flat>> way(Flat from, Flat to) const;

  /// Ways are for those who are `radius` wide. Fails as `floor_of` does.
  static Result<WorldGround> of(const world::World& world, float radius);
};

struct WorldCrowdOptions {
  std::size_t characters = 20;
  std::uint64_t seed = 1;
  double speed = 1.3;     ///< metres a second that they like to go, each up to a tenth more or less
  bool anywhere = false;  ///< from anywhere to anywhere, whatever starts and goals the world has
  float radius = 0.35f;   ///< metres, of each
};

/// Who walks in a world: around its starts, to places around its goals, in turn; or from anywhere to anywhere where it
/// has none. No two start, or are sent, nearer than 90 cm to each other. Fails where the floor has not as much room
/// (the setting is "characters"), where no way leads from a start to a goal (who goes from anywhere to anywhere is sent
/// elsewhere then, a few times), and when `progress` asks to stop.
Result<std::vector<Member>> members_in(const world::World& world, const WorldGround& ground,
                                       const WorldCrowdOptions& options, const Progress& progress = {});

}  // namespace loom::crowd
