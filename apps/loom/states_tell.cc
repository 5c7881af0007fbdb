// SPDX-License-Identifier: MIT
// `loom states table | explain`: what there is to say about a state graph.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/behavior/state_table.h>
#include <loom/project/build.h>

#include "loom/shapes.h"
#include "loom/states_commands.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct StatesTellArguments {
  std::string library, name;
};

std::shared_ptr<StatesTellArguments> add_shared(Command& command) {
  auto arguments = std::make_shared<StatesTellArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("name", arguments->name, "the name of a state graph in it")->required();
  return arguments;
}

std::string seconds(double value) { return value < 0 ? std::string("-") : fmt::format("{:.3f}", value); }

const char* link_name(const behavior::StatePairTime& time) {
  if (!time.direct) return "no";
  return time.link == behavior::Link::kFull ? "full" : "plain";
}

void print_table(const behavior::StateTable& table) {
  Table states({"state", "nodes", "mean length (s)", "frames"});
  for (const behavior::StateRow& row : table.states) {
    states.add(
        {row.state, std::to_string(row.nodes), fmt::format("{:.2f}", row.mean_length_s), std::to_string(row.frames)});
  }
  states.print();
  say("\nseconds from one state to another: to each node of it, to its slowest node, to the nearest\n");
  Table times({"from", "to", "transition", "to each", "slowest", "nodes <= 0.1 s", "nearest", "worst nearest"});
  for (const behavior::StatePairTime& time : table.times) {
    times.add({table.states[time.from].state, table.states[time.to].state, link_name(time),
               seconds(time.mean_to_each_s), seconds(time.worst_to_each_s),
               time.share_within < 0 ? std::string("-") : fmt::format("{:.0f} %", 100 * time.share_within),
               seconds(time.mean_to_nearest_s), seconds(time.worst_to_nearest_s)});
  }
  times.print();
}

/// Null where there is no such time.
nlohmann::json unless_negative(double value) { return value_if(value >= 0, value); }

nlohmann::json table_json(const behavior::StateTable& table) {
  auto states = nlohmann::json::array(), times = nlohmann::json::array();
  for (const behavior::StateRow& row : table.states) {
    states.push_back(
        {{"state", row.state}, {"nodes", row.nodes}, {"mean_length_s", row.mean_length_s}, {"frames", row.frames}});
  }
  for (const behavior::StatePairTime& time : table.times) {
    times.push_back({{"from", table.states[time.from].state},
                     {"to", table.states[time.to].state},
                     {"transition", link_name(time)},
                     {"mean_to_nearest_s", unless_negative(time.mean_to_nearest_s)},
                     {"worst_to_nearest_s", unless_negative(time.worst_to_nearest_s)},
                     {"mean_to_each_s", unless_negative(time.mean_to_each_s)},
                     {"worst_to_each_s", unless_negative(time.worst_to_each_s)},
                     {"prompt_share", unless_negative(time.share_within)}});
  }
  return {{"states", std::move(states)}, {"times", std::move(times)}};
}

int table(const Command& command, const StatesTellArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = behavior::load_states(*library, arguments.name);
  if (!stored) return report(stored.error());
  const behavior::StateTable measured = behavior::measure_states(*stored->states);
  if (command.json) {
    print_json(table_json(measured));
  } else {
    print_table(measured);
  }
  return kDone;
}

/// How many transitions there are for each the machine has, and the nearest of them.
struct LinkCount {
  std::size_t transitions = 0;
  float nearest = 0;
};

LinkCount count_links(const behavior::StateGraph& states, const behavior::MachineTransition& link) {
  LinkCount count;
  for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
    if (states.state_of[n] != link.from) continue;
    for (const graph::Transition& t : states.graph.transitions_of(n)) {
      if (states.state_of[t.to] != link.to) continue;
      count.nearest = count.transitions++ == 0 ? t.distance : std::min(count.nearest, t.distance);
    }
  }
  return count;
}

/// The build is made again as it was, so that what is told is what a build does now.
int explain(const Command& command, const StatesTellArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = behavior::load_states(*library, arguments.name);
  if (!stored) return report(stored.error());
  const behavior::StateMachine& machine = stored->states->machine;
  const auto build = build_with_bar(*library, machine, project::state_options_from(stored->parameters));
  if (!build) return report(build.error());
  auto links = nlohmann::json::array();
  Table table({"from", "to", "transitions", "nearest distance"});
  for (const behavior::MachineTransition& link : machine.transitions) {
    const LinkCount count = count_links(*build->states, link);
    const std::string &from = machine.states[link.from].name, &to = machine.states[link.to].name;
    links.push_back({{"from", from},
                     {"to", to},
                     {"transitions", count.transitions},
                     {"nearest", value_if(count.transitions > 0, count.nearest)}});
    table.add({from, to, std::to_string(count.transitions),
               count.transitions > 0 ? fmt::format("{:.4f}", count.nearest) : "-"});
  }
  if (command.json) {
    print_json({{"states", yields_json(machine, *build)}, {"links", std::move(links)}});
    return kDone;
  }
  print_yields(machine, *build);
  say("\n");
  table.print();
  return kDone;
}

}  // namespace

void add_states_tell(Commands& commands) {
  Command& shown = commands.add("states", kStatesAbout, "table",
                                "nodes of each state, their length, and the time from one state to another",
                                "loom states table motions.loom fight");
  auto shown_arguments = add_shared(shown);
  shown.run = [shown_arguments](const Command& c) { return table(c, *shown_arguments); };
  Command& explained = commands.add("states", kStatesAbout, "explain",
                                    "what became of each state's motion, and what the machine's transitions rest on",
                                    "loom states explain motions.loom fight");
  auto explained_arguments = add_shared(explained);
  explained.run = [explained_arguments](const Command& c) { return explain(c, *explained_arguments); };
}

}  // namespace loom::app
