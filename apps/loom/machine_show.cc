// SPDX-License-Identifier: MIT
// `loom machine show`: a machine drawn, as a page.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/machine/stored_machine.h>
#include <loom/report/machine_page.h>

#include "loom/machine_commands.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct MachineShowArguments {
  std::string library, name, page;
};

int run(const Command& command, const MachineShowArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = machine::load_machine(*library, arguments.name);
  if (!stored) return report(stored.error());
  const behavior::StateMachine& machine = stored->machine.machine;
  std::vector<std::string> edits;
  for (const machine::MachineEdit& edit : stored->machine.edits) edits.push_back(edit.what);
  if (!arguments.page.empty()) {
    const std::string page = report::machine_page(machine, arguments.name, stored->parameters, edits);
    if (const auto saved = save_file(arguments.page, page); !saved) return report(saved.error());
  }
  if (!command.json) {
    print_machine(machine);
    for (const std::string& edit : edits) say("preferred: {}\n", edit);
    return kDone;
  }
  auto result = artefact_json(*library, machine::kMachineKind, arguments.name);
  if (!result) return report(result.error());
  result->update(machine_json(machine));
  result->update({{"edits", edits}, {"page", text_or_null(arguments.page)}});
  print_json(*result);
  return kDone;
}

}  // namespace

void add_machine_show(Commands& commands) {
  Command& command = commands.add("machine", kMachineAbout, "show", "tell a machine's states and edges, and draw it",
                                  "loom machine show motions.loom m -o m.html");
  auto arguments = std::make_shared<MachineShowArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("name", arguments->name, "the name of a machine in it")->required();
  command.outputs.add_file(*command.options, "-o,--out", arguments->page, "a page to draw it on: .html");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
