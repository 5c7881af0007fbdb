// SPDX-License-Identifier: MIT
// `loom machine prefer`: makes ways of a machine the cheapest, or takes that back.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/machine/prefer.h>
#include <loom/machine/stored_machine.h>

#include "loom/choice.h"
#include "loom/machine_commands.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct MachinePreferArguments {
  std::string library, name, method;
  std::vector<std::string> ways, keep;
  bool undo = false;
};

nlohmann::json answer_json(const machine::Preferred& preferred, const behavior::StateMachine& machine) {
  auto changed = nlohmann::json::array();
  const std::vector<machine::Edge> before = machine::edges_of(machine);
  for (std::size_t e = 0; e < before.size(); ++e) {
    const double old = before[e].probability, now = preferred.edges[e].probability;
    if (std::abs(std::log(old / now)) <= 1e-6) continue;
    changed.push_back({{"from", machine.states[before[e].from].name},
                       {"to", machine.states[before[e].to].name},
                       {"before", old},
                       {"after", now}});
  }
  return {{"method", machine::to_string(preferred.method)},  {"edges_changed", preferred.measures.edges_changed},
          {"ways_changed", preferred.measures.ways_changed}, {"relative_change", preferred.measures.relative_change},
          {"seconds", preferred.measures.seconds},           {"changed", std::move(changed)}};
}

void print_answers(const std::vector<machine::Preferred>& answers) {
  Table table({"method", "edges changed", "other ways changed", "relative change", "seconds"});
  for (const machine::Preferred& answer : answers) {
    table.add({machine::to_string(answer.method), std::to_string(answer.measures.edges_changed),
               std::to_string(answer.measures.ways_changed), fmt::format("{:.3f}", answer.measures.relative_change),
               fmt::format("{:.4f}", answer.measures.seconds)});
  }
  table.print();
}

/// The ways wanted and those kept, which are the same to the solver.
Result<std::vector<machine::StateWay>> read_ways(const behavior::StateMachine& machine,
                                                 const MachinePreferArguments& arguments) {
  std::vector<machine::StateWay> ways;
  for (const auto* list : {&arguments.ways, &arguments.keep}) {
    for (const std::string& text : *list) {
      auto way = machine::parse_way(machine, text);
      if (!way) return fail_from(way);
      ways.push_back(std::move(*way));
    }
  }
  return ways;
}

int take_back(const Command& command, const MachinePreferArguments& arguments, library::Library& library,
              machine::StoredMachine& stored) {
  const auto undone = machine::undo(stored.machine);
  if (!undone) return report(undone.error());
  const auto kept = machine::store_machine(library, arguments.name, stored.machine, stored.parameters);
  if (!kept) return report(kept.error());
  if (command.json) {
    nlohmann::json result = machine_json(stored.machine.machine);
    result.update({{"undone", undone->what}, {"answers", nlohmann::json::array()}, {"taken", nullptr}});
    print_json(result);
  } else {
    say("taken back: {}\n", undone->what);
  }
  return kDone;
}

int run(const Command& command, const MachinePreferArguments& arguments) {
  if (arguments.undo != arguments.ways.empty()) {
    return wrong_usage("machine prefer: either ways, or --undo to take the last ones back");
  }
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  auto stored = machine::load_machine(*library, arguments.name);
  if (!stored) return report(stored.error());
  if (arguments.undo) return take_back(command, arguments, *library, *stored);
  const behavior::StateMachine& machine = stored->machine.machine;
  const auto ways = read_ways(machine, arguments);
  if (!ways) return report(ways.error());
  std::vector<machine::Preferred> answers;
  auto told = nlohmann::json::array();
  for (const auto method : {machine::PreferMethod::kLeast, machine::PreferMethod::kQuadratic}) {
    if (!arguments.method.empty() && arguments.method != machine::to_string(method)) continue;
    auto answer = machine::prefer(machine, *ways, method);
    if (!answer) return report(answer.error());
    told.push_back(answer_json(*answer, machine));
    answers.push_back(std::move(*answer));
  }
  const bool taken = !arguments.method.empty();
  if (taken) {
    machine::take(stored->machine, answers.front(), fmt::format("{}", fmt::join(arguments.ways, "; ")));
    const auto kept = machine::store_machine(*library, arguments.name, stored->machine, stored->parameters);
    if (!kept) return report(kept.error());
  }
  if (command.json) {
    nlohmann::json result = machine_json(machine);
    result.update({{"undone", nullptr}, {"answers", std::move(told)}, {"taken", text_or_null(arguments.method)}});
    print_json(result);
    return kDone;
  }
  print_answers(answers);
  if (taken) {
    print_machine(machine);
  } else {
    notice("nothing is changed yet: --method least or --method quadratic takes one of them");
  }
  return kDone;
}

}  // namespace

void add_machine_prefer(Commands& commands) {
  Command& command =
      commands.add("machine", kMachineAbout, "prefer", "make ways of states the cheapest, with both methods compared",
                   "loom machine prefer motions.loom m stand,start,turn-left --method least");
  auto arguments = std::make_shared<MachinePreferArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("name", arguments->name, "the name of a machine in it")->required();
  options.add_option("ways", arguments->ways, "ways of states, each as A,B,C");
  options.add_option("--keep", arguments->keep, "ways that are to stay the cheapest");
  add_choice(options, "--method", arguments->method, {"least", "quadratic"},
             "take this answer; without it both are shown");
  options.add_flag("--undo", arguments->undo, "take the last preference back");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
