// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/motion/ground_frame.h>
#include <loom/plan/action_space.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

namespace loom::plan {

/// Where somebody stands who shows a thing to an observer, and how they turn (Huang 2012 §7.5 and appendix 11.1, fitted
/// to people who point things out), degrees. All angles are around the thing shown, from an axis through it; the
/// observer is at `alpha` from where the axis points to.
struct PlacementAngles {
  double beta = 0;   ///< from the other end of the axis to where they stand
  double theta = 0;  ///< from the axis to where their body faces
  double phi = 0;    ///< from the axis to where their head turns at most
};
PlacementAngles placement_angles(double alpha);

/// Somebody who looks on.
struct Observer {
  world::Point at;
  double eyes = 1.6;  ///< metres above the floor
};

/// Why nobody stands there.
enum class Rejected : std::uint8_t {
  kNot,        ///< one can
  kOtherSide,  ///< the target cannot be used from there
  kNoFloor,
  kTouches,     ///< the body is in an obstacle
  kOutOfReach,  ///< from no distance
  kUnseen,      ///< nothing of the observer is in sight, or nothing of the target in theirs
  kNoWay,       ///< nobody gets there on foot
  kNoAction,    ///< tried, and no action was found from there
};
inline constexpr std::size_t kRejections = 8;
/// "", "other side", "no floor", "touches", "out of reach", "unseen", "no way", "no action".
const char* to_string(Rejected why);

/// A place to stand.
struct Candidate {
  motion::GroundFrame stand;
  double alpha = 0;      ///< degrees: of the first observer
  double head_turn = 0;  ///< degrees from the body's front to where the head turns for that observer
  double distance = 0;   ///< metres on the floor from the target
  double clearance = 0;  ///< how much is seen, from 0 to 1: of the worst-placed observer, and of the target by them
  Rejected why = Rejected::kNot;
  std::size_t obstacle = 0;  ///< that is touched, or hides
  double missed = 0;         ///< metres, at least, from the target to where the hand gets, of what is out of reach
  Vec3 nearest;              ///< where that is
};

struct PlacementOptions {
  double every = 5;                      ///< degrees around the target
  double nearest = 0.2, farthest = 1.1;  ///< metres from the target
  /// Stand at this distance, facing the target, wherever that is not out of reach: what the fitted model is compared
  /// with.
  std::optional<double> fixed_distance;
  /// The target can be used only from where somebody who stands there looks within 90 degrees along this heading
  /// (radians): a switch on a wall. None: from everywhere.
  std::optional<double> front;
};

/// Places around a target from which an action can meet it and be seen: every few degrees one, by the fitted model, at
/// the distance at which the action is most at ease. Those that can be stood at come first, those that see most first
/// among them, then those with the least turn of the head; the others after them, with why not.
///
/// Past the work: sight from observers to the target counts, there may be several of them, and targets that have a
/// front. The first of `targets` is the place that is stood around; further ones, lines and turns, are met with it.
/// Fails where that is none, and on no observers.
Result<std::vector<Candidate>> place_around(const ActionSpace& space, const world::World& world,
                                            world::Collision& collision, std::span<const blend::JointTarget> targets,
                                            std::span<const Observer> observers, const PlacementOptions& options = {});

/// The place nearest to an observer's that can be stood at and from which something of a target is seen; none within
/// four metres.
std::optional<Observer> nearest_onlooker(const world::World& world, world::Collision& collision, Vec3 target,
                                         const Observer& observer);

}  // namespace loom::plan
