// SPDX-License-Identifier: MIT
// `loom export`: clips of a library into motion files.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fnmatch.h>
#include <nlohmann/json.hpp>

#include <loom/io/write.h>
#include <loom/library/library.h>

#include "loom/adjust.h"
#include "loom/command.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string library, output;
  std::vector<std::string> clips;
  std::string format = "bvh";
  Adjustments adjustments;
};

/// The clips of the library that the words name, in the order of the words; all where there are none. A word may be a
/// pattern ("walk*").
Result<std::vector<std::string>> chosen(const library::Library& library, const std::vector<std::string>& words) {
  const auto infos = library.clips();
  if (!infos) return fail_from(infos);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& word : words.empty() ? std::vector<std::string>{"*"} : words) {
    const std::size_t before = names.size();
    bool matched = false;
    for (const library::ClipInfo& info : *infos) {
      if (info.name != word && ::fnmatch(word.c_str(), info.name.c_str(), 0) != 0) continue;
      matched = true;
      add(info.name);
    }
    if (matched || names.size() > before) continue;
    if (word.find_first_of("*?[") != std::string::npos)
      return fail(fmt::format("no clip is named like '{}'", word), library.path());
    return fail_from(library.clip_info(word));  // names the nearest
  }
  if (names.empty()) return fail("the library holds no clips", library.path());
  return names;
}

Result<motion::Clip> read(const library::Library& library, const std::string& name, const Adjustments& adjustments) {
  auto clip = library.read_clip(name);
  if (!clip) return clip;
  auto adjusted = adjust(std::move(*clip), adjustments);
  if (!adjusted) return fail(adjusted.error().message, library.path());
  return adjusted;
}

/// A clip's name as a file's name: what would lead to another folder is replaced.
std::string file_name(const std::string& clip, const std::string& format) {
  std::string name = clip;
  std::replace(name.begin(), name.end(), '/', '_');
  if (name.starts_with('.')) name[0] = '_';
  return name + "." + format;
}

/// One file with all clips in it.
Result<std::vector<std::string>> write_one(const library::Library& library, const std::vector<std::string>& names,
                                           const Arguments& arguments) {
  std::vector<motion::Clip> clips;
  for (const std::string& name : names) {
    auto clip = read(library, name, arguments.adjustments);
    if (!clip) return fail_from(clip);
    clips.push_back(std::move(*clip));
  }
  const auto done = io::write_motion(arguments.output, clips, fs::path(arguments.output).stem().string());
  if (!done) return fail_from(done);
  return std::vector<std::string>{arguments.output};
}

/// A folder with a file for each clip.
Result<std::vector<std::string>> write_folder(const library::Library& library, const std::vector<std::string>& names,
                                              const Arguments& arguments) {
  std::error_code error;
  fs::create_directories(arguments.output, error);
  if (error) return fail(fmt::format("cannot be made: {}", error.message()), arguments.output);
  ProgressBar bar;
  const Progress progress = bar.progress();
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (!progress.report(static_cast<double>(files.size()) / static_cast<double>(names.size()), name)) {
      return fail(fmt::format("stopped after {} of {} files", files.size(), names.size()), arguments.output);
    }
    const auto clip = read(library, name, arguments.adjustments);
    if (!clip) return fail_from(clip);
    files.push_back((fs::path(arguments.output) / file_name(name, arguments.format)).string());
    const auto done = io::write_motion(files.back(), std::span(&*clip, 1), name);
    if (!done) return fail_from(done);
  }
  return files;
}

int run(const Command& command, const Arguments& arguments) {
  const bool is_folder = !fs::path(arguments.output).has_extension() || fs::is_directory(arguments.output);
  if (!is_folder && !io::is_writable_motion_file(arguments.output)) {
    notice(fmt::format("{}: motion is written as .bvh, .glb or .gltf, or into a folder", arguments.output));
    return kWrongUsage;
  }
  const auto opened = library::Library::open(arguments.library);
  if (!opened) return report(opened.error());
  const auto names = chosen(*opened, arguments.clips);
  if (!names) return report(names.error());
  const auto files = is_folder ? write_folder(*opened, *names, arguments) : write_one(*opened, *names, arguments);
  if (!files) return report(files.error());
  if (command.json) {
    print_json({{"clips", *names}, {"files", *files}});
  } else {
    fmt::print("wrote {} clip{} to {}\n", names->size(), names->size() == 1 ? "" : "s", arguments.output);
  }
  return kDone;
}

}  // namespace

void add_export(Commands& commands) {
  auto arguments = std::make_shared<Arguments>();
  Command& command = commands.add("export", "write clips of a library to motion files",
                                  "loom export moves.loom 'walk*' run -o moves.glb");
  CLI::App& options = *command.options;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clips", arguments->clips, "which clips, by name or pattern ('walk*'); all by default");
  options
      .add_option("-o,--out", arguments->output,
                  "a .glb or .gltf file for all clips together, a .bvh file for one, or a folder for a file each")
      ->required();
  options.add_option("--format", arguments->format, "of the files in a folder: bvh, glb or gltf")
      ->check(CLI::IsMember({"bvh", "glb", "gltf"}))
      ->capture_default_str();
  add_adjustments(options, arguments->adjustments);
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
