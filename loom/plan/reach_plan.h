// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/blend.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/motion/ground_frame.h>
#include <loom/plan/action_space.h>
#include <loom/plan/weight_path.h>
#include <loom/plan/weight_search.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

namespace loom::plan {

/// How an action gets round what is in its way.
enum class ReachMethod : std::uint8_t {
  kInverse,  ///< not at all: inverse blending alone (Huang 2012 chapter 3)
  kField,    ///< pushed out of it by potentials, node by node (PF-InvBld, §7.7)
  kTree,     ///< by trees in weights and time (§6.4)
  kBoth,     ///< pushed out where that does, by trees where it does not
};
/// "inverse", "field", "tree", "both".
const char* to_string(ReachMethod method);
std::optional<ReachMethod> reach_method_named(std::string_view name);

struct ReachOptions {
  ReachMethod method = ReachMethod::kBoth;
  WeightSearchOptions search;
  double margin = 0.01;        ///< metres that poses keep from obstacles while the way is looked for
  double most_missed = 0.005;  ///< metres or radians that a target may be missed by
  bool plant_feet = true;
};

/// An action in a world, ready to be played.
struct ReachPlan {
  blend::Blended blended;  ///< in the world; its strokes are frames
  WeightPath path;
  ReachMethod by = ReachMethod::kInverse;  ///< what was needed
  std::vector<double> errors;              ///< what is left of each target, metres or radians
  double hand_error_m = 0;                 ///< of the places among them, the largest
  double straight_touches = 0;             ///< share of the slices that touch something without going round
  WeightSearch search;                     ///< the trees, where they were grown
};

/// Plans an action in a world: a family's motion whose joints meet `targets` (in the world) at the strokes, of somebody
/// who stands at `stand`, without touching anything.
///
/// Inverse blending finds the weights that meet the targets. Where the motion with these weights touches something,
/// weights are changed over time, before the stroke and after it, so that all of the body keeps clear; at the stroke
/// they are those that meet the targets. Hands are then timed as in the motion that was not in the way (§6.4.5), and
/// feet are planted. Every pose of what comes out is tried against the world in full.
///
/// Fails, saying what is in the way, on targets that no blend meets (and how near one comes), on an obstacle that is
/// touched when the action begins, or at the stroke, or where no way round was found; and when `progress` asks to stop,
/// which it is asked about before each try.
Result<ReachPlan> plan_reach(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                             world::Collision& collision, const motion::GroundFrame& stand,
                             std::span<const blend::JointTarget> targets, const ReachOptions& options = {},
                             const Progress& progress = {});

/// What is left of each target (in the world) in a plan's motion: sets `errors` and `hand_error_m`.
void measure_targets(ReachPlan& plan, std::span<const blend::JointTarget> targets);

/// A target as it is seen by somebody who stands at `stand`.
blend::JointTarget seen_from(const motion::GroundFrame& stand, blend::JointTarget target);

}  // namespace loom::plan
