// SPDX-License-Identifier: MIT
// `loom retarget`: motion carried to a character, from files to a file.
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/progress_part.h>
#include <loom/base/text.h>
#include <loom/measure/measure.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct RetargetArguments {
  std::vector<std::string> inputs;
  std::string clip;
  OntoOptions onto;
  std::string out, picture;
};

/// All clips of all inputs, or those called so.
Result<std::vector<motion::Clip>> read_all(const RetargetArguments& arguments) {
  std::vector<motion::Clip> clips;
  for (const std::string& input : arguments.inputs) {
    const bool named = is_library(input) && !arguments.clip.empty();
    auto read = read_clips({input, named ? std::vector{arguments.clip} : std::vector<std::string>{}, {}});
    if (!read) return fail_from(read);
    for (motion::Clip& clip : read->clips) {
      if (arguments.clip.empty() || clip.name == arguments.clip) clips.push_back(std::move(clip));
    }
  }
  if (clips.empty()) return fail_as(ErrorKind::kNotFound, fmt::format("there is no clip '{}'", arguments.clip));
  return clips;
}

nlohmann::json carried_json(const motion::Clip& clip) {
  const measure::Measures measures = measure::measure(clip);
  nlohmann::json told = clip_json(clip);
  told.update({{"foot_slide_mean_mps", value_if(measures.has_feet, measures.foot_slide_mean_mps)},
               {"penetration_max_m", value_if(measures.has_feet, measures.penetration_max_m)},
               {"largest_jump_m", value_if(clip.frames() >= kFramesOfJump, measures.largest_jump_m)}});
  return told;
}

int run(const Command& command, const RetargetArguments& arguments) {
  const auto clips = read_all(arguments);
  if (!clips) return report(clips.error());
  const auto onto = read_onto(arguments.onto);
  if (!onto) return report(onto.error());
  for (const std::string& warning : onto->warnings()) notice(arguments.onto.file + ": " + warning);
  std::vector<motion::Clip> carried;
  {
    ProgressBar bar;
    for (std::size_t c = 0; c < clips->size(); ++c) {
      const double share = 1.0 / static_cast<double>(clips->size()), begun = static_cast<double>(c) * share;
      auto one = onto->carry((*clips)[c], part_of(bar.progress(), begun, begun + share));
      if (!one) return report(one.error());
      carried.push_back(std::move(*one));
    }
  }
  if (const auto written = onto->write(carried, arguments.out); !written) return report(written.error());
  if (!arguments.picture.empty()) {
    if (const auto drawn = onto->draw(carried.front(), arguments.picture); !drawn) return report(drawn.error());
  }
  if (command.json) {
    auto list = nlohmann::json::array();
    for (const motion::Clip& clip : carried) list.push_back(carried_json(clip));
    print_json({{"character", arguments.onto.file},
                {"output", arguments.out},
                {"picture", text_or_null(arguments.picture)},
                {"clips", std::move(list)},
                {"warnings", onto->warnings()}});
    return kDone;
  }
  for (const motion::Clip& clip : carried) {
    const measure::Measures measures = measure::measure(clip);
    say("{}: {} frames at {:.6g} Hz; foot slide {:.1f} cm/s, deepest {:.1f} cm, largest jump {:.1f} cm\n", clip.name,
        clip.frames(), clip.rate, 100 * measures.foot_slide_mean_mps, 100 * measures.penetration_max_m,
        100 * measures.largest_jump_m);
  }
  say("wrote {}\n", arguments.out);
  return kDone;
}

}  // namespace

void add_retarget(Commands& commands) {
  auto arguments = std::make_shared<RetargetArguments>();
  Command& command = commands.add("retarget", "carry motion to a character of your own, mesh and all",
                                  "loom retarget walk.bvh --onto hero.glb -o hero_walks.glb\n"
                                  "  loom retarget moves.loom --clip 16_11 --onto hero.vrm -o hero.vrm.glb\n"
                                  "  loom retarget dance.fbx --onto other.bvh -o dance_on_other.bvh");
  Options& options = *command.options;
  options.add_option("input", arguments->inputs, "motion: files or libraries")->required();
  options.add_option("--clip", arguments->clip, "only the clip of this name");
  options
      .add_option("--onto", arguments->onto.file,
                  "the character: .glb, .gltf, .vrm, .fbx, .dae; or .bvh, .asf, .sk for a bare skeleton")
      ->required();
  add_onto_options(options, arguments->onto);
  command.outputs
      .add_file(options, "-o,--out", arguments->out,
                "what to write: .glb or .vrm with the character's own mesh, .bvh, or .vrma")
      ->required();
  command.outputs.add_file(options, "--picture", arguments->picture,
                           "draw the first clip on the character, as .png or .svg");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
