// SPDX-License-Identifier: MIT
// `loom remove`: clips and whatever was built of them out of a library; all that is named, or nothing.
#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/graph/stored_graph.h>
#include <loom/library/artefact_kinds.h>
#include <loom/library/library.h>
#include <loom/library/listing.h>
#include <loom/project/dependents.h>

#include "loom/chosen_names.h"
#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

using library::ArtefactInfo;
using project::Dependent;
using project::Removal;

/// The kinds that have an option of their own; what goes along with another has none, but for a policy of a graph.
std::vector<const library::ArtefactKind*> removable_kinds() {
  std::vector<const library::ArtefactKind*> kinds;
  for (const library::ArtefactKind& kind : library::kArtefactKinds) {
    if (kind.name != graph::kPairsKind) kinds.push_back(&kind);
  }
  return kinds;
}

struct RemoveArguments {
  std::string library;
  std::vector<std::string> clips;
  std::map<std::string, std::vector<std::string>> artefacts;  ///< names or patterns, by kind
  bool dependents = false;
  bool dry_run = false;
};

Result<void> choose_clips(const library::Library& library, const RemoveArguments& arguments, Removal& removal) {
  auto listed = library::list_clips(library);
  if (!listed) return fail_from(listed);
  std::vector<library::ClipInfo>& infos = listed->clips;
  for (const library::DamagedClip& clip : listed->damaged) infos.push_back({clip.name, 0, 0, 0, 0, {}, {}});
  std::vector<std::string> names;
  for (const library::ClipInfo& info : infos) names.push_back(info.name);
  const auto chosen = chosen_names(arguments.clips, names, [&](const std::string& word) {
    const auto known = library.clip_info(word);  // names the nearest
    return known ? Error{fmt::format("'{}' was added at this moment; say it again", word), library.path(), 0}
                 : known.error();
  });
  if (!chosen) return fail_from(chosen);
  for (const library::ClipInfo& info : infos) {
    if (std::find(chosen->begin(), chosen->end(), info.name) != chosen->end()) removal.clips.push_back(info);
  }
  return {};
}

Result<void> choose_artefacts(const library::Library& library, const std::string& kind,
                              const std::vector<std::string>& words, Removal& removal) {
  const auto infos = library.artefacts(kind);
  if (!infos) return fail_from(infos);
  std::vector<std::string> names;
  for (const ArtefactInfo& info : *infos) names.push_back(info.name);
  const auto chosen = chosen_names(words, names, [&](const std::string& word) {
    return Error{fmt::format("there is no {} called '{}'; there {}", kind, word,
                             names.empty() ? "are none at all" : fmt::format("are: {}", fmt::join(names, ", "))),
                 library.path(), 0, ErrorKind::kNotFound};
  });
  if (!chosen) return fail_from(chosen);
  for (const ArtefactInfo& info : *infos) {
    if (std::find(chosen->begin(), chosen->end(), info.name) != chosen->end()) removal.artefacts.push_back(info);
  }
  return {};
}

Result<Removal> choose(const library::Library& library, const RemoveArguments& arguments) {
  Removal removal;
  if (auto done = choose_clips(library, arguments, removal); !done) return fail_from(done);
  for (const auto& [kind, words] : arguments.artefacts) {
    if (auto done = choose_artefacts(library, kind, words, removal); !done) return fail_from(done);
  }
  if (auto done = project::add_what_goes_along(library, removal); !done) return fail_from(done);
  return removal;
}

/// What was done, or would be.
struct RemovalReport {
  Removal removal;
  std::vector<Dependent> dependents;
  std::size_t bytes_before = 0, bytes_after = 0;  ///< of the library
};

Result<RemovalReport> remove(library::Library& library, const RemoveArguments& arguments) {
  RemovalReport report;
  const auto before = library.space();
  if (!before) return fail_from(before);
  report.bytes_before = report.bytes_after = before->bytes;
  const auto chosen_and_taken = [&]() -> Result<void> {
    auto removal = choose(library, arguments);
    if (!removal) return fail_from(removal);
    auto dependents = project::find_dependents(library, *removal);
    if (!dependents) return fail_from(dependents);
    if (arguments.dependents) {
      for (Dependent& dependent : *dependents) removal->artefacts.push_back(std::move(dependent.artefact));
      dependents->clear();
      if (auto done = project::add_what_goes_along(library, *removal); !done) return fail_from(done);
    }
    report.removal = std::move(*removal);
    report.dependents = std::move(*dependents);
    return arguments.dry_run ? Result<void>() : project::remove(library, report.removal);
  };
  if (auto done = arguments.dry_run ? chosen_and_taken() : library.transact(chosen_and_taken); !done) {
    return fail_from(done);
  }
  if (arguments.dry_run) return report;
  // What was asked for is done by now: where the space cannot be given back, that is told and is no failure.
  if (const auto given = library.give_back_space(); !given) {
    notice("the space was not given back to the disk: " + given.error().to_string());
  }
  const auto after = library.space();
  if (!after) return fail_from(after);
  report.bytes_after = after->bytes;
  return report;
}

nlohmann::json to_json(const RemovalReport& report, const RemoveArguments& arguments) {
  auto clips = nlohmann::json::array(), artefacts = nlohmann::json::array(), dependents = nlohmann::json::array();
  for (const library::ClipInfo& clip : report.removal.clips) clips.push_back(clip_json(clip));
  for (const ArtefactInfo& info : report.removal.artefacts) artefacts.push_back(artefact_json(info));
  for (const Dependent& dependent : report.dependents) {
    dependents.push_back(artefact_json(dependent.artefact));
    dependents.back()["needs"] = dependent.needs;
  }
  return {{"dry_run", arguments.dry_run},        {"clips", std::move(clips)},
          {"artefacts", std::move(artefacts)},   {"dependents", std::move(dependents)},
          {"bytes_before", report.bytes_before}, {"bytes_after", value_if(!arguments.dry_run, report.bytes_after)}};
}

void show(const RemovalReport& report, const RemoveArguments& arguments) {
  const char* verb = arguments.dry_run ? "would remove" : "removed";
  const std::size_t clips = report.removal.clips.size();
  if (clips > 0) say("{} {} clip{}\n", verb, clips, clips == 1 ? "" : "s");
  for (const ArtefactInfo& info : report.removal.artefacts) {
    if (info.kind != graph::kPairsKind) say("{} {} '{}'\n", verb, info.kind, info.name);
  }
  for (const Dependent& dependent : report.dependents) {
    const std::size_t more = dependent.needs.size() - 1;
    say("{} '{}' {} be used without {}{}\n", dependent.artefact.kind, dependent.artefact.name,
        arguments.dry_run ? "could not" : "cannot", dependent.needs.front(),
        more == 0 ? "" : fmt::format(" and {} more", more));
  }
  if (!arguments.dry_run) {
    say("{}: {:.1f} MB, and was {:.1f} MB\n", arguments.library, static_cast<double>(report.bytes_after) / 1e6,
        static_cast<double>(report.bytes_before) / 1e6);
  }
}

int run(const Command& command, const RemoveArguments& arguments) {
  const bool names_artefacts = std::any_of(arguments.artefacts.begin(), arguments.artefacts.end(),
                                           [](const auto& of_kind) { return !of_kind.second.empty(); });
  if (arguments.clips.empty() && !names_artefacts) {
    return wrong_usage(
        "say what to remove: clips by name or pattern, --graph NAME, --family NAME, ... (`loom remove --help`)");
  }
  auto library =
      library::Library::open(arguments.library, arguments.dry_run ? library::Access::kRead : library::Access::kWrite);
  if (!library) return report(library.error());
  const auto removed = remove(*library, arguments);
  if (!removed) return report(removed.error());
  if (command.json) {
    print_json(to_json(*removed, arguments));
  } else {
    show(*removed, arguments);
  }
  return kDone;
}

}  // namespace

void add_remove(Commands& commands) {
  Command& command = commands.add("remove", "take clips, or what was built of them, out of a library",
                                  "loom remove motions.loom walk-slow 'take-0*' --graph main\n"
                                  "  loom remove motions.loom --policy '*' --dry-run");
  auto arguments = std::make_shared<RemoveArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("clips", arguments->clips, "clips to remove, by name or pattern ('walk-*')");
  for (const library::ArtefactKind* kind : removable_kinds()) {
    options
        .add_option(fmt::format("--{}", kind->name), arguments->artefacts[std::string(kind->name)],
                    fmt::format("{} to remove, by name or pattern; several times", kind->what))
        ->allow_extra_args(false);
  }
  options.add_flag("--dependents", arguments->dependents, "and what cannot be used without what goes");
  options.add_flag("--dry-run", arguments->dry_run, "only tell what would be removed, and what depends on it");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
