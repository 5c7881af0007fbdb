// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
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
  double seconds = 0;
  std::ptrdiff_t observer = -1;  ///< which one; -1: the target
};

/// Somebody who stands where they can be seen, meets a target and looks at those they show it to.
struct ShowPlan {
  ReachPlan action;  ///< with the hand held, and the head turned
  std::vector<Candidate> candidates;
  std::size_t chosen = 0;  ///< of the candidates
  std::vector<Look> looks;
  double sight_off_deg = 0;  ///< from where the head points to the first observer, when it has turned to them
};

/// When to look at what around a stroke (Huang 2012 §7.9): at the target until the stroke, at an observer in the field
/// of view just after it, at one outside of it before, since the turn takes longer; then at the target again, and at
/// the next. The work shows these delays as boxes without figures; those here were read off roughly.
std::vector<Look> looks_around(double stroke, double end, std::span<const double> observer_angles_deg);

/// Plans all of it: places around the target are tried, best first, until an action is found from one. Fails where
/// there is no place to stand, saying why most were rejected, or no action from those there are.
Result<ShowPlan> plan_show(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                           world::Collision& collision, const blend::JointTarget& target,
                           std::span<const Observer> observers, const ShowOptions& options = {});

}  // namespace loom::plan
