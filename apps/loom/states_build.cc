// SPDX-License-Identifier: MIT
// `loom states build`: a state-annotated graph of a library's clips, stored in the library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/behavior/state_yield.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/fighting_machine.h>
#include <loom/graph/build.h>
#include <loom/project/build.h>

#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/states_commands.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct StatesBuildArguments {
  std::string library, machine, name;
  behavior::StateBuildOptions build;
};

nlohmann::json missing_json(const std::optional<behavior::MissingTransition>& missing) {
  if (!missing) return nullptr;
  return {{"from", missing->from_clip},
          {"from_frame", missing->from_frame},
          {"to", missing->to_clip},
          {"to_frame", missing->to_frame},
          {"distance", missing->distance}};
}

int show(const Command& command, const StatesBuildArguments& arguments, const library::Library& library,
         const behavior::StateMachine& machine, const behavior::StateBuild& build) {
  const behavior::StateGraph& states = *build.states;
  if (command.json) {
    auto result = artefact_json(library, behavior::kStatesKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"frames", build.frames},
                    {"kept", states.graph.nodes()},
                    {"nodes", states.nodes.size()},
                    {"transitions", states.graph.transitions.size()},
                    {"routes", states.routes.targets.size()},
                    {"memory_bytes", states.memory()},
                    {"rounds", build.rounds},
                    {"seconds", build.seconds},
                    {"states", yields_json(machine, build)},
                    {"left_out", left_out_json(build.left_out)}});
    print_json(*result);
    return kDone;
  }
  say("states '{}' by machine '{}': {} nodes, {} of {} frames, {} transitions, {:.1f} MB, built in {:.2f} s\n",
      arguments.name, machine.name, states.nodes.size(), states.graph.nodes(), build.frames,
      states.graph.transitions.size(), static_cast<double>(states.memory()) / 1e6, build.seconds);
  print_yields(machine, build);
  tell_left_out(build.left_out);
  return kDone;
}

int run(const Command& command, const StatesBuildArguments& arguments) {
  const auto machine = open_machine(arguments.machine);
  if (!machine) return report(machine.error());
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto build = [&] {
    ProgressBar bar;
    return project::build_states(*library, arguments.name, *machine, arguments.build, bar.progress());
  }();
  if (!build) return report(build.error());
  return show(command, arguments, *library, *machine, *build);
}

}  // namespace

Result<behavior::StateMachine> open_machine(const std::string& file) {
  if (file.empty()) return fight::fighting_machine();
  auto machine = behavior::load_machine(file);
  if (!machine) return machine;
  if (const auto settled = fight::settle_activities(*machine); !settled) return fail_from(settled);
  return machine;
}

void add_build_options(Options& options, behavior::StateBuildOptions& build) {
  auto threshold =
      options.add_option("--threshold", build.threshold, "largest distance of a transition, square metres (0.0064)")
          ->check(positive());
  options
      .add_option_function<double>(
          "--threshold-cm", [&build](double centimetres) { build.threshold = graph::square_metres_of(centimetres); },
          "the same as how far markers may lie apart on average, centimetres (8)")
      ->check(positive())
      ->excludes(threshold);
  options.add_option("--rate", build.rate, "frames a second to resample to (30)")->check(between(1.0, 1000.0));
  options.add_flag("--mirror", build.mirror, "every clip a second time, left and right exchanged");
  options.add_flag(
      "--minima-only", build.minima_only,
      "only local minima become transitions, without the best entry into every action: answers come later");
  add_body_option(options, build.body);
  add_keep_faulty_option(options, build.keep_faulty);
}

Result<behavior::StateBuild> build_with_bar(const library::Library& library, const behavior::StateMachine& machine,
                                            const behavior::StateBuildOptions& options, double end) {
  ProgressBar bar;
  return behavior::build_states(library, machine, options, part_of(bar.progress(), 0, end));
}

nlohmann::json yields_json(const behavior::StateMachine& machine, const behavior::StateBuild& build) {
  auto list = nlohmann::json::array();
  for (const behavior::StateYield& yield : build.yields) {
    nlohmann::json entry = {{"state", machine.states[yield.state].name},
                            {"frames", yield.frames},
                            {"kept", yield.kept},
                            {"nodes", build.states->nodes_of_state(yield.state).size()},
                            {"reason", text_or_null(yield.reason)},
                            {"missing_in", missing_json(yield.missing_in)},
                            {"missing_out", missing_json(yield.missing_out)}};
    list.push_back(std::move(entry));
  }
  return list;
}

void print_yields(const behavior::StateMachine& machine, const behavior::StateBuild& build) {
  for (const behavior::StateYield& yield : build.yields) {
    const std::string& name = machine.states[yield.state].name;
    if (yield.kept > 0) {
      say("  {}: {} nodes, {} of {} frames\n", name, build.states->nodes_of_state(yield.state).size(), yield.kept,
          yield.frames);
    } else {
      say("  {}: lost all its {} frames: {}{}\n", name, yield.frames, yield.reason, behavior::describe_missing(yield));
    }
  }
}

void add_states_build(Commands& commands) {
  Command& command = commands.add("states", kStatesAbout, "build", "build the graph of a machine and store it",
                                  "loom states build motions.loom --machine fighting.machine --name fight");
  auto arguments = std::make_shared<StatesBuildArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("--machine", arguments->machine,
                              "a machine file (docs/fighters.md); the built-in fighting machine when not given");
  command.options->add_option("--name", arguments->name, "what to call it")->required()->check(not_empty());
  add_build_options(*command.options, arguments->build);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
