// SPDX-License-Identifier: MIT
// `loom rename`: other names for clips of a library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/project/rename.h>

#include "loom/chosen_names.h"
#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct RenameArguments {
  std::string library, as;
  std::vector<std::string> clips;
  bool anyway = false;
};

Result<std::vector<std::string>> clips_meant(const library::Library& library, const RenameArguments& arguments) {
  const auto infos = library.clips();
  if (!infos) return fail_from(infos);
  std::vector<std::string> names;
  for (const library::ClipInfo& info : *infos) names.push_back(info.name);
  return chosen_names(arguments.clips, names, [&](const std::string& word) {
    const auto known = library.clip_info(word);  // names the nearest
    return known ? Error{fmt::format("'{}' was added at this moment; say it again", word), library.path(), 0}
                 : known.error();
  });
}

/// What would not find its clips any more, told in one sentence.
Error refusal(const std::vector<project::Dependent>& broken, const std::string& library) {
  std::string names;
  for (const project::Dependent& one : broken) {
    names += fmt::format("{}{} '{}'", names.empty() ? "" : ", ", one.artefact.kind, one.artefact.name);
  }
  return {fmt::format("built of these clips by their names: {}. --anyway renames them, and what was built cannot be "
                      "used until it is built anew",
                      names),
          library, 0, ErrorKind::kBadInput};
}

int run(const Command& command, const RenameArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto clips = clips_meant(*library, arguments);
  if (!clips) return report(clips.error());
  const auto wanted = project::renamings(*clips, arguments.as);
  if (!wanted) return report(wanted.error());
  const auto broken = project::broken_by(*library, *wanted);
  if (!broken) return report(broken.error());
  if (!broken->empty() && !arguments.anyway) return report(refusal(*broken, arguments.library));
  if (const auto done = project::rename(*library, *wanted); !done) return report(done.error());
  if (command.json) {
    auto renamed = nlohmann::json::array(), dependents = nlohmann::json::array();
    for (const project::Renaming& one : *wanted) renamed.push_back({{"was", one.from}, {"name", one.to}});
    for (const project::Dependent& one : *broken) {
      dependents.push_back(artefact_json(one.artefact));
      dependents.back()["needs"] = one.needs;
    }
    print_json({{"renamed", std::move(renamed)}, {"dependents", std::move(dependents)}});
    return kDone;
  }
  for (const project::Renaming& one : *wanted) say("{} is {} now\n", one.from, one.to);
  for (const project::Dependent& one : *broken) {
    say("{} '{}' cannot be used without {}\n", one.artefact.kind, one.artefact.name, one.needs.front());
  }
  return kDone;
}

}  // namespace

void add_rename(Commands& commands) {
  auto arguments = std::make_shared<RenameArguments>();
  Command& command = commands.add("rename", "give clips of a library other names",
                                  "loom rename moves.loom 16_11 --as turn-1\n"
                                  "  loom rename moves.loom '144_*' --as 'kick-#'");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clips", arguments->clips, "clips by name or pattern ('16_*')")->required();
  options
      .add_option("--as", arguments->as,
                  "the new name; of several clips a pattern, in which '*' stands for the old name, '#' for 1, 2, 3 ...")
      ->required();
  options.add_flag("--anyway", arguments->anyway, "even where something was built of them by their names");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
