// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/stream.h>
#include <loom/plan/unrolled_graph.h>
#include <loom/plan/unrolled_machine.h>
#include <loom/plan/walk_search.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

namespace loom::plan {

struct WalkPlanOptions {
  SearchOptions search;
  double bend_seconds = 2;  ///< the last stretch, which is bent so that it ends at the goal exactly
};

/// A pose that touches something.
struct Collided {
  std::size_t frame = 0;
  std::size_t obstacle = 0;  ///< of the world's
};

/// A way through a world, ready to be played.
struct WalkPlan {
  std::shared_ptr<motion::Recording> recording;  ///< what is played, feet as the graph's blends leave them
  SearchResult search;
  double seconds = 0;             ///< of motion
  double length_m = 0;            ///< that the root goes on the floor
  double floor_m = 0;             ///< no way on the floor is shorter
  double end_error_m = 0;         ///< from the goal, of the last pose
  double end_error_rad = 0;       ///< of its heading; 0 where none was asked for
  double bent_m = 0;              ///< by how much the end was bent to the goal
  std::size_t collisions = 0;     ///< poses that touch something: 0, or the plan was not accepted
  double margin = 0;              ///< metres from obstacles that it was found with
  double drift_m = 0;             ///< between where the search says it ends and where it does when it is played, unbent
  std::vector<world::Point> way;  ///< of the root, a point a frame, before the end was bent to the goal

  /// The plan as motion.
  [[nodiscard]] std::unique_ptr<motion::MotionStream> stream() const;
};

/// Every pose of a motion against every obstacle in full (world::Collision), as a check that knows nothing of how the
/// motion was made. A moving obstacle is where it is then. The frames that touch something, each once. Fails on a body
/// that is no human figure.
Result<std::vector<Collided>> find_collisions(const motion::Clip& clip, const world::World& world);
/// The same of a body and a world that are known already.
std::vector<Collided> find_collisions(const motion::Clip& clip, const motion::BodyCapsules& body,
                                      world::Collision& collision);

/// Finds a walk through a world from start to goal and makes motion of it.
///
/// What the search finds is played, its last seconds are bent so that it ends exactly at the goal, and every pose is
/// tried against the world in full, as it is and with its feet planted; where one touches, the search is done again
/// with more distance, in what is left of the time. Obstacles that ask for something that the graph has no motion for
/// count as closed.
///
/// Fails, saying why, on a start or goal that is no place, off the floor, or inside an obstacle (which); where the
/// floor has no way (which obstacle closes it, and whether motion to pass it is missing); where nothing was found in
/// the time; when `progress` asks to stop.
Result<WalkPlan> plan_walk(const UnrolledGraph& graph, const world::World& world, const WalkEnd& start,
                           const WalkEnd& goal, const WalkPlanOptions& options = {}, const Progress& progress = {});

/// The same with a machine of behaviors. Where its transitions were ignored the motion is as the machine plays what was
/// planned: it is not bent to the goal, and kept whatever it touches, to be seen.
Result<WalkPlan> plan_walk(const UnrolledMachine& machine, const world::World& world, const WalkEnd& start,
                           const WalkEnd& goal, const WalkPlanOptions& options = {}, const Progress& progress = {});

}  // namespace loom::plan
