// SPDX-License-Identifier: MIT
// `loom plan show`: where to stand, what to do and whom to look at, to show a thing to somebody.
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/math.h>
#include <loom/library/library.h>
#include <loom/plan/show_plan.h>
#include <loom/project/gather_steps.h>

#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/plan_action.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct PlanShowArguments {
  ActionSource source;
  ActionTargets targets;
  std::string start;
  bool there = false;  ///< from the beginning
  std::vector<std::string> observers, steps;
  std::optional<double> front;  ///< degrees
  plan::ShowOptions plan;
  MotionOutput output;
};

Result<std::vector<plan::Observer>> observers_of(const std::vector<std::string>& texts) {
  std::vector<plan::Observer> observers;
  for (const std::string& text : texts) {
    const auto numbers = numbers_in(text);
    if (!numbers) return fail_from(numbers);
    if (numbers->size() != 2 && numbers->size() != 3) {
      return fail_as(ErrorKind::kBadInput, "an observer is x,z or x,z,eyes, in metres");
    }
    plan::Observer& one = observers.emplace_back();
    one.at = {(*numbers)[0], (*numbers)[1]};
    if (numbers->size() == 3) one.eyes = (*numbers)[2];
  }
  return observers;
}

nlohmann::json place_json(const plan::Candidate& candidate) {
  return {{"x", candidate.stand.x},
          {"z", candidate.stand.z},
          {"heading_deg", static_cast<double>(candidate.stand.heading) * kDegreesARadian},
          {"distance_m", candidate.distance},
          {"clearance", candidate.clearance},
          {"head_turn_deg", candidate.head_turn},
          {"rejected", plan::to_string(candidate.why)}};
}

std::string name_of(const plan::Look& look) {
  switch (look.at) {
    case plan::Look::At::kFloor:
      return "floor";
    case plan::Look::At::kObserver:
      return fmt::format("observer {}", look.observer + 1);
    case plan::Look::At::kTarget:
      break;
  }
  return "target";
}

/// Of the walk up to the place: nothing where they stood there from the beginning.
nlohmann::json walk_json(const plan::ShowPlan& plan) {
  if (!plan.approach) return nullptr;
  nlohmann::json prints = nlohmann::json::array();
  for (const blend::Footprint& print : plan.approach->prints) {
    prints.push_back({{"x", print.place.x},
                      {"z", print.place.z},
                      {"heading_deg", static_cast<double>(print.place.heading) * kDegreesARadian},
                      {"foot", print.foot()}});
  }
  return {{"steps", plan.approach->prints.size() - 2},
          {"stop_error_m", plan.approach->stop_error_m},
          {"stop_error_deg", plan.approach->stop_error_rad * kDegreesARadian},
          {"transition_at_s", plan.transition.begin},
          {"transition_s", plan.transition.seconds},
          {"swing", plan.transition.swing_carried_on ? "carried on" : "cut short"},
          {"footprints", std::move(prints)}};
}

nlohmann::json plan_json(const plan::ShowPlan& plan) {
  nlohmann::json candidates = nlohmann::json::array(), gaze = nlohmann::json::array();
  for (const plan::Candidate& candidate : plan.candidates) candidates.push_back(place_json(candidate));
  for (const plan::Look& look : plan.looks) gaze.push_back({{"at_s", look.seconds}, {"at", name_of(look)}});
  return {{"method", plan::to_string(plan.action.by)},    {"hand_error_m", plan.action.hand_error_m},
          {"stroke_frames", plan.action.blended.strokes}, {"placement", place_json(plan.candidates[plan.chosen])},
          {"candidates", std::move(candidates)},          {"gaze", std::move(gaze)},
          {"sight_off_deg", plan.sight_off_deg},          {"walk", walk_json(plan)}};
}

void print_plan(const plan::ShowPlan& plan, double milliseconds) {
  const plan::Candidate& chosen = plan.candidates[plan.chosen];
  if (plan.approach) {
    say("walks {:.1f} s in {} steps, and stops within {:.1f} mm and {:.1f} degrees; {:.2f} s from the walk into the "
        "action\n",
        plan.transition.begin, plan.approach->prints.size() - 2, 1000 * plan.approach->stop_error_m,
        plan.approach->stop_error_rad * kDegreesARadian, plan.transition.seconds);
  }
  say("stands at {:.2f}, {:.2f} facing {:.0f} degrees, {:.2f} m from the target, sees {:.0f} % of the observer\n",
      chosen.stand.x, chosen.stand.z, static_cast<double>(chosen.stand.heading) * kDegreesARadian, chosen.distance,
      100 * chosen.clearance);
  say("planned in {:.1f} ms by {}, the target is missed by {:.1f} mm, no pose touches anything\n", milliseconds,
      plan::to_string(plan.action.by), 1000 * plan.action.hand_error_m);
}

/// How to get there, where somebody walks.
struct Walking {
  std::unique_ptr<blend::StepLibrary> steps;
  std::optional<plan::Approacher> approacher;
  motion::GroundFrame start;
};

Result<Walking> walking_of(const PlanShowArguments& arguments, const OpenedAction& opened) {
  Walking walking;
  if (arguments.there) return walking;
  const auto start = place_of(arguments.start, opened.world, "--start");
  if (!start) return fail_from(start);
  const auto library = library::Library::open(arguments.source.library);
  if (!library) return fail_from(library);
  ProgressBar bar;
  auto steps = project::gather_steps(*library, *opened.family.space->skeleton(), opened.family.space->rate(),
                                     arguments.steps, bar.progress());
  if (!steps) return fail_from(steps);
  walking.steps = std::make_unique<blend::StepLibrary>(std::move(*steps));
  auto approacher = plan::Approacher::create(*walking.steps, opened.world);
  if (!approacher) return fail_from(approacher);
  walking.approacher = std::move(*approacher);
  walking.start = *start;
  return walking;
}

int run(const Command& command, PlanShowArguments arguments) {
  if (arguments.targets.targets.empty()) return wrong_usage("say what is shown: --target JOINT=x,y,z");
  if (!has_place(arguments.output)) return kWrongUsage;
  auto opened = open_action(arguments.source);
  if (!opened) return report(opened.error());
  const auto targets = arguments.targets.read(*opened->family.space->skeleton());
  if (!targets) return report(targets.error());
  const auto observers = observers_of(arguments.observers);
  if (!observers) return report(observers.error());
  auto walking = walking_of(arguments, *opened);
  if (!walking) return report(walking.error());
  if (arguments.front) arguments.plan.placement.front = *arguments.front / kDegreesARadian;
  arguments.plan.reach.plant_feet = arguments.output.polish;
  const auto begin = std::chrono::steady_clock::now();
  const auto plan =
      plan::plan_show(opened->space, opened->maker, opened->world, opened->collision, *targets, *observers,
                      arguments.plan, walking->approacher ? &*walking->approacher : nullptr, walking->start);
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!plan) return report(plan.error());
  if (!command.json) print_plan(*plan, milliseconds);
  return write_action(command, arguments.source, opened->world, plan->action.blended, arguments.output, milliseconds,
                      plan_json(*plan));
}

}  // namespace

void add_plan_show(Commands& commands) {
  Command& command = commands.add(
      "plan", "ways through worlds", "show",
      "walk up to a thing and show it to somebody: where to stand, how to get there, the action, where to look",
      "loom plan show motions.loom reach --world room.world --target RightHand=0.5,1.1,2 --observer 1,4 -o show.glb");
  auto arguments = std::make_shared<PlanShowArguments>();
  Options& options = *command.options;
  add_action_source(options, arguments->source);
  arguments->targets.add(options);
  options.add_option("--observer", arguments->observers, "who looks on, several times: x,z or x,z,eyes in metres")
      ->required();
  options.add_option("--start", arguments->start,
                     "where the walk begins: x,z or x,z,heading in metres and degrees; else the world's first start");
  options.add_flag("--there", arguments->there, "stand there from the beginning: no walk");
  options.add_option(
      "--steps", arguments->steps,
      "cut steps from clips of these names, '*' stands for anything; else from those labelled as walking "
      "and standing alone (`loom sample LIB --only approach` makes some)");
  options.add_option("--front", arguments->front,
                     "the target can be used only by somebody who faces about this way, degrees: a switch on a wall");
  options.add_option("--hold", arguments->plan.hold, "seconds that the hand stays at the target (1.5)")
      ->check(between(0.0, 60.0));
  options.add_option("--seed", arguments->plan.reach.search.seed, "another seed, another tree");
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
