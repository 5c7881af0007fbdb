// SPDX-License-Identifier: MIT
// `loom plan walk`: a way through a world, found in a motion graph or with a machine of behaviors.
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/math.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/plant_feet.h>
#include <loom/world/grid_map.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/numbers.h"
#include "loom/progress_bar.h"
#include "loom/recorded_motion.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/walk_scene.h"

namespace loom::app {
namespace {

struct PlanWalkArguments {
  std::string library, world, with, start, goal, picture, transitions = "simulated";
  double cell = 0.5;
  std::size_t samples = 15;
  MotionOutput output;
  plan::WalkPlanOptions plan;
};

/// "x,z" or "x,z,heading"; without a text the first spot of the world.
Result<plan::WalkEnd> end_of(const std::string& text, const std::vector<world::Spot>& spots, const char* what) {
  if (text.empty()) {
    if (spots.empty())
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("the world has no {}; say where it is: --{} x,z or x,z,heading", what, what));
    return plan::WalkEnd{spots[0].at, spots[0].heading};
  }
  const auto numbers = numbers_in(text);
  if (!numbers) return fail_from(numbers);
  if (numbers->size() != 2 && numbers->size() != 3)
    return fail_as(ErrorKind::kBadInput, fmt::format("the {} is x,z or x,z,heading, in metres and degrees", what));
  plan::WalkEnd end{{(*numbers)[0], (*numbers)[1]}, {}};
  if (numbers->size() == 3) end.heading = (*numbers)[2] / kDegreesARadian;
  return end;
}

nlohmann::json plan_json(const plan::WalkPlan& plan) {
  auto steps = nlohmann::json::array();
  for (const plan::SearchStep& step : plan.search.steps) {
    steps.push_back(
        {{"at_s", step.seconds}, {"seconds", step.cost}, {"bound", step.bound}, {"expanded", step.expanded}});
  }
  return {{"solved", true},
          {"seconds_first", plan.search.seconds_first},
          {"seconds", plan.search.seconds},
          {"bound", plan.search.bound},
          {"expanded", plan.search.expanded},
          {"states", plan.search.states},
          {"memory_bytes", plan.search.memory},
          {"length_m", plan.length_m},
          {"floor_m", plan.floor_m},
          {"end_error_m", plan.end_error_m},
          {"end_error_deg", plan.end_error_rad * kDegreesARadian},
          {"bent_m", plan.bent_m},
          {"drift_m", plan.drift_m},
          {"margin_m", plan.margin},
          {"steps", std::move(steps)}};
}

/// What is wrong with numbers that were given; empty where nothing is.
std::string wrong_numbers(const PlanWalkArguments& arguments) {
  const plan::SearchOptions& search = arguments.plan.search;
  if (!(search.seconds > 0 && search.seconds <= 3600)) return "--seconds is above 0 and at most 3600";
  if (!(search.bound >= 1)) return "--bound is 1 or more";
  if (!(search.cell >= 0 && search.cell <= 10 && search.turn_cell >= 0)) return "--same is from 0 to 10 metres";
  if (!(search.margin >= 0 && search.margin <= 10)) return "--margin is from 0 to 10 metres";
  if (!(search.corridor >= 0)) return "--corridor is 0 or more metres";
  return {};
}

/// What is to be searched, out of "graph:NAME" or "machine:NAME".
struct Searched {
  bool is_machine = false;
  std::string name;
};
std::optional<Searched> searched_of(const std::string& with) {
  for (const bool is_machine : {false, true}) {
    const std::string_view before = is_machine ? "machine:" : "graph:";
    if (with.starts_with(before)) return Searched{is_machine, with.substr(before.size())};
  }
  return std::nullopt;
}

/// What was searched is told beside what was found.
struct MadePlan {
  plan::WalkPlan plan;
  double seconds_ready = 0;  ///< to make the graph or machine ready
  std::size_t nodes = 0;
};

Result<MadePlan> plan_with_graph(const PlanWalkArguments& arguments, const std::string& name, const world::World& world,
                                 const plan::WalkEnd& start, const plan::WalkEnd& goal) {
  const auto stored = open_graph(arguments.library, name);
  if (!stored) return fail_from(stored);
  const auto begun = std::chrono::steady_clock::now();
  const auto unrolled = plan::unroll(stored->graph, stored->motion);
  if (!unrolled) return fail_from(unrolled);
  const double ready = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  ProgressBar bar;
  auto plan = plan::plan_walk(*unrolled, world, start, goal, arguments.plan, bar.progress());
  if (!plan) return fail_from(plan);
  return MadePlan{std::move(*plan), ready, unrolled->graph->nodes()};
}

Result<MadePlan> plan_with_machine(const PlanWalkArguments& arguments, const std::string& name,
                                   const world::World& world, const plan::WalkEnd& start, const plan::WalkEnd& goal) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  const auto built = machine::load_built_machine(*library, name);
  if (!built) return fail_from(built);
  plan::UnrollMachineOptions options;
  options.samples = arguments.samples;
  options.transitions =
      arguments.transitions == "ignored" ? plan::Transitions::kIgnored : plan::Transitions::kSimulated;
  ProgressBar bar;
  const auto unrolled = plan::unroll_machine(*built, options, bar.progress());
  if (!unrolled) return fail_from(unrolled);
  auto plan = plan::plan_walk(*unrolled, world, start, goal, arguments.plan, bar.progress());
  if (!plan) return fail_from(plan);
  return MadePlan{std::move(*plan), unrolled->seconds, unrolled->unrolled.graph->nodes()};
}

int run(const Command& command, const PlanWalkArguments& arguments) {
  const auto searched = searched_of(arguments.with);
  if (!searched) return wrong_usage("say what to search: --with graph:NAME or --with machine:NAME");
  if (const std::string wrong = wrong_numbers(arguments); !wrong.empty()) return wrong_usage(wrong);
  if (!has_place(arguments.output)) return kWrongUsage;
  auto world = world::load_any_world(arguments.world, arguments.cell);
  if (!world) return report(world.error());
  const auto start = end_of(arguments.start, world->starts, "start"),
             goal = end_of(arguments.goal, world->goals, "goal");
  if (!start) return report(start.error());
  if (!goal) return report(goal.error());
  auto made = searched->is_machine ? plan_with_machine(arguments, searched->name, *world, *start, *goal)
                                   : plan_with_graph(arguments, searched->name, *world, *start, *goal);
  if (!made) {
    // Who reads the result asks for `solved`, whatever came of it.
    const Error& error = made.error();
    if (command.json) {
      print_json({{"solved", false},
                  {"error", {{"message", error.message}, {"kind", kind_name(error.kind)}, {"status", kFailed}}}});
    }
    return report(error);
  }
  const plan::WalkPlan* plan = &made->plan;

  motion::Recording recording = *plan->recording;
  if (arguments.output.polish) {
    if (const auto planted = polish::plant_feet(recording); !planted) return report(planted.error());
  }
  const auto collided = plan::find_collisions(recording.clip, *world);
  if (!collided) return report(collided.error());
  if (!arguments.picture.empty()) {
    world->starts = {{"", start->at, start->heading}};
    world->goals = {{"", goal->at, goal->heading}};
    if (const auto drawn = draw_walk(arguments.picture, recording.clip, *world); !drawn) return report(drawn.error());
  }
  if (!command.json) {
    say("{:.1f} s of motion over {:.1f} m (the floor's shortest way is {:.1f} m or more), at most {:.2f} times the "
        "least time\n",
        plan->seconds, plan->length_m, plan->floor_m, plan->search.bound);
    say("first answer after {:.2f} s, stopped after {:.2f} s, {} states expanded; ends {:.1f} cm from the goal; {} "
        "poses "
        "touch something\n",
        plan->search.seconds_first, plan->search.seconds, plan->search.expanded, 100 * plan->end_error_m,
        collided->size());
  }
  nlohmann::json details = plan_json(*plan);
  details.update({{"graph", searched->is_machine ? nlohmann::json(nullptr) : nlohmann::json(searched->name)},
                  {"machine", searched->is_machine ? nlohmann::json(searched->name) : nlohmann::json(nullptr)},
                  {"seconds_ready", made->seconds_ready},
                  {"nodes", made->nodes},
                  {"world", world->name},
                  {"collisions", collided->size()},
                  {"picture", text_or_null(arguments.picture)}});
  MotionOutput output = arguments.output;
  output.polish = false;  // done already
  const motion::Clip clip = recording.clip;
  const int status =
      write_to_output(command, std::move(recording), "plan", arguments.library, output, std::move(details));
  if (status != kDone) return status;
  motion::Clip named = clip;
  named.name = "plan";
  if (const auto written = write_walk_scene(arguments.output, arguments.library, named, *world); !written)
    return report(written.error());
  return kDone;
}

}  // namespace

void add_plan_walk(Commands& commands) {
  Command& command = commands.add(
      "plan", "ways through worlds", "walk", "find motion from a start to a goal among obstacles, to a known bound",
      "loom plan walk motions.loom --world room.world --with graph:main --start 1,1 --goal 8,8,90 -o walk.glb");
  auto arguments = std::make_shared<PlanWalkArguments>();
  plan::SearchOptions& search = arguments->plan.search;
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("--world", arguments->world, "a .world, a .map or the .yaml of a floor plan")->required();
  command.options->add_option("--cell", arguments->cell, "metres of a cell of a .map (0.5)");
  command.options->add_option("--with", arguments->with, "what to search: graph:NAME or machine:NAME")->required();
  command.options->add_option("--start", arguments->start,
                              "x,z or x,z,heading in metres and degrees; else the world's first");
  command.options->add_option("--goal", arguments->goal, "where to end, likewise");
  command.options->add_option("--seconds", search.seconds, "how long to look at most (5)");
  command.options->add_option("--bound", search.bound, "good enough: at most this many times the least time (1.2)");
  command.options->add_option("--same", search.cell, "metres within which states of a frame count as one (0.25)");
  command.options->add_option("--margin", search.margin, "metres that the body keeps from obstacles (0.02)");
  command.options->add_option("--corridor", search.corridor,
                              "metres of detour over the shortest way that are looked at (anywhere)");
  command.options->add_option("--samples", arguments->samples, "behaviors a state of a machine is sampled into (15)")
      ->check(between(1, 200));
  add_choice(*command.options, "--transitions", arguments->transitions, {"simulated", "ignored"},
             "whether a machine's transitions are played while planning; ignored: to see what comes of it (simulated)");
  command.outputs.add_file(*command.options, "--picture", arguments->picture, "draw the way from above: .png or .svg");
  add_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
