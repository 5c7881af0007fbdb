// SPDX-License-Identifier: MIT
// `loom machine build`: states filled with motion, transitions found between them.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/project/machines.h>

#include "loom/machine_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct MachineBuildArguments {
  std::string library, name;
  machine::BuildOptions options;
  bool plain = false;
};

const char* kind_of(const machine::BuiltState& state) {
  if (state.space->size() > 1) return state.cyclic ? "blended cycle" : "blended action";
  return state.cyclic ? "cycle" : "action";
}

/// The longest time one may have to wait for a transition, seconds; of a motion that ends, until it is left.
double longest_wait(const machine::BuiltMachine& built, std::size_t from, std::size_t to) {
  const auto ways = built.between(from, to);
  const machine::BuiltState& state = built.states[from];
  const double seconds = state.end - state.begin;
  if (!state.cyclic) return ways.back().begin() * seconds;
  double longest = 1 + ways.front().begin() - ways.back().begin();
  for (std::size_t w = 1; w < ways.size(); ++w) longest = std::max(longest, ways[w].begin() - ways[w - 1].begin());
  return longest * seconds;
}

double cheapest(std::span<const machine::BuiltTransition> ways) {
  double least = ways.front().cost;
  for (const machine::BuiltTransition& way : ways) least = std::min(least, way.cost);
  return least;
}

nlohmann::json states_json(const machine::BuiltMachine& built) {
  auto states = nlohmann::json::array();
  for (const machine::BuiltState& state : built.states) {
    auto parameters = nlohmann::json::array();
    for (std::size_t p = 0; state.parameters && p < state.parameters->space.size(); ++p) {
      const machine::StateParameters& known = *state.parameters;
      parameters.push_back({{"name", known.space.parameters[p].name},
                            {"unit", known.space.parameters[p].unit},
                            {"least", known.least[p]},
                            {"most", known.most[p]},
                            {"usual", known.usual[p]}});
    }
    states.push_back({{"name", state.name},
                      {"cyclic", state.cyclic},
                      {"examples", state.space->size()},
                      {"seconds", state.end - state.begin},
                      {"self_distance_m", std::sqrt(state.self_cost)},
                      {"after", state.after ? nlohmann::json(built.states[*state.after].name) : nlohmann::json()},
                      {"parameters", std::move(parameters)}});
  }
  return states;
}

nlohmann::json transitions_json(const machine::BuiltMachine& built) {
  auto pairs = nlohmann::json::array();
  for (const behavior::MachineTransition& t : built.machine.transitions) {
    if (t.from == t.to) continue;
    const auto ways = built.between(t.from, t.to);
    pairs.push_back({{"from", built.states[t.from].name},
                     {"to", built.states[t.to].name},
                     {"points", ways.size()},
                     {"longest_wait_s", longest_wait(built, t.from, t.to)},
                     {"distance_m", std::sqrt(cheapest(ways))}});
  }
  return pairs;
}

int run(const Command& command, const MachineBuildArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  machine::BuildOptions options = arguments.options;
  options.parametric = !arguments.plain;
  const auto built = [&] {
    ProgressBar bar;
    return project::build_machine(*library, arguments.name, options, bar.progress());
  }();
  if (!built) return report(built.error());
  if (command.json) {
    auto result = artefact_json(*library, machine::kBuiltMachineKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"states", states_json(*built)}, {"transitions", transitions_json(*built)}});
    print_json(*result);
    return kDone;
  }
  Table states({"state", "kind", "examples", "seconds", "closes within"});
  for (const machine::BuiltState& state : built->states) {
    states.add({state.name, kind_of(state), fmt::format("{}", state.space->size()),
                fmt::format("{:.2f}", state.end - state.begin),
                state.cyclic ? fmt::format("{:.1f} cm", 100 * std::sqrt(state.self_cost)) : std::string("-")});
  }
  states.print();
  Table table({"from", "to", "points", "longest wait", "distance"});
  for (const behavior::MachineTransition& t : built->machine.transitions) {
    if (t.from == t.to) continue;
    const auto ways = built->between(t.from, t.to);
    table.add({built->states[t.from].name, built->states[t.to].name, fmt::format("{}", ways.size()),
               fmt::format("{:.2f} s", longest_wait(*built, t.from, t.to)),
               fmt::format("{:.1f} cm", 100 * std::sqrt(cheapest(ways)))});
  }
  table.print();
  return kDone;
}

}  // namespace

void add_machine_build(Commands& commands) {
  Command& command = commands.add("machine", kMachineAbout, "build",
                                  "fill a machine's states with motion and find the transitions between them",
                                  "loom machine build motions.loom m");
  auto arguments = std::make_shared<MachineBuildArguments>();
  machine::BuildOptions& options = arguments->options;
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("name", arguments->name, "the name of a machine in it")->required();
  command.options->add_option("--rate", options.rate, "frames a second; else those of its families, or 30");
  command.options->add_option("--seconds", options.transition_seconds, "how long a transition takes (0.3)");
  command.options->add_option("--cycle", options.longest_cycle, "seconds of the longest cycle that is looked for (6)");
  command.options->add_option("--patience", options.patience,
                              "square metres of distance that a second of waiting is worth (0.03)");
  command.options->add_option("--wait", options.longest_wait,
                              "seconds from one transition of a cycle to the next, at the most (1.5)");
  command.options->add_option("--body", options.body, "a body's number or a clip that moves it; else the only one");
  command.options->add_flag("--plain", arguments->plain,
                            "do not look which parameters fit: always enter the usual ones");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
