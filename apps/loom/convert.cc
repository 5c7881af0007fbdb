// SPDX-License-Identifier: MIT
// `loom convert`: a motion file into one of another format.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/io/read.h>
#include <loom/io/write.h>

#include "loom/adjust.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/onto.h"
#include "loom/read_options.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

using io::ReadClip;

struct ConvertArguments {
  std::string input, output;
  std::string clip, up, on;
  io::ReadOptions read;
  Adjustments adjustments;
};

/// The clips asked for: all of the file, or the one named.
Result<std::vector<ReadClip>> read(const ConvertArguments& arguments) {
  Result<std::vector<ReadClip>> clips = io::read_motion(arguments.input, arguments.read);
  if (!clips || arguments.clip.empty()) return clips;
  std::string names;
  for (const ReadClip& read : *clips) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", read.clip.name);
  std::erase_if(*clips, [&](const ReadClip& read) { return read.clip.name != arguments.clip; });
  if (clips->empty()) return fail(fmt::format("has no clip '{}'; it has {}", arguments.clip, names), arguments.input);
  return clips;
}

/// `from` and `to` are frames of the file: less where its first frames, a T-pose, were dropped.
Adjustments in_clip(Adjustments adjustments, const ReadClip& read) {
  for (std::optional<std::size_t>* edge : {&adjustments.from, &adjustments.to}) {
    if (*edge) **edge -= std::min(**edge, read.frames_dropped);
  }
  return adjustments;
}

void show(const Command& command, const ConvertArguments& arguments, const std::vector<ReadClip>& clips) {
  if (command.json) {
    auto list = nlohmann::json::array();
    for (const ReadClip& read : clips) list.push_back(clip_json(read));
    return print_json({{"input", arguments.input}, {"output", arguments.output}, {"clips", std::move(list)}});
  }
  for (const ReadClip& read : clips) {
    for (const std::string& note : read.notes) notice(fmt::format("{}: {}", arguments.input, note));
    for (const std::string& warning : read.warnings) notice(fmt::format("{}: {}", arguments.input, warning));
    say("{}: {} frames at {:.6g} Hz, {} joints\n", read.clip.name, read.clip.frames(), read.clip.rate,
        read.clip.joints());
  }
  say("wrote {}\n", arguments.output);
}

int run(const Command& command, ConvertArguments& arguments) {
  if (arguments.on.empty() && !is_motion_output(arguments.output)) {
    return wrong_usage(
        fmt::format("{}: motion is written as .bvh, .glb, .gltf or .vrma; give one of these", arguments.output));
  }
  if (!arguments.up.empty()) arguments.read.up_axis = arguments.up[0] - 'x';
  auto clips = read(arguments);
  if (!clips) return report(clips.error());
  std::vector<motion::Clip> written;
  for (ReadClip& read : *clips) {
    auto adjusted = adjust(std::move(read.clip), in_clip(arguments.adjustments, read));
    if (!adjusted) return report({adjusted.error().message, arguments.input, 0, adjusted.error().kind});
    read.clip = std::move(*adjusted);
    written.push_back(read.clip);
  }
  const std::string name = std::filesystem::path(arguments.input).stem().string();
  const auto onto = find_onto_if({}, arguments.on);
  if (!onto) return report(onto.error());
  const auto done =
      *onto ? (*onto)->carry_and_write(written, arguments.output) : write_motion(arguments.output, written, name);
  if (!done) return report(done.error());
  show(command, arguments, *clips);
  return kDone;
}

}  // namespace

void add_convert(Commands& commands) {
  auto arguments = std::make_shared<ConvertArguments>();
  Command& command =
      commands.add("convert", "turn a motion file into BVH or glTF", "loom convert walk.fbx walk.glb --rate 30");
  Options& options = *command.options;
  options.add_option("input", arguments->input, "the motion file (.bvh, .amc, .glb, .gltf, .vrma, .fbx, .dae)")
      ->required();
  command.outputs.add_file(options, "output", arguments->output, "what to write (.bvh, .glb, .gltf, .vrma)")
      ->required();
  options.add_option("--clip", arguments->clip, "only this clip of a file that holds several");
  options.add_option("--on", arguments->on, "the character it is written on: a model's file");
  add_adjustments(options, arguments->adjustments);
  options.add_option("--scale", arguments->read.metres_per_unit, "metres in one unit of the file")->check(positive());
  add_choice(options, "--up", arguments->up, {"x", "y", "z"}, "the file's vertical axis");
  options.add_flag("--keep-t-pose", arguments->read.keep_t_pose, "keep an artificial T-pose in the first frame");
  options
      .add_option("--source-rate", arguments->read.source_rate,
                  "frames a second the file was recorded at, whatever it says")
      ->check(between(1.0, 1000.0));
  options.add_option("--asf", arguments->read.asf_file, "the skeleton of an AMC file");
  options.add_option("--sk", arguments->read.sk_file, "the skeleton of an SKM file");
  add_root_offset(options, arguments->read);
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
