// SPDX-License-Identifier: MIT
// `loom label`: name stretches of clips.
#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/library/import_labels.h>
#include <loom/library/library.h>
#include <loom/measure/suggest_labels.h>

#include "loom/chosen_names.h"
#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

using library::Library;

struct LabelArguments {
  std::string library, clip, name, table;
  std::optional<std::size_t> from, to;
  std::vector<std::string> only, clips;
  std::string as;
  bool remove = false, list = false, suggest = false, accept = false, all = false;
};

int list_labels(const Command& command, const Library& library) {
  const auto totals = library.label_totals();
  if (!totals) return report(totals.error());
  if (command.json) {
    print_json({{"labels", label_totals_json(*totals)}});
    return kDone;
  }
  Table table({"label", "clips", "ranges", "seconds"});
  for (const auto& total : *totals) {
    table.add(
        {total.name, std::to_string(total.clips), std::to_string(total.ranges), fmt::format("{:.1f}", total.seconds)});
  }
  table.print();
  return kDone;
}

int import_table(const Command& command, Library& library, const std::string& path) {
  const auto table = library::read_label_table(path);
  if (!table) return report(table.error());
  const auto done = library::import_labels(library, *table);
  if (!done) return report(done.error());
  if (command.json) {
    auto warnings = nlohmann::json::array();
    for (const auto& note : done->warnings) warnings.push_back({{"row", note.file}, {"warning", note.text}});
    print_json({{"added", done->added}, {"clip_count", done->clips}, {"warnings", std::move(warnings)}});
    return kDone;
  }
  for (const auto& note : done->warnings) notice(note.file + ": " + note.text);
  say("added {} labels to {} clips\n", done->added, done->clips);
  return kDone;
}

int add_label(const Command& command, Library& library, const LabelArguments& arguments) {
  const auto clip = library.clip_info(arguments.clip);
  if (!clip) return report(clip.error());
  const motion::Label label{arguments.name, arguments.from.value_or(0), arguments.to.value_or(clip->frames)};
  if (const auto added = library.add_label(arguments.clip, label); !added) return report(added.error());
  if (command.json) {
    print_json({{"clip", arguments.clip}, {"label", label.name}, {"from", label.begin}, {"to", label.end}});
  } else {
    say("{}: {} from {} to {}\n", arguments.clip, label.name, label.begin, label.end);
  }
  return kDone;
}

int remove_label(const Command& command, Library& library, const LabelArguments& arguments) {
  const auto clip = library.clip_info(arguments.clip);
  if (!clip) return report(clip.error());
  const bool one = arguments.from || arguments.to;
  const motion::Label label{arguments.name, arguments.from.value_or(0), arguments.to.value_or(clip->frames)};
  const auto removed =
      one ? library.remove_label(arguments.clip, label) : library.remove_label(arguments.clip, arguments.name);
  if (!removed) return report(removed.error());
  if (*removed == 0)
    return report(
        {fmt::format("clip '{}' carries no such label", arguments.clip), library.path(), 0, ErrorKind::kNotFound});
  if (command.json) {
    print_json({{"clip", arguments.clip}, {"label", arguments.name}, {"removed", *removed}});
  } else {
    say("{}: {} removed {}\n", arguments.clip, arguments.name, *removed);
  }
  return kDone;
}

/// Labels many clips, each as a whole, or takes the label off all of them; all or none.
int label_many(const Command& command, Library& library, const LabelArguments& arguments) {
  const auto infos = library.clips();
  if (!infos) return report(infos.error());
  std::vector<std::string> names;
  for (const library::ClipInfo& info : *infos) names.push_back(info.name);
  const auto chosen = chosen_names(arguments.clips, names, [&](const std::string& word) {
    const auto known = library.clip_info(word);  // names the nearest
    return known ? Error{fmt::format("'{}' was added at this moment; say it again", word), library.path(), 0}
                 : known.error();
  });
  if (!chosen) return report(chosen.error());
  std::size_t changed = 0;
  const auto done = library.transact([&]() -> Result<void> {
    for (const std::string& name : *chosen) {
      if (arguments.remove) {
        const auto removed = library.remove_label(name, arguments.as);
        if (!removed) return fail_from(removed);
        changed += *removed > 0 ? 1 : 0;
        continue;
      }
      const auto info = library.clip_info(name);
      if (!info) return fail_from(info);
      if (auto added = library.add_label(name, {arguments.as, 0, info->frames}); !added) return added;
      ++changed;
    }
    return {};
  });
  if (!done) return report(done.error());
  if (command.json) {
    print_json({{"label", arguments.as}, {"clip_count", changed}});
  } else {
    say("{} {} {} clip{}\n", arguments.as, arguments.remove ? "is off" : "labels", changed, changed == 1 ? "" : "s");
  }
  return kDone;
}

/// A clip, and what it could be labelled; a body without feet is told nothing of.
struct Suggested {
  std::string clip;
  std::vector<measure::SuggestedLabel> labels;
};

/// Suggestions for one clip, or for all that carry no labels (with --all for all), of the labels that are asked for.
Result<std::vector<Suggested>> suggestions(const Library& library, const LabelArguments& arguments) {
  std::vector<std::string> names;
  if (!arguments.clip.empty()) {
    names.push_back(arguments.clip);
  } else {
    const auto infos = library.clips();
    if (!infos) return fail_from(infos);
    for (const library::ClipInfo& info : *infos) {
      if (info.labels.empty() || arguments.all) names.push_back(info.name);
    }
  }
  std::vector<Suggested> all;
  for (const std::string& name : names) {
    const auto clip = library.read_clip(name);
    if (!clip) return fail_from(clip);
    auto found = measure::suggest_labels(*clip);
    if (!found) {
      if (!arguments.clip.empty()) return fail_from(found);
      continue;
    }
    if (!arguments.only.empty()) {
      std::erase_if(*found, [&](const measure::SuggestedLabel& one) {
        return std::find(arguments.only.begin(), arguments.only.end(), one.label.name) == arguments.only.end();
      });
    }
    if (!found->empty()) all.push_back({name, std::move(*found)});
  }
  return all;
}

int suggest(const Command& command, Library& library, const LabelArguments& arguments) {
  const auto all = suggestions(library, arguments);
  if (!all) return report(all.error());
  if (arguments.accept) {
    const auto added = library.transact([&]() -> Result<void> {
      for (const Suggested& clip : *all) {
        for (const measure::SuggestedLabel& one : clip.labels) {
          if (auto done = library.add_label(clip.clip, one.label); !done) return done;
        }
      }
      return {};
    });
    if (!added) return report(added.error());
  }
  auto list = nlohmann::json::array();
  Table table({"clip", "label", "from", "to", "since"});
  for (const Suggested& clip : *all) {
    for (const auto& [label, why] : clip.labels) {
      list.push_back(
          {{"clip", clip.clip}, {"label", label.name}, {"from", label.begin}, {"to", label.end}, {"why", why}});
      table.add({clip.clip, label.name, std::to_string(label.begin), std::to_string(label.end), why});
    }
  }
  if (command.json) {
    print_json({{"suggested", std::move(list)}, {"accepted", arguments.accept}});
    return kDone;
  }
  if (all->empty()) {
    say("nothing to suggest: {}\n",
        arguments.clip.empty() && !arguments.all
            ? "all clips are labelled (--all looks at them, too), or show nothing that is known"
            : "the motion shows nothing that is known");
    return kDone;
  }
  table.print();
  if (!arguments.accept) say("nothing is labelled yet; --accept does, --only LABEL says which\n");
  return kDone;
}

int run(const Command& command, const LabelArguments& arguments) {
  if (arguments.suggest) {
    if (arguments.list || arguments.remove || !arguments.table.empty() || !arguments.name.empty()) {
      return wrong_usage("--suggest goes with a clip or none, --all, --only and --accept");
    }
    auto library =
        Library::open(arguments.library, arguments.accept ? library::Access::kWrite : library::Access::kRead);
    if (!library) return report(library.error());
    return suggest(command, *library, arguments);
  }
  if (arguments.accept || arguments.all || !arguments.only.empty()) {
    return wrong_usage("--accept, --all and --only go with --suggest");
  }
  if (!arguments.clips.empty()) {
    const bool more = !arguments.clip.empty() || arguments.list || arguments.from || arguments.to;
    if (arguments.as.empty() || more || !arguments.table.empty()) {
      return wrong_usage("--clips goes with --as LABEL, and with --remove");
    }
    auto library = Library::open(arguments.library, library::Access::kWrite);
    if (!library) return report(library.error());
    return label_many(command, *library, arguments);
  }
  if (!arguments.as.empty()) return wrong_usage("--as LABEL goes with --clips");
  const bool one_clip = !arguments.clip.empty();
  if (arguments.list + !arguments.table.empty() + one_clip != 1) {
    return wrong_usage("say either a clip and a label, or --import FILE.csv, or --list, or --suggest");
  }
  if (one_clip && arguments.name.empty()) return wrong_usage("which label? (loom label LIBRARY CLIP LABEL)");
  auto library = Library::open(arguments.library, arguments.list ? library::Access::kRead : library::Access::kWrite);
  if (!library) return report(library.error());
  if (arguments.list) return list_labels(command, *library);
  if (!arguments.table.empty()) return import_table(command, *library, arguments.table);
  return arguments.remove ? remove_label(command, *library, arguments) : add_label(command, *library, arguments);
}

}  // namespace

void add_label(Commands& commands) {
  auto arguments = std::make_shared<LabelArguments>();
  Command& command = commands.add("label", "name stretches of clips",
                                  "loom label moves.loom 16_11 turn-left --from 20 --to 75\n"
                                  "  loom label moves.loom --suggest --only walk run --accept");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clip", arguments->clip, "the clip to label");
  options.add_option("label", arguments->name, "the label");
  options.add_option("--from", arguments->from, "first frame (0 by default)");
  options.add_option("--to", arguments->to, "one past the last frame (the end by default)");
  options.add_flag("--remove", arguments->remove,
                   "take the label off; everywhere in the clip, unless a range is given");
  options.add_option("--import", arguments->table, "CSV file with the columns file,label,from,to (frames of the file)");
  options.add_option("--clips", arguments->clips, "label all clips of these names or patterns, each as a whole");
  options.add_option("--as", arguments->as, "with --clips: the label");
  options.add_flag("--list", arguments->list, "list all labels of the library");
  options.add_flag("--suggest", arguments->suggest,
                   "suggest labels from the motion: of the clip, or of all clips that have none");
  options.add_flag("--all", arguments->all, "with --suggest: also for clips that have labels");
  options.add_option("--only", arguments->only, "with --suggest: only these labels");
  options.add_flag("--accept", arguments->accept, "with --suggest: label the clips so");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
