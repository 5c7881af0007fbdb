// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/plan/approach.h>
#include <loom/plan/placement.h>
#include <loom/plan/reach_plan.h>

namespace loom::plan {

struct ShowOptions {
  PlacementOptions placement;
  ReachOptions reach;
  std::size_t most_places = 12;  ///< tried, best first, before giving up
  double hold = 1.5;             ///< seconds that the hand stays at the target
};

/// What is looked at from a moment on.
struct Look {
  enum class At : std::uint8_t { kFloor, kTarget, kObserver };
  double seconds = 0;
  At at = At::kTarget;
  std::size_t observer = 0;  ///< which one
};

/// How the walk up to the place went over into the action.
struct Transition {
  double begin = 0;               ///< seconds
  double seconds = 0;             ///< that it takes
  bool swing_carried_on = false;  ///< the arm's swing led into the action; else it was cut short (Huang 2012 fig. 7.11)
};

/// Somebody who walks to where they can be seen, meets a target and looks at those they show it to.
struct ShowPlan {
  ReachPlan action;  ///< with the walk before it, the hand held, and the head turned
  std::vector<Candidate> candidates;
  std::size_t chosen = 0;            ///< of the candidates
  std::optional<Approach> approach;  ///< how they got there; its walk is part of the action
  Transition transition;             ///< where they walked
  std::vector<Look> looks;
  double sight_off_deg = 0;  ///< from where the head points to the first observer, when it has turned to them
};

/// When to look at what around a stroke (Huang 2012 §7.9): at the floor while one walks, at the target from `begin`
/// until the stroke, at an observer in the field of view just after it, at one outside of it before, since the turn
/// takes longer; then at the target again, and at the next. The work shows these delays as boxes without figures; those
/// here were read off roughly.
std::vector<Look> looks_around(double begin, double stroke, double end, std::span<const double> observer_angles_deg);

/// Plans all of it (PLACE, Huang 2012 §7.4): places around the first target are tried, best first, until from one an
/// action is found, and a walk to it from `start` that touches nothing. Without an `approacher` they stand there from
/// the beginning. All targets are met at once; the first is a place.
///
/// Fails, saying what is in the way and what the nearest possible is, on a target inside an obstacle; where there is no
/// place to stand; where no way leads to any; and where no action was found from those there are. Fails too when
/// `progress` asks to stop, which it is asked about before each place.
Result<ShowPlan> plan_show(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                           world::Collision& collision, std::span<const blend::JointTarget> targets,
                           std::span<const Observer> observers, const ShowOptions& options = {},
                           Approacher* approacher = nullptr, const motion::GroundFrame& start = {},
                           const Progress& progress = {});

}  // namespace loom::plan
