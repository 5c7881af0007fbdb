// SPDX-License-Identifier: MIT
#include "loom/plan_action.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/target_text.h>
#include <loom/library/library.h>
#include <loom/plan/walk_plan.h>
#include <loom/world/grid_map.h>

#include "loom/numbers.h"
#include "loom/walk_scene.h"

namespace loom::app {
namespace {

constexpr double kMetresAMap = 0.5;  ///< of a cell

/// "RightHand=0.3,1.2,0.5" as a line or a turn: `kind` goes in front of what is wanted.
Result<std::string> with_kind(const std::string& text, const char* kind) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return fail_as(ErrorKind::kBadInput, fmt::format("'{}' names no joint", text));
  return text.substr(0, equals + 1) + kind + text.substr(equals + 1);
}

/// What was said of a family that has no strokes, and which others have some.
Error with_other_families(Error error, const library::Library& library, const std::string& family) {
  const auto stored = library.artefacts(blend::kFamilyKind);
  if (!stored) return error;
  std::string others;
  for (const library::ArtefactInfo& info : *stored) {
    if (info.name == family) continue;
    const auto other = blend::load_family(library, info.name);
    if (other && !other->space->strokes().empty()) others += (others.empty() ? "" : ", ") + info.name;
  }
  if (!others.empty()) error.message += "; families with strokes: " + others;
  return error;
}

}  // namespace

void ActionTargets::add(Options& options) {
  options.add_option("--target", targets,
                     "where a joint is to be at the stroke, several times: JOINT=x,y,z in metres in the world");
  options.add_option("--line", lines, "a line it is to lie on, JOINT=x,y,z:dx,dy,dz: to point along it");
  options.add_option("--orientation", orientations,
                     "how it is to be turned from the rest pose, JOINT=rx,ry,rz in degrees");
}

Result<std::vector<blend::JointTarget>> ActionTargets::read(const motion::Skeleton& skeleton) const {
  std::vector<std::string> texts = targets;
  for (const auto& [list, kind] : {std::pair{&lines, "line:"}, {&orientations, "turn:"}}) {
    for (const std::string& one : *list) {
      auto text = with_kind(one, kind);
      if (!text) return fail_from(text);
      texts.push_back(std::move(*text));
    }
  }
  std::vector<blend::JointTarget> all;
  for (const std::string& text : texts) {
    const auto target = blend::target_from_text(text, skeleton);
    if (!target) return fail_from(target);
    all.push_back(*target);
  }
  return all;
}

Result<motion::GroundFrame> place_of(const std::string& text, const world::World& world, const char* option) {
  if (text.empty() && !world.starts.empty()) {
    const world::Spot& spot = world.starts.front();
    return motion::GroundFrame{static_cast<float>(spot.at.x), static_cast<float>(spot.at.z),
                               static_cast<float>(spot.heading.value_or(0))};
  }
  if (text.empty())
    return fail_as(ErrorKind::kBadInput, fmt::format("the world has no start; say one: {} x,z,heading", option));
  const auto numbers = numbers_in(text);
  if (!numbers) return fail_from(numbers);
  if (numbers->size() != 2 && numbers->size() != 3) {
    return fail_as(ErrorKind::kBadInput, fmt::format("{} is x,z or x,z,heading, in metres and degrees", option));
  }
  const double heading = numbers->size() == 3 ? (*numbers)[2] * static_cast<double>(kDegree) : 0;
  return motion::GroundFrame{static_cast<float>((*numbers)[0]), static_cast<float>((*numbers)[1]),
                             static_cast<float>(heading)};
}

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
  if (!space) return tl::unexpected(with_other_families(space.error(), *library, source.family));
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
