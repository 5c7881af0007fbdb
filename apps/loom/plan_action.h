// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/blend/blend.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/plan/action_space.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

#include "loom/command.h"
#include "loom/recorded_motion.h"

namespace loom::app {

/// What commands that plan actions are given: a family of a library, and a world.
struct ActionSource {
  std::string library, family, world;
};

/// Adds library, family and --world.
void add_action_source(Options& options, ActionSource& source);

/// What joints are to do at the stroke, as people say it.
struct ActionTargets {
  std::vector<std::string> targets, lines, orientations;

  /// Adds --target, --line and --orientation.
  void add(Options& options);
  [[nodiscard]] bool empty() const { return targets.empty() && lines.empty() && orientations.empty(); }
  /// Places first, then lines, then turns.
  [[nodiscard]] Result<std::vector<blend::JointTarget>> read(const motion::Skeleton& skeleton) const;
};

/// "x,z" or "x,z,heading" in metres and degrees; without a text the first start of the world. `option` is what says it.
Result<motion::GroundFrame> place_of(const std::string& text, const world::World& world, const char* option);

/// All that a plan of actions needs.
struct OpenedAction {
  world::World world;
  blend::StoredFamily family;
  blend::MotionMaker maker;
  plan::ActionSpace space;
  world::Collision collision;
};
Result<OpenedAction> open_action(const ActionSource& source);

/// Writes a planned action as every made motion is, with its world where the file has room for one, and prints
/// `details`, to which family, world, how long planning took and how many poses touch something are added.
int write_action(const Command& command, const ActionSource& source, const world::World& world,
                 const blend::Blended& action, const MotionOutput& output, double milliseconds, nlohmann::json details);

}  // namespace loom::app
