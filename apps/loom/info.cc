// SPDX-License-Identifier: MIT
// `loom info`: what a library, a clip or a motion file is.
#include <filesystem>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/io/read.h>
#include <loom/library/library.h>
#include <loom/library/listing.h>

#include "loom/command.h"
#include "loom/read_options.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

using library::Library;

struct InfoArguments {
  std::string path, clip;
  bool check = false;
  io::ReadOptions read;  ///< of a motion file
};

/// What `loom info LIBRARY` tells, gathered once for people and machines.
struct Summary {
  std::vector<library::ClipInfo> clips;
  std::vector<library::SkeletonInfo> skeletons;
  std::vector<library::LabelTotal> labels;
  std::vector<library::ArtefactInfo> artefacts;
  std::vector<library::DamagedClip> damaged;
  std::size_t warned = 0;  ///< clips with warnings
  std::size_t frames = 0, frame_bytes = 0;
  double seconds = 0;
};

Result<Summary> summarise(const Library& library) {
  auto clips = library::list_clips(library);
  auto skeletons = library.skeletons();
  auto labels = library.label_totals();
  auto artefacts = library.artefacts();
  if (!clips) return fail_from(clips);
  if (!skeletons) return fail_from(skeletons);
  if (!labels) return fail_from(labels);
  if (!artefacts) return fail_from(artefacts);
  Summary summary;
  summary.clips = std::move(clips->clips);
  summary.damaged = std::move(clips->damaged);
  summary.skeletons = std::move(*skeletons);
  summary.labels = std::move(*labels);
  summary.artefacts = std::move(*artefacts);
  for (const library::ClipInfo& clip : summary.clips) {
    summary.frames += clip.frames;
    summary.frame_bytes += clip.frames * library::bytes_per_frame(clip.joints);
    summary.seconds += clip.duration();
    const auto provenance = library.provenance(clip.name);
    if (!provenance) return fail_from(provenance);
    summary.warned += provenance->warnings.empty() ? 0 : 1;
  }
  return summary;
}

nlohmann::json summary_json(const Summary& summary, const std::string& path, std::uintmax_t size) {
  auto bodies = nlohmann::json::array(), artefacts = nlohmann::json::array();
  for (const auto& info : summary.skeletons) {
    bodies.push_back({{"body", info.id},
                      {"joints", info.skeleton->size()},
                      {"root", info.skeleton->joint(0).name},
                      {"clip_count", info.clips},
                      {"bytes_per_frame", library::bytes_per_frame(info.skeleton->size())}});
  }
  for (const auto& info : summary.artefacts) artefacts.push_back(artefact_json(info));
  return {{"library", path},
          {"schema", library::kSchemaVersion},
          {"bytes", size},
          {"frame_bytes", summary.frame_bytes},
          {"clip_count", summary.clips.size()},
          {"warned_clip_count", summary.warned},
          {"frames", summary.frames},
          {"seconds", summary.seconds},
          {"bodies", std::move(bodies)},
          {"labels", label_totals_json(summary.labels)},
          {"artefacts", std::move(artefacts)},
          {"damaged", damaged_json(summary.damaged)}};
}

void print_summary(const Summary& summary, const std::string& path, std::uintmax_t size) {
  say("{}: Motion Loom library, schema {}, {:.1f} MB\n", path, library::kSchemaVersion,
      static_cast<double>(size) / 1e6);
  say("{} clips, {} frames, {:.1f} s\n", summary.clips.size(), summary.frames, summary.seconds);
  if (summary.warned > 0) {
    say("{} clips carry warnings; `{}` shows them\n", summary.warned, shell_command({"info"}, {path, "CLIP"}));
  }
  if (!summary.skeletons.empty()) {
    say("\n");
    Table table({"body", "joints", "root", "clips", "bytes a frame"});
    for (const auto& info : summary.skeletons) {
      table.add({std::to_string(info.id), std::to_string(info.skeleton->size()), info.skeleton->joint(0).name,
                 std::to_string(info.clips), std::to_string(library::bytes_per_frame(info.skeleton->size()))});
    }
    table.print();
  }
  if (!summary.labels.empty()) {
    say("\n");
    Table table({"label", "clips", "seconds"});
    for (const auto& total : summary.labels) {
      table.add({total.name, std::to_string(total.clips), fmt::format("{:.1f}", total.seconds)});
    }
    table.print();
  }
  if (!summary.artefacts.empty()) {
    say("\n");
    Table table({"kind", "name", "bytes", "created"});
    for (const auto& info : summary.artefacts) {
      table.add({info.kind, info.name, std::to_string(info.bytes), info.created});
    }
    table.print();
  }
}

/// What `--check` found, for machines: null where it was not asked for.
nlohmann::json check_json(const std::optional<Result<void>>& check) {
  if (!check) return nullptr;
  return {{"sound", check->has_value()}, {"error", text_or_null(*check ? std::string() : check->error().to_string())}};
}

int show_library(const Command& command, const Library& library, const nlohmann::json& check) {
  const auto summary = summarise(library);
  if (!summary) return report(summary.error());
  std::error_code ignored;
  const auto size = std::filesystem::file_size(library.path(), ignored);
  if (command.json) {
    auto json = summary_json(*summary, library.path(), size);
    json["check"] = check;
    print_json(json);
  } else {
    print_summary(*summary, library.path(), size);
  }
  for (const library::DamagedClip& clip : summary->damaged) report(clip.error);
  return summary->damaged.empty() ? kDone : kFailed;
}

int show_clip(const Command& command, const Library& library, const std::string& name, const nlohmann::json& check) {
  const auto clip = library.clip_info(name);
  if (!clip) return report(clip.error());
  const auto from = library.provenance(name);
  if (!from) return report(from.error());
  if (command.json) {
    auto json = clip_json(*clip);
    json.update({{"bytes_per_frame", library::bytes_per_frame(clip->joints)},
                 {"source", text_or_null(from->source)},
                 {"source_hash", text_or_null(from->source_hash)},
                 {"source_rate", from->source_rate > 0 ? from->source_rate : clip->rate},
                 {"first_frame", from->first_frame},
                 {"options", parse_json(from->options)},
                 {"notes", from->notes},
                 {"warnings", from->warnings},
                 {"added", text_or_null(from->added)},
                 {"check", check}});
    print_json(json);
    return kDone;
  }
  say("{}: {} frames at {:.6g} Hz, {:.2f} s, {} joints (body {}), {} bytes a frame\n", clip->name, clip->frames,
      clip->rate, clip->duration(), clip->joints, clip->skeleton, library::bytes_per_frame(clip->joints));
  if (from->source.empty()) {
    say("made here, {}\n", from->added);
  } else {
    say("from {} (recorded at {:.6g} Hz), {}\n", from->source, from->source_rate, from->added);
  }
  for (const motion::Label& label : clip->labels) {
    say("label    {} from {} to {}\n", label.name, label.begin, label.end);
  }
  for (const std::string& note : from->notes) say("note     {}\n", note);
  for (const std::string& warning : from->warnings) say("warning  {}\n", warning);
  return kDone;
}

/// The motions of a file; of a skeleton alone, one frame at rest.
Result<std::vector<io::ReadClip>> read_file(const std::string& path, const io::ReadOptions& options) {
  if (!io::is_skeleton_file(path)) return io::read_motion(path, options);
  auto skeleton = io::read_skeleton(path, options);
  if (!skeleton) return fail_from(skeleton);
  skeleton->notes.emplace_back("The file is a skeleton without motion; it is shown at rest.");
  std::vector<io::ReadClip> alone;
  alone.push_back(std::move(*skeleton));
  return alone;
}

int show_file(const Command& command, const std::string& path, const io::ReadOptions& options) {
  const auto motions = read_file(path, options);
  if (!motions) return report(motions.error());
  auto list = nlohmann::json::array();
  for (const io::ReadClip& motion : *motions) {
    const motion::Clip& clip = motion.clip;
    if (command.json) {
      list.push_back(clip_json(motion));
      continue;
    }
    say("{}: {} frames at {:.6g} Hz, {:.2f} s, {} joints, one unit is {:.6g} m{}, {} is up{}\n", clip.name,
        clip.frames(), clip.rate, clip.duration(), clip.joints(), motion.metres_per_unit,
        motion.scale_guessed ? " (guessed)" : "", "XYZ"[motion.up_axis], motion.up_guessed ? " (guessed)" : "");
    for (const std::string& note : motion.notes) say("note     {}\n", note);
    for (const std::string& warning : motion.warnings) say("warning  {}\n", warning);
  }
  if (command.json) print_json({{"file", path}, {"clips", std::move(list)}});
  return kDone;
}

int run(const Command& command, const InfoArguments& arguments) {
  if (!is_library(arguments.path)) {
    if (!arguments.clip.empty()) return report({"is not a library, and has no clips by name", arguments.path, 0});
    if (arguments.check) return wrong_usage("--check is for a library; a motion file is read as a whole anyway");
    return show_file(command, arguments.path, arguments.read);
  }
  const auto library = Library::open(arguments.path);
  if (!library) return report(library.error());
  std::optional<Result<void>> check;
  if (arguments.check) check = library->verify();
  if (check && !*check && command.json) {
    print_json({{"library", library->path()}, {"check", check_json(check)}});  // of the rest nothing is certain
    return kFailed;
  }
  if (check && !*check) return report(check->error());
  if (check && !command.json) notice("every page, skeleton and frame is sound");
  const auto told = check_json(check);
  return arguments.clip.empty() ? show_library(command, *library, told)
                                : show_clip(command, *library, arguments.clip, told);
}

}  // namespace

void add_info(Commands& commands) {
  auto arguments = std::make_shared<InfoArguments>();
  Command& command =
      commands.add("info", "tell what a library, a clip or a motion file is", "loom info moves.loom 16_11");
  command.options->add_option("path", arguments->path, "a library, a motion file or a skeleton (.asf, .sk)")
      ->required();
  command.options->add_option("clip", arguments->clip, "a clip of the library");
  command.options->add_option("--asf", arguments->read.asf_file, "the skeleton of an AMC file");
  command.options->add_option("--sk", arguments->read.sk_file, "the skeleton of an SKM file");
  add_root_offset(*command.options, arguments->read);
  command.options
      ->add_option("--source-rate", arguments->read.source_rate,
                   "frames a second a motion file was recorded at, whatever it says")
      ->check(between(1.0, 1000.0));
  command.options->add_flag("--check", arguments->check, "look at every page and frame of the library for damage");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
