// SPDX-License-Identifier: MIT
// `loom machine read | write`: machines of behaviors as files that people read and write.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/library/library.h>
#include <loom/machine/stored_machine.h>
#include <loom/machine/ways.h>
#include <loom/project/machines.h>

#include "loom/machine_commands.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct MachineFilesArguments {
  std::string library, name, file;
};

int read(const Command& command, const MachineFilesArguments& arguments) {
  auto machine = behavior::load_machine(arguments.file);
  if (!machine) return report(machine.error());
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const nlohmann::json parameters = {{"file", arguments.file}};
  const machine::BehaviorMachine kept{std::move(*machine), {}};
  const auto stored = project::put_machine(*library, arguments.name, kept.machine, json_text(parameters));
  if (!stored) return report(stored.error());
  if (!command.json) {
    say("machine '{}' out of {}\n", arguments.name, arguments.file);
    print_machine(kept.machine);
    return kDone;
  }
  auto result = artefact_json(*library, machine::kMachineKind, arguments.name);
  if (!result) return report(result.error());
  result->update(machine_json(kept.machine));
  print_json(*result);
  return kDone;
}

int write(const Command& command, const MachineFilesArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = machine::load_machine(*library, arguments.name);
  if (!stored) return report(stored.error());
  const behavior::StateMachine& machine = stored->machine.machine;
  const std::string text = behavior::format_machine(machine);
  if (const auto saved = save_file(arguments.file, text); !saved) return report(saved.error());
  if (command.json) {
    nlohmann::json result = machine_json(machine);
    result["file"] = arguments.file;
    print_json(result);
    return kDone;
  }
  say("{}: {} states, {} transitions, {} warps\n", arguments.file, machine.states.size(), machine.transitions.size(),
      machine.warps.size());
  return kDone;
}

}  // namespace

nlohmann::json machine_json(const behavior::StateMachine& machine) {
  auto states = nlohmann::json::array(), edges = nlohmann::json::array();
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    states.push_back({{"name", machine.states[s].name},
                      {"cyclic", machine.keeps_itself(s)},
                      {"default", s == machine.default_state}});
  }
  for (const machine::Edge& edge : machine::edges_of(machine)) {
    edges.push_back({{"from", machine.states[edge.from].name},
                     {"to", machine.states[edge.to].name},
                     {"probability", edge.probability}});
  }
  return {{"states", std::move(states)}, {"edges", std::move(edges)}};
}

void print_machine(const behavior::StateMachine& machine) {
  Table table({"from", "to", "probability"});
  for (const machine::Edge& edge : machine::edges_of(machine)) {
    table.add({machine.states[edge.from].name, machine.states[edge.to].name, fmt::format("{:.3f}", edge.probability)});
  }
  table.print();
  std::string cyclic;
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    if (machine.keeps_itself(s)) cyclic += (cyclic.empty() ? "" : ", ") + machine.states[s].name;
  }
  say("cyclic: {}\n", cyclic.empty() ? std::string("none") : cyclic);
}

void add_machine_files(Commands& commands) {
  Command& writing = commands.add("machine", kMachineAbout, "write", "write a machine to a file that people read",
                                  "loom machine write motions.loom m m.machine");
  auto written = std::make_shared<MachineFilesArguments>();
  writing.options->add_option("library", written->library, "a .loom file")->required();
  writing.options->add_option("name", written->name, "the name of a machine in it")->required();
  writing.outputs.add_file(*writing.options, "file", written->file, "the file to write")->required();
  writing.run = [written](const Command& c) { return write(c, *written); };
  Command& reading = commands.add("machine", kMachineAbout, "read", "put a machine from a file into a library",
                                  "loom machine read motions.loom m.machine --name m");
  auto given = std::make_shared<MachineFilesArguments>();
  reading.options->add_option("library", given->library, "a .loom file")->required();
  reading.options->add_option("file", given->file, "a machine file (docs/machines.md)")->required();
  reading.options->add_option("--name", given->name, "what to call it")->required()->check(not_empty());
  reading.run = [given](const Command& c) { return read(c, *given); };
}

}  // namespace loom::app
