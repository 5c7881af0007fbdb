// SPDX-License-Identifier: MIT
// `loom blend steps`: a walk on given footprints, blended from recorded steps.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family/family.h>
#include <loom/blend/family/family_cut.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/steps/step_walk.h>
#include <loom/library/bodies.h>
#include <loom/library/clip_names.h>
#include <loom/library/library.h>

#include "loom/blend_commands.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/recorded_motion.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct BlendStepsArguments {
  std::string library, footprints, label, body;
  std::vector<std::string> clips;
  double rate = 30;
  bool keep_faulty = false;
  blend::StepWalkOptions options;
  std::string objective = "squares";
  MotionOutput output;
};

bool is_wanted(const library::ClipInfo& info, const BlendStepsArguments& arguments) {
  const bool named = arguments.clips.empty() ||
                     std::any_of(arguments.clips.begin(), arguments.clips.end(),
                                 [&](const std::string& pattern) { return library::fits_pattern(info.name, pattern); });
  return named && (arguments.label.empty() ||
                   std::any_of(info.labels.begin(), info.labels.end(),
                               [&](const motion::Label& label) { return label.name == arguments.label; }));
}

/// What steps are to be cut from, and what is not used of it since it is faulty.
struct ChosenSteps {
  std::vector<blend::FamilyMember> members;
  std::vector<library::LeftOut> left_out;
};

/// Adds the sound stretches of a clip.
Result<void> add_stretches(const motion::Clip& stored, const BlendStepsArguments& arguments, ChosenSteps& chosen) {
  const auto resampled = motion::resample(stored, arguments.rate);
  if (!resampled) return fail_from(resampled);
  std::vector<measure::FaultyStretch> faulty;
  if (!arguments.keep_faulty) {
    faulty = measure::find_faulty_stretches(stored);
    std::vector<motion::FrameRange> used;
    for (const blend::Piece& stretch : blend::labelled_stretches(stored, arguments.label)) {
      used.push_back({stretch.begin, stretch.end});
    }
    library::add_left_out(stored, faulty, used, chosen.left_out);
    faulty = measure::at_rate(std::move(faulty), stored.rate, arguments.rate, resampled->frames());
  }
  for (const blend::Piece& stretch : blend::labelled_stretches(*resampled, arguments.label)) {
    for (const motion::FrameRange& sound : measure::without({stretch.begin, stretch.end}, faulty)) {
      chosen.members.push_back({{stored.name, false, static_cast<std::uint32_t>(sound.begin),
                                 static_cast<std::uint32_t>(sound.end - sound.begin)},
                                std::nullopt});
    }
  }
  return {};
}

/// The stretches of the library's clips that steps are to be cut from.
Result<ChosenSteps> choose_stretches(const library::Library& library, const BlendStepsArguments& arguments) {
  auto infos = library.clips();
  if (!infos) return fail_from(infos);
  std::erase_if(*infos, [&](const library::ClipInfo& info) { return !is_wanted(info, arguments); });
  if (const auto one = library::keep_one_body(library, arguments.body, *infos); !one) return fail_from(one);
  ChosenSteps chosen;
  for (const library::ClipInfo& info : *infos) {
    const auto clip = library.read_clip(info.name);
    if (!clip) return fail_from(clip);
    if (const auto added = add_stretches(*clip, arguments, chosen); !added) return fail_from(added);
  }
  if (chosen.members.empty()) return fail("no clip of the library fits --label and --clips", library.path());
  return chosen;
}

nlohmann::json details_of(const BlendStepsArguments& arguments, const ChosenSteps& chosen,
                          const blend::StepLibrary& steps, const blend::StepWalk& walk) {
  auto taken = nlohmann::json::array();
  for (const blend::StepReport& step : walk.steps) {
    taken.push_back({{"footprint", step.footprint + 1},
                     {"from", step.begin},
                     {"to", step.end},
                     {"example", step.example},
                     {"blend_error_m", step.blend_error},
                     {"turn_error_deg", step.turn_error / static_cast<double>(kDegree)},
                     {"error_m", walk.errors[step.footprint]}});
  }
  return {{"footprints", arguments.footprints},
          {"examples", steps.left.examples.size()},
          {"largest_error_m", walk.largest_error},
          {"errors_m", walk.errors},
          {"steps", std::move(taken)},
          {"left_out", left_out_json(chosen.left_out)}};
}

int run(const Command& command, const BlendStepsArguments& arguments) {
  if (!has_place(arguments.output)) return kWrongUsage;
  const auto prints = blend::read_footprints(arguments.footprints);
  if (!prints) return report(prints.error());
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto chosen = choose_stretches(*library, arguments);
  if (!chosen) return report(chosen.error());
  const auto motion = [&] {
    ProgressBar bar;
    return blend::read_members(*library, arguments.rate, chosen->members, bar.progress());
  }();
  if (!motion) return report(motion.error());
  const auto steps = blend::find_steps(motion->motion.clips, motion->motion.contacts);
  if (!steps) return report(steps.error());
  blend::StepWalkOptions options = arguments.options;
  options.objective = *blend::objective_named(arguments.objective);
  const auto walk = blend::walk_on_footprints(*steps, *prints, options);
  if (!walk) return report(walk.error());
  if (!command.json) {
    const auto worst = std::max_element(walk->steps.begin(), walk->steps.end(),
                                        [](const auto& a, const auto& b) { return a.blend_error < b.blend_error; });
    say("{} steps from {} examples of each foot; footprints met within {:.1f} mm (blending alone: {:.1f} mm)\n",
        walk->steps.size(), steps->left.examples.size(), 1000 * walk->largest_error, 1000 * worst->blend_error);
    tell_left_out(chosen->left_out);
  }
  MotionOutput output = arguments.output;
  output.polish = false;  // the walk stands on its footprints already
  return write_to_output(command, {walk->clip, walk->contacts, {}, {}}, "steps", arguments.library, output,
                         details_of(arguments, *chosen, *steps, *walk));
}

}  // namespace

void add_blend_steps(Commands& commands) {
  Command& command = commands.add("blend", kBlendAbout, "steps", "walk on given footprints",
                                  "loom blend steps motions.loom footprints.csv --label walk -o steps.glb");
  auto arguments = std::make_shared<BlendStepsArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options
      .add_option("footprints", arguments->footprints,
                  "a CSV file: columns x, z in metres and, where known, heading in degrees and foot; the feet stand on "
                  "the first two")
      ->required();
  options.add_option("--label", arguments->label, "cut steps from stretches with this label; from everything else");
  options.add_option("--clips", arguments->clips, "only from clips of these names; '*' stands for anything");
  add_body_option(options, arguments->body);
  options.add_option("--rate", arguments->rate, "frames a second (30)")->check(between(10.0, 240.0));
  options.add_option("--examples", arguments->options.examples, "steps blended at a time (12)")->check(between(2, 80));
  add_choice(options, "--objective", arguments->objective, {"squares", "sum"},
             "what is made least where a foot cannot be in its place and point its way: the squares of the errors or "
             "their sum (squares)");
  add_keep_faulty_option(options, arguments->keep_faulty);
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
