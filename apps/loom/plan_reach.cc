// SPDX-License-Identifier: MIT
// `loom plan reach`: an action of a family that meets its target in a world without touching anything.
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/plan/reach_plan.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/plan_action.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct PlanReachArguments {
  ActionSource source;
  std::string stand, method = "both";
  ActionTargets targets;
  plan::ReachOptions plan;
  MotionOutput output;
};

void print_plan(const plan::ReachPlan& plan, double milliseconds) {
  say("planned in {:.1f} ms by {}: {:.1f} s of motion, the target is missed by {:.1f} mm, no pose touches anything\n",
      milliseconds, plan::to_string(plan.by), plan.blended.clip.duration(), 1000 * plan.hand_error_m);
  if (plan.by == plan::ReachMethod::kInverse) {
    say("nothing was in the way\n");
  } else {
    say("without going round, {:.0f} % of it would touch something; weights change over {} nodes\n",
        100 * plan.straight_touches, plan.path.nodes.size());
  }
}

int run(const Command& command, PlanReachArguments arguments) {
  if (arguments.targets.empty()) return wrong_usage("say what to reach: --target JOINT=x,y,z");
  if (!has_place(arguments.output)) return kWrongUsage;
  auto opened = open_action(arguments.source);
  if (!opened) return report(opened.error());
  const auto targets = arguments.targets.read(*opened->family.space->skeleton());
  if (!targets) return report(targets.error());
  const auto stand = place_of(arguments.stand, opened->world, "--stand");
  if (!stand) return report(stand.error());
  arguments.plan.method = *plan::reach_method_named(arguments.method);
  arguments.plan.plant_feet = arguments.output.polish;
  const auto begin = std::chrono::steady_clock::now();
  const auto plan = plan::plan_reach(opened->space, opened->maker, opened->world, opened->collision, *stand, *targets,
                                     arguments.plan);
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!plan) return report(plan.error());
  if (!command.json) print_plan(*plan, milliseconds);
  return write_action(command, arguments.source, opened->world, plan->blended, arguments.output, milliseconds,
                      {{"method", plan::to_string(plan->by)},
                       {"hand_error_m", plan->hand_error_m},
                       {"target_errors_m", plan->errors},
                       {"straight_touches", plan->straight_touches},
                       {"nodes", plan->path.nodes.size()},
                       {"expanded", plan->search.expansions},
                       {"stroke_frames", plan->blended.strokes}});
}

}  // namespace

void add_plan_reach(Commands& commands) {
  Command& command =
      commands.add("plan", "ways through worlds", "reach", "meet a target in a world without touching anything",
                   "loom plan reach motions.loom reach --world room.world --target RightHand=0.3,1.1,0.5 -o reach.glb");
  auto arguments = std::make_shared<PlanReachArguments>();
  Options& options = *command.options;
  add_action_source(options, arguments->source);
  options.add_option("--stand", arguments->stand,
                     "x,z or x,z,heading in metres and degrees; else the world's first start");
  arguments->targets.add(options);
  add_choice(options, "--method", arguments->method, {"inverse", "field", "tree", "both"},
             "how to get round what is in the way: not at all, by potentials, by trees, by the one and then the other "
             "(both)");
  options.add_option("--margin", arguments->plan.margin, "metres that the body keeps from obstacles (0.01)")
      ->check(between(0.0, 1.0));
  options.add_option("--seed", arguments->plan.search.seed, "another seed, another tree");
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
