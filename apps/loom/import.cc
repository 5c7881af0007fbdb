// SPDX-License-Identifier: MIT
// `loom import`: motion files into a library.
#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/library/import.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/progress_bar.h"
#include "loom/read_options.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

using library::FileNote;
using library::ImportReport;

struct Arguments {
  std::string library;
  std::vector<std::string> paths;
  std::string labels;
  std::string up;
  library::ImportOptions options;
};

nlohmann::json list_of(const std::vector<FileNote>& notes, const char* what) {
  auto list = nlohmann::json::array();
  for (const FileNote& note : notes) list.push_back({{"file", note.file}, {what, note.text}});
  return list;
}

nlohmann::json guesses_of(const ImportReport& report) {
  auto list = nlohmann::json::array();
  for (const library::ImportGuess& guess : report.guesses) {
    nlohmann::json entry = {{"file", guess.file}, {"metres_per_unit", nullptr}, {"up", nullptr}};
    if (guess.metres_per_unit) entry["metres_per_unit"] = *guess.metres_per_unit;
    if (guess.up_axis) entry["up"] = std::string(1, "xyz"[*guess.up_axis]);
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::json faults_of(const ImportReport& report) {
  auto list = nlohmann::json::array();
  for (const library::ImportFault& fault : report.faults) {
    list.push_back({{"file", fault.file},
                    {"kind", fault.kind},
                    {"description", fault.text},
                    {"severity", fault.severity},
                    {"mended", fault.mended}});
  }
  return list;
}

Result<nlohmann::json> clips_of(const ImportReport& report, const std::string& path) {
  auto list = nlohmann::json::array();
  if (report.clips.empty()) return list;
  const auto library = library::Library::open(path);
  if (!library) return fail_from(library);
  for (const std::string& name : report.clips) {
    const auto info = library->clip_info(name);
    if (!info) return fail_from(info);
    list.push_back(clip_json(*info));
  }
  return list;
}

int show_json(const ImportReport& report, const std::string& library) {
  auto clips = clips_of(report, library);
  if (!clips) return app::report(clips.error());
  print_json({{"imported", report.clips.size()},
              {"frames", report.frames},
              {"failed", list_of(report.failed, "error")},
              {"seconds", report.seconds},
              {"fitted", report.fitted},
              {"skipped", list_of(report.skipped, "reason")},
              {"warnings", list_of(report.warnings, "warning")},
              {"notes", list_of(report.notes, "note")},
              {"guesses", guesses_of(report)},
              {"faults", faults_of(report)},
              {"clips", std::move(*clips)}});
  return kDone;
}

/// Tells what was noticed, once for all files it is true of: a folder of one performer has one unit, not hundreds.
void show_grouped(const std::vector<FileNote>& notes) {
  std::map<std::string, std::vector<const FileNote*>> groups;
  std::vector<const std::string*> order;
  for (const FileNote& note : notes) {
    auto& group = groups[note.text];
    if (group.empty()) order.push_back(&note.text);
    group.push_back(&note);
  }
  for (const std::string* text : order) {
    const auto& group = groups[*text];
    if (group.size() == 1) {
      notice(fmt::format("{}: {}", group.front()->file, *text));
    } else {
      notice(fmt::format("{} and {} more: {}", group.front()->file, group.size() - 1, *text));
    }
  }
}

void show(const ImportReport& report, const std::string& library) {
  show_grouped(report.notes);
  show_grouped(report.warnings);
  fmt::print("imported {} clips, {} frames into {} in {:.1f} s\n", report.clips.size(), report.frames, library,
             report.seconds);
  if (report.fitted > 0) fmt::print("fitted   {} of them to the library's body\n", report.fitted);
  if (!report.faults.empty()) {
    const auto mended =
        std::count_if(report.faults.begin(), report.faults.end(), [](const auto& f) { return f.mended; });
    fmt::print("found    {} faults of capture and mended {}; loom info {} CLIP tells them\n", report.faults.size(),
               mended, library);
  }
  if (!report.skipped.empty()) fmt::print("skipped  {} that were there already\n", report.skipped.size());
  for (const FileNote& failure : report.failed) notice(fmt::format("{}: {}", failure.file, failure.text));
  if (!report.failed.empty()) fmt::print("failed   {}\n", report.failed.size());
}

int run(const Command& command, Arguments& arguments) {
  if (!arguments.up.empty()) arguments.options.read.up_axis = arguments.up[0] - 'x';
  if (!arguments.labels.empty()) {
    auto table = library::read_label_table(arguments.labels);
    if (!table) return report(table.error());
    arguments.options.labels = std::move(*table);
  }
  const library::MotionFiles found = library::find_motion_files(arguments.paths);
  ImportReport done;
  if (!found.files.empty()) {
    auto target = library::Library::open_or_create(arguments.library);
    if (!target) return report(target.error());
    ProgressBar bar;
    auto imported = library::import_motions(*target, found.files, arguments.options, bar.progress());
    if (!imported) return report(imported.error());
    done = std::move(*imported);
  }
  done.failed.insert(done.failed.begin(), found.failed.begin(), found.failed.end());
  if (command.json) {
    if (const int told = show_json(done, arguments.library); told != kDone) return told;
  } else {
    show(done, arguments.library);
  }
  return done.failed.empty() ? kDone : kFailed;
}

}  // namespace

void add_import(Commands& commands) {
  auto arguments = std::make_shared<Arguments>();
  Command& command = commands.add("import", "bring motion files and folders into a library",
                                  "loom import moves.loom capture/ --labels capture/labels.csv --rate 30");
  CLI::App& options = *command.options;
  options.add_option("library", arguments->library, "the library; made where there is none")->required();
  options.add_option("paths", arguments->paths, "motion files, and folders to search")->required();
  options.add_option("--labels", arguments->labels,
                     "CSV file with the columns file,label,from,to (frames of the file)");
  options.add_option("--rate", arguments->options.rate, "resample to this many frames a second")
      ->check(CLI::Range(1.0, 1000.0));
  options.add_flag("--keep-apart", arguments->options.keep_apart, "keep every performer's proportions");
  options.add_option("--body", arguments->options.body,
                     "fit to the body of this clip, file or performer (the first by default)");
  options.add_flag("--keep-faults", arguments->options.keep_faults, "find and tell faults of capture, but mend none");
  options.add_flag("--replace", arguments->options.replace, "import again what was imported before");
  options.add_option("--scale", arguments->options.read.metres_per_unit, "metres in one unit of the files")
      ->check(CLI::PositiveNumber);
  add_choice(options, "--up", arguments->up, {"x", "y", "z"}, "the files' vertical axis");
  options.add_flag("--keep-t-pose", arguments->options.read.keep_t_pose,
                   "keep an artificial T-pose in the first frame");
  options.add_option("--asf", arguments->options.read.asf_file, "the skeleton of the AMC files");
  add_root_offset(options, arguments->options.read);
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
