// SPDX-License-Identifier: MIT
// `loom remove`: clips, graphs and families out of a library; all of those named, or none.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family.h>
#include <loom/graph/build.h>
#include <loom/library/library.h>

#include "loom/command.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct Arguments {
  std::string library;
  std::vector<std::string> clips, graphs, families;
};

Result<void> remove_all(library::Library& library, const Arguments& arguments) {
  for (const std::string& name : arguments.clips) {
    if (auto gone = library.remove_clip(name); !gone) return gone;
  }
  for (const std::string& name : arguments.graphs) {
    if (auto gone = graph::remove_graph(library, name); !gone) return gone;
  }
  for (const std::string& name : arguments.families) {
    if (auto gone = library.remove_artefact(blend::kFamilyKind, name); !gone) return gone;
  }
  return {};
}

int run(const Command& command, const Arguments& arguments) {
  if (arguments.clips.empty() && arguments.graphs.empty() && arguments.families.empty()) {
    notice("say what to remove: clips by name, --graph NAME or --family NAME");
    return kWrongUsage;
  }
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto gone = library->transact([&] { return remove_all(*library, arguments); });
  if (!gone) return report(gone.error());
  if (command.json) {
    print_json({{"clips", arguments.clips}, {"graphs", arguments.graphs}, {"families", arguments.families}});
    return kDone;
  }
  fmt::print("removed {} clips, {} graphs and {} families from {}\n", arguments.clips.size(), arguments.graphs.size(),
             arguments.families.size(), arguments.library);
  return kDone;
}

}  // namespace

void add_remove(Commands& commands) {
  Command& command = commands.add("remove", "take clips, graphs or families out of a library",
                                  "loom remove motions.loom walk-slow --graph main");
  auto arguments = std::make_shared<Arguments>();
  CLI::App& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("clips", arguments->clips, "clips to remove");
  options.add_option("--graph", arguments->graphs, "a graph to remove; its clips stay")->allow_extra_args(false);
  options.add_option("--family", arguments->families, "a family to remove; its clips stay")->allow_extra_args(false);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
