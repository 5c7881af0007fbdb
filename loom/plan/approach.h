// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/steps/step_walk.h>
#include <loom/motion/ground_frame.h>
#include <loom/world/collision.h>
#include <loom/world/navigation_mesh.h>
#include <loom/world/world.h>

namespace loom::plan {

/// How somebody stands: the middles of the feet, seen from the body.
struct Stance {
  motion::GroundFrame left, right;
};

/// The stance of a pose. Fails on a skeleton without feet.
Result<Stance> stance_of(const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations,
                         float foot_length);

/// A walk from one stand to another.
struct Approach {
  std::vector<world::Point> way;         ///< corners on the floor, the last the goal
  std::vector<blend::Footprint> prints;  ///< the first two are stood on, the last two come to be
  blend::StepWalk walk;                  ///< from standing still to standing still
  std::size_t landed = 0;                ///< the frame in which the last foot comes down
  double stop_error_m = 0;               ///< between the feet and where they were to stop, at the end, the larger
  double stop_error_rad = 0;             ///< between where the feet point and where they were to
};

/// Walks up to places in a world, with exact starts, stops and facings (Huang 2012 §7.6).
///
/// A way on the navigation mesh, footprints along it (`plan_footprints`), and steps on these (`blend::StepWalker`): a
/// starting step blended of those that begin at rest, steps on the way, and an arriving step of those that come to
/// rest, every one by inverse blending. The work plays its starting and arriving clips and its cycle as they were
/// recorded and blends one step between; here each step is, so that a way of any length and turn is met by the feet.
class Approacher {
 public:
  /// `steps` and `world` must stay. Fails on a world where nobody can stand.
  static Result<Approacher> create(const blend::StepLibrary& steps, const world::World& world);

  /// Corners of a way between two places, the last one `to`; wide where there is room. Fails where none leads there,
  /// naming what closes it.
  Result<std::vector<world::Point>> way(world::Point from, world::Point to);
  /// Where one can stand that is nearest to a place, of all the floor or of what one gets to from `from`; none where
  /// there is no such place. Looks at all of the floor: for whoever is told that something cannot be.
  [[nodiscard]] std::optional<world::Point> nearest_stand(world::Point place,
                                                          std::optional<world::Point> from = {}) const;
  /// Whether somebody would get along a way without care: an upright body fits all along it, but for the last steps.
  [[nodiscard]] static bool is_roomy(world::Collision& collision, world::Point from, std::span<const world::Point> way);
  /// Whether somebody who steps on these prints, hips so high above the floor, would touch nothing: a rough body that
  /// stands on each two of them and swings its arms. Quick; the motion may still touch, or not.
  [[nodiscard]] static bool is_clear(world::Collision& collision, std::span<const blend::Footprint> prints, float hips);
  /// The way and the footprints of a walk, without the walk itself. Fails where there is no way, or no steps on it.
  Result<Approach> lay(const motion::GroundFrame& start, const motion::GroundFrame& goal, const Stance& from,
                       const Stance& to);
  /// The walk from standing at `start` in stance `from` to standing at `goal` in stance `to`. It is not tried against
  /// the world. Fails where there is no way or no step.
  Result<Approach> walk(const motion::GroundFrame& start, const motion::GroundFrame& goal, const Stance& from,
                        const Stance& to);
  [[nodiscard]] float foot_length() const { return walker_.library().foot_length; }
  [[nodiscard]] const blend::StepLibrary& steps() const { return walker_.library(); }

 private:
  static std::optional<std::vector<world::Point>> way_on(const world::NavigationMesh& floor, world::Point from,
                                                         world::Point to);
  Approacher(blend::StepWalker walker, const world::World& world) : walker_(std::move(walker)), world_(&world) {}

  blend::StepWalker walker_;
  const world::World* world_;
  /// The floor with much room to both sides, with less, and with hardly any; each made when the one before has no way.
  std::vector<world::NavigationMesh> floors_;
};

}  // namespace loom::plan
