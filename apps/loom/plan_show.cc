// SPDX-License-Identifier: MIT
// `loom plan show`: where to stand, what to do and whom to look at, to show a thing to somebody.
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family/target_text.h>
#include <loom/plan/show_plan.h>

#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/plan_action.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;

struct Arguments {
  ActionSource source;
  std::string target;
  std::vector<std::string> observers;
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
          {"heading_deg", static_cast<double>(candidate.stand.heading) * kDegrees},
          {"distance_m", candidate.distance},
          {"clearance", candidate.clearance},
          {"head_turn_deg", candidate.head_turn},
          {"rejected", plan::to_string(candidate.why)}};
}

nlohmann::json plan_json(const plan::ShowPlan& plan) {
  nlohmann::json candidates = nlohmann::json::array(), gaze = nlohmann::json::array();
  for (const plan::Candidate& candidate : plan.candidates) candidates.push_back(place_json(candidate));
  for (const plan::Look& look : plan.looks) {
    gaze.push_back(
        {{"at_s", look.seconds}, {"at", look.observer < 0 ? "target" : fmt::format("observer {}", look.observer + 1)}});
  }
  return {{"method", plan::to_string(plan.action.by)},    {"hand_error_m", plan.action.hand_error_m},
          {"stroke_frames", plan.action.blended.strokes}, {"placement", place_json(plan.candidates[plan.chosen])},
          {"candidates", std::move(candidates)},          {"gaze", std::move(gaze)},
          {"sight_off_deg", plan.sight_off_deg}};
}

int run(const Command& command, Arguments arguments) {
  if (!has_place(arguments.output)) return kWrongUsage;
  auto opened = open_action(arguments.source);
  if (!opened) return report(opened.error());
  const auto target = blend::target_from_text(arguments.target, *opened->family.space->skeleton());
  if (!target) return report(target.error());
  const auto observers = observers_of(arguments.observers);
  if (!observers) return report(observers.error());
  if (arguments.front) arguments.plan.placement.front = *arguments.front / kDegrees;
  arguments.plan.reach.plant_feet = arguments.output.polish;
  const auto begin = std::chrono::steady_clock::now();
  const auto plan = plan::plan_show(opened->space, opened->maker, opened->world, opened->collision, *target, *observers,
                                    arguments.plan);
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!plan) return report(plan.error());
  const plan::Candidate& chosen = plan->candidates[plan->chosen];
  if (!command.json) {
    say("stands at {:.2f}, {:.2f} facing {:.0f} degrees, {:.2f} m from the target, sees {:.0f} % of the observer\n",
        chosen.stand.x, chosen.stand.z, static_cast<double>(chosen.stand.heading) * kDegrees, chosen.distance,
        100 * chosen.clearance);
    say("planned in {:.1f} ms by {}, the target is missed by {:.1f} mm, no pose touches anything\n", milliseconds,
        plan::to_string(plan->action.by), 1000 * plan->action.hand_error_m);
  }
  return write_action(command, arguments.source, opened->world, plan->action.blended, arguments.output, milliseconds,
                      plan_json(*plan));
}

}  // namespace

void add_plan_show(Commands& commands) {
  Command& command = commands.add(
      "plan", "ways through worlds", "show", "show a thing to somebody: where to stand, the action, where to look",
      "loom plan show motions.loom reach --world room.world --target RightHand=0.5,1.1,2 --observer 1,4 -o show.glb");
  auto arguments = std::make_shared<Arguments>();
  Options& options = *command.options;
  add_action_source(options, arguments->source);
  options.add_option("--target", arguments->target, "what is shown: JOINT=x,y,z in metres in the world")->required();
  options.add_option("--observer", arguments->observers, "who looks on, several times: x,z or x,z,eyes in metres")
      ->required();
  options.add_option("--front", arguments->front,
                     "the target can be used only by somebody who faces about this way, degrees: a switch on a wall");
  options.add_option("--hold", arguments->plan.hold, "seconds that the hand stays at the target (1.5)")
      ->check(between(0.0, 60.0));
  options.add_option("--seed", arguments->plan.reach.search.seed, "another seed, another tree");
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
