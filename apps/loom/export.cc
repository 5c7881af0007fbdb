// SPDX-License-Identifier: MIT
// `loom export`: clips of a library into motion files.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fnmatch.h>
#include <nlohmann/json.hpp>

#include <loom/io/write.h>
#include <loom/library/bodies.h>
#include <loom/library/library.h>
#include <loom/library/listing.h>

#include "loom/adjust.h"
#include "loom/choice.h"
#include "loom/chosen_names.h"
#include "loom/command.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 200;  ///< bytes of a file's name, which may have 255 with what is added to it

struct ExportArguments {
  std::string library, output;
  std::vector<std::string> clips;
  std::string format = "bvh", body, on;
  Adjustments adjustments;
};

/// The clips asked for, by name, and those of them that are left out since they are damaged.
struct Chosen {
  std::vector<std::string> names;
  std::vector<library::DamagedClip> damaged;
};

/// All clips where none is named; of the body asked for.
Result<Chosen> clips_to_write(const library::Library& library, const ExportArguments& arguments) {
  auto listed = library::list_clips(library);
  if (!listed) return fail_from(listed);
  const auto is_wanted = [&](const std::string& name) {
    return arguments.clips.empty() ||
           std::any_of(arguments.clips.begin(), arguments.clips.end(),
                       [&](const std::string& word) { return ::fnmatch(word.c_str(), name.c_str(), 0) == 0; });
  };
  std::erase_if(listed->damaged, [&](const library::DamagedClip& clip) { return !is_wanted(clip.name); });
  for (const library::DamagedClip& clip : listed->damaged) notice(clip.error.to_string());
  std::vector<library::ClipInfo>* infos = &listed->clips;
  if (infos->empty()) {
    if (!listed->damaged.empty()) return fail_as(ErrorKind::kDamaged, "every clip is damaged", library.path());
    return fail("the library holds no clips", library.path());
  }
  if (!arguments.body.empty()) {
    if (const auto one = library::keep_one_body(library, arguments.body, *infos); !one) return fail_from(one);
  }
  std::vector<std::string> names;
  for (const library::ClipInfo& info : *infos) names.push_back(info.name);
  if (arguments.clips.empty()) return Chosen{std::move(names), std::move(listed->damaged)};
  auto chosen = chosen_names(arguments.clips, names, [&](const std::string& word) -> Error {
    const auto known = library.clip_info(word);  // names the nearest
    return known ? Error{fmt::format("'{}' does not move body {}", word, arguments.body), library.path(), 0}
                 : known.error();
  });
  if (!chosen) return fail_from(chosen);
  return Chosen{std::move(*chosen), std::move(listed->damaged)};
}

Result<motion::Clip> read(const library::Library& library, const std::string& name, const Adjustments& adjustments) {
  auto clip = library.read_clip(name);
  if (!clip) return clip;
  auto adjusted = adjust(std::move(*clip), adjustments);
  if (!adjusted) return fail_because(adjusted.error(), adjusted.error().message, library.path());
  return adjusted;
}

/// A clip's name as a file's name: what would lead to another folder is replaced, and what is too long for a file cut
/// where a character ends.
std::string file_name(const std::string& clip) {
  std::string name = clip;
  std::replace(name.begin(), name.end(), '/', '_');
  if (name.starts_with('.')) name[0] = '_';
  std::size_t end = std::min(name.size(), kLongestName);
  while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end);
}

/// A file for each clip, no two the same: where `a/b` and `a_b` would meet, the second is `a_b-2`.
std::vector<std::string> file_names(const std::vector<std::string>& clips, const std::string& format) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& clip : clips) {
    std::string name = file_name(clip);
    for (int again = 2; !taken.insert(name).second; ++again) name = fmt::format("{}-{}", file_name(clip), again);
    names.push_back(name + "." + format);
  }
  return names;
}

/// What was written: the files, and each clip as it is told, with the file it is in.
struct Written {
  std::vector<std::string> files;
  nlohmann::json clips = nlohmann::json::array();

  void add(const motion::Clip& clip, const std::string& file) {
    clips.push_back(clip_json(clip));
    clips.back()["file"] = file;
  }
};

/// Writes clips as they are, or on a character.
Result<void> write(std::span<const motion::Clip> clips, const std::string& path, const std::string& name,
                   const std::optional<Onto>& onto) {
  return onto ? onto->carry_and_write(clips, path) : write_motion(path, clips, name);
}

/// One file with all clips in it.
Result<Written> write_one(const library::Library& library, const std::vector<std::string>& names,
                          const ExportArguments& arguments, const std::optional<Onto>& onto) {
  std::vector<motion::Clip> clips;
  for (const std::string& name : names) {
    auto clip = read(library, name, arguments.adjustments);
    if (!clip) return fail_from(clip);
    clips.push_back(std::move(*clip));
  }
  if (const auto done = write(clips, arguments.output, fs::path(arguments.output).stem().string(), onto); !done) {
    return fail_from(done);
  }
  Written written{{arguments.output}};
  for (const motion::Clip& clip : clips) written.add(clip, arguments.output);
  return written;
}

/// A folder with a file for each clip.
Result<Written> write_folder(const library::Library& library, const std::vector<std::string>& names,
                             const ExportArguments& arguments, const Outputs& outputs,
                             const std::optional<Onto>& onto) {
  const std::vector<std::string> wanted = file_names(names, arguments.format);
  if (const auto made = outputs.prepare(arguments.output, wanted); !made) return fail_from(made);
  ProgressBar bar;
  const Progress progress = bar.progress();
  Written written;
  std::vector<std::string>& files = written.files;
  for (const std::string& name : names) {
    if (!progress.report(static_cast<double>(files.size()) / static_cast<double>(names.size()), name)) {
      return fail_as(ErrorKind::kStopped, fmt::format("stopped after {} of {} files", files.size(), names.size()),
                     arguments.output);
    }
    const auto clip = read(library, name, arguments.adjustments);
    if (!clip) return fail_from(clip);
    files.push_back((fs::path(arguments.output) / wanted[files.size()]).string());
    if (const auto done = write(std::span(&*clip, 1), files.back(), name, onto); !done) return fail_from(done);
    written.add(*clip, files.back());
  }
  return written;
}

int run(const Command& command, const ExportArguments& arguments) {
  std::error_code none;
  const bool is_folder = !fs::path(arguments.output).has_extension() || fs::is_directory(arguments.output, none);
  if (!is_folder && arguments.on.empty() && !is_motion_output(arguments.output)) {
    return wrong_usage(
        fmt::format("{}: motion is written as .bvh, .glb, .gltf or .vrma, or into a folder", arguments.output));
  }
  const auto opened = library::Library::open(arguments.library);
  if (!opened) return report(opened.error());
  const auto chosen = clips_to_write(*opened, arguments);
  if (!chosen) return report(chosen.error());
  const std::vector<std::string>& names = chosen->names;
  const auto onto = find_onto_if(arguments.library, arguments.on);
  if (!onto) return report(onto.error());
  const auto written = is_folder ? write_folder(*opened, names, arguments, command.outputs, *onto)
                                 : write_one(*opened, names, arguments, *onto);
  if (!written) return report(written.error());
  if (command.json) {
    print_json({{"files", written->files}, {"clips", written->clips}, {"damaged", damaged_json(chosen->damaged)}});
  } else {
    say("wrote {} clip{} to {}\n", names.size(), names.size() == 1 ? "" : "s", arguments.output);
  }
  return chosen->damaged.empty() ? kDone : kFailed;
}

}  // namespace

void add_export(Commands& commands) {
  auto arguments = std::make_shared<ExportArguments>();
  Command& command = commands.add("export", "write clips of a library to motion files",
                                  "loom export moves.loom 'walk*' run -o moves.glb");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clips", arguments->clips, "which clips, by name or pattern ('walk*'); all by default");
  add_body_option(options, arguments->body);
  command.outputs
      .add_folder(
          options, "-o,--out", arguments->output,
          "a .glb or .gltf file for all clips together, a .bvh or .vrma file for one, or a folder for a file each")
      ->required();
  add_choice(options, "--format", arguments->format, {"bvh", "glb", "gltf", "vrma"}, "of the files in a folder (bvh)");
  add_adjustments(options, arguments->adjustments);
  options.add_option("--on", arguments->on, "the character they are written on: one of the library, or a model's file");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
