// SPDX-License-Identifier: MIT
// `loom import`: motion files into a library.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/library/import.h>
#include <loom/library/note_groups.h>
#include <loom/library/pack.h>
#include <loom/project/carry_over.h>

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

struct ImportArguments {
  std::string library;
  std::vector<std::string> paths;
  std::string labels;
  std::string up;
  std::string log;
  bool packed = false;
  double error_mm = 0.5;
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
                    {"mended", fault.mended},
                    {"rate", value_if(fault.rate > 0, fault.rate)}});
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

int show_json(const ImportReport& report, const std::optional<library::PackReport>& packed,
              const std::string& library) {
  auto clips = clips_of(report, library);
  if (!clips) return app::report(clips.error());
  print_json({{"imported", report.clips.size()},
              {"frames", report.frames},
              {"packed_bytes", value_if(packed.has_value(), packed ? packed->frames_bytes : 0)},
              {"largest_error_mm", value_if(packed.has_value(), packed ? packed->largest_error * 1000 : 0)},
              {"failed", list_of(report.failed, "error")},
              {"seconds", report.seconds},
              {"fitted", report.fitted},
              {"skipped", list_of(report.skipped, "reason")},
              {"copies", list_of(report.copies, "reason")},
              {"labels_passed_on", report.labels_passed_on},
              {"warnings", list_of(report.warnings, "warning")},
              {"notes", list_of(report.notes, "note")},
              {"guesses", guesses_of(report)},
              {"faults", faults_of(report)},
              {"clips", std::move(*clips)}});
  return kDone;
}

/// The most kinds of notes that are shown; what comes after those concerns few files.
constexpr std::size_t kShownKinds = 12;

/// Tells what was noticed, once for all files it is true of: a folder of one performer has one unit, not hundreds.
void show_grouped(const std::vector<FileNote>& notes, const std::string& library) {
  const std::vector<library::NoteGroup> groups = library::group_notes(notes);
  for (std::size_t g = 0; g < std::min(kShownKinds, groups.size()); ++g) notice(library::to_string(groups[g]));
  if (groups.size() > kShownKinds) {
    notice(fmt::format("and {} kinds of notes more; --log FILE writes all, `{}` those of a clip",
                       groups.size() - kShownKinds, shell_command({"info"}, {library, "CLIP"})));
  }
}

void show_faults(const ImportReport& report, const std::string& library) {
  if (report.faults.empty()) return;
  const auto mended = std::count_if(report.faults.begin(), report.faults.end(), [](const auto& f) { return f.mended; });
  say("found    {} faults of capture and mended {}; `{}` tells them\n", report.faults.size(), mended,
      shell_command({"info"}, {library, "CLIP"}));
  const auto rates =
      std::count_if(report.faults.begin(), report.faults.end(), [](const auto& f) { return f.rate > 0 && !f.mended; });
  if (rates > 0) {
    say("rates    {} {} to be recorded at another rate than stamped; import with --replace and --mend-rate to "
        "believe it, or say it with --source-rate HZ\n",
        rates, rates == 1 ? "file seems" : "files seem");
  }
}

void show(const ImportReport& report, const std::string& library) {
  show_grouped(report.notes, library);
  show_grouped(report.warnings, library);
  say("imported {} clips, {} frames into {} in {:.1f} s\n", report.clips.size(), report.frames, library,
      report.seconds);
  if (report.fitted > 0) say("fitted   {} of them to the library's body\n", report.fitted);
  show_faults(report, library);
  if (!report.skipped.empty()) say("skipped  {} that were in the library already\n", report.skipped.size());
  if (!report.copies.empty()) say("skipped  {} that are copies of other files here\n", report.copies.size());
  if (report.labels_passed_on > 0) {
    say("labelled with {} labels of skipped files the clips that have their content\n", report.labels_passed_on);
  }
  for (const library::NoteGroup& group : library::group_notes(report.failed)) notice(library::to_string(group));
  if (!report.failed.empty()) say("failed   {}\n", report.failed.size());
}

/// Writes all that was noticed, a line a note: what kind it is of, file and text, with tabs between them. Tabs and line
/// ends in names are written out.
Result<void> write_log(const ImportReport& report, const std::string& path) {
  std::string lines;
  const auto add = [&](const std::string& kind, const std::string& file, const std::string& text) {
    lines += kind + '\t' + printable(file) + '\t' + printable(text) + '\n';
  };
  const auto add_all = [&](const char* kind, const std::vector<FileNote>& notes) {
    for (const FileNote& note : notes) add(kind, note.file, note.text);
  };
  add_all("failed", report.failed);
  add_all("skipped", report.skipped);
  add_all("copy", report.copies);
  add_all("warning", report.warnings);
  add_all("note", report.notes);
  for (const library::ImportFault& fault : report.faults) add(fault.kind, fault.file, fault.text);
  return save_file(path, lines);
}

Result<ImportReport> import_files(const ImportArguments& arguments, const std::vector<std::string>& files) {
  std::error_code none;
  if (arguments.packed && !std::filesystem::exists(arguments.library, none)) {
    if (auto made = library::create_for_packed(arguments.library); !made) return fail_from(made);
  }
  auto target = library::Library::open_or_create(arguments.library);
  if (!target) return fail_from(target);
  ProgressBar bar;
  return library::import_motions(*target, files, arguments.options, bar.progress());
}

int run(const Command& command, ImportArguments& arguments) {
  arguments.options.carry_over = project::between_humans();
  if (!arguments.up.empty()) arguments.options.read.up_axis = arguments.up[0] - 'x';
  if (!arguments.labels.empty()) {
    auto table = library::read_label_table(arguments.labels);
    if (!table) return report(table.error());
    arguments.options.labels = std::move(*table);
  }
  const library::MotionFiles found = library::find_motion_files(arguments.paths);
  ImportReport done;
  std::optional<library::PackReport> packed;
  if (!found.files.empty()) {
    auto imported = import_files(arguments, found.files);
    if (!imported) return report(imported.error());
    done = std::move(*imported);
    if (arguments.packed) {
      ProgressBar bar;
      const auto made = library::pack_clips(arguments.library, done.clips, arguments.error_mm / 1000, bar.progress());
      if (!made) return report(made.error());
      packed = *made;
    }
  }
  done.failed.insert(done.failed.begin(), found.failed.begin(), found.failed.end());
  int told = kDone;
  if (command.json) {
    for (const FileNote& failure : done.failed) notice(fmt::format("{}: {}", failure.file, failure.text));
    told = show_json(done, packed, arguments.library);
  } else {
    show(done, arguments.library);
    if (packed) {
      say("packed   them into {:.2f} MB of {:.2f}; no point is off by more than {:.3f} mm\n",
          static_cast<double>(packed->frames_bytes) / 1e6, static_cast<double>(packed->frames_bytes_before) / 1e6,
          packed->largest_error * 1000);
    }
  }
  // What was imported is told before, whether its log can be written or not.
  if (!arguments.log.empty()) {
    if (const auto written = write_log(done, arguments.log); !written) return report(written.error());
  }
  return done.failed.empty() ? told : kFailed;
}

}  // namespace

void add_import(Commands& commands) {
  auto arguments = std::make_shared<ImportArguments>();
  Command& command = commands.add("import", "bring motion files and folders into a library",
                                  "loom import moves.loom capture/ --labels capture/labels.csv --rate 30\n"
                                  "  loom import small.loom capture/ --packed");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library; made where there is none")->required();
  options.add_option("paths", arguments->paths, "motion files, and folders to search")->required();
  options.add_option("--labels", arguments->labels,
                     "CSV file with the columns file,label,from,to (frames of the file)");
  options.add_option("--rate", arguments->options.rate, "resample to this many frames a second")
      ->check(between(1.0, 1000.0));
  options
      .add_option("--source-rate", arguments->options.read.source_rate,
                  "frames a second the files were recorded at, whatever they say")
      ->check(between(1.0, 1000.0));
  options.add_flag("--mend-rate", arguments->options.mend_rate,
                   "where a performer's flights and walks contradict the stamped rate, take the one they tell");
  options.add_flag("--keep-apart", arguments->options.keep_apart, "keep every performer's proportions");
  options.add_option("--body", arguments->options.body,
                     "fit to the body of this clip, file or performer (the first by default)");
  options.add_flag("--keep-faults", arguments->options.keep_faults, "find and tell faults of capture, but mend none");
  options.add_flag("--replace", arguments->options.replace, "import again what was imported before");
  options.add_option("--scale", arguments->options.read.metres_per_unit, "metres in one unit of the files")
      ->check(positive());
  add_choice(options, "--up", arguments->up, {"x", "y", "z"}, "the files' vertical axis");
  options.add_flag("--keep-t-pose", arguments->options.read.keep_t_pose,
                   "keep an artificial T-pose in the first frames");
  const auto packed = options.add_flag("--packed", arguments->packed,
                                       "keep frames packed, in about a thirteenth of their room; older versions refuse "
                                       "such a library");
  options
      .add_option("--error-mm", arguments->error_mm,
                  "of --packed: millimetres that no end of a bone, nor the skin around a joint, may be off by (0.5)")
      ->check(between(0.001, 1000.0))
      ->needs(packed);
  command.outputs.add_file(options, "--log", arguments->log, "write all notes, warnings and faults into this file");
  options.add_option("--asf", arguments->options.read.asf_file, "the skeleton of the AMC files");
  options.add_option("--sk", arguments->options.read.sk_file, "the skeleton of the SKM files");
  add_root_offset(options, arguments->options.read);
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
