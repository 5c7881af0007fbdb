// SPDX-License-Identifier: MIT
#include "loom/plan_action.h"

#include <nlohmann/json.hpp>

#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/plan/walk_plan.h>
#include <loom/world/grid_map.h>

#include "loom/walk_scene.h"

namespace loom::app {
namespace {

constexpr double kMetresAMap = 0.5;  ///< of a cell

}  // namespace

void add_action_source(Options& options, ActionSource& source) {
  options.add_option("library", source.library, "a .loom file")->required();
  options.add_option("family", source.family, "the name of a family (see `loom blend family --list`)")->required();
  options.add_option("--world", source.world, "a .world, a .map or the .yaml of a floor plan")->required();
}

Result<OpenedAction> open_action(const ActionSource& source) {
  auto world = world::load_any_world(source.world, kMetresAMap);
  if (!world) return fail_from(world);
  const auto library = library::Library::open(source.library);
  if (!library) return fail_from(library);
  auto family = blend::load_family(*library, source.family);
  if (!family) return fail_from(family);
  auto maker = blend::MotionMaker::create(family->family, family->space, blend::Method::kCorrected);
  if (!maker) return fail_from(maker);
  auto space = plan::ActionSpace::create(family->space);
  if (!space) return fail_from(space);
  auto collision = world::Collision::create(*world);
  if (!collision) return fail_from(collision);
  return OpenedAction{std::move(*world), std::move(*family), std::move(*maker), std::move(*space),
                      std::move(*collision)};
}

int write_action(const Command& command, const ActionSource& source, const world::World& world,
                 const blend::Blended& action, const MotionOutput& output, double milliseconds,
                 nlohmann::json details) {
  const auto collided = plan::find_collisions(action.clip, world);
  if (!collided) return report(collided.error());
  details.update({{"family", source.family},
                  {"world", world.name},
                  {"solved", true},
                  {"milliseconds", milliseconds},
                  {"collisions", collided->size()}});
  MotionOutput written = output;
  written.polish = false;  // the planner has planted the feet, and tells what was reached with them
  const int status = write_to_output(command, action, source.family, source.library, written, std::move(details));
  if (status != kDone) return status;
  motion::Clip clip = action.clip;
  clip.name = source.family;
  if (const auto scene = write_walk_scene(output, source.library, clip, world); !scene) return report(scene.error());
  return kDone;
}

}  // namespace loom::app
