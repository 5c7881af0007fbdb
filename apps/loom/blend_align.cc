// SPDX-License-Identifier: MIT
// `loom blend align`: the time warp between two clips, held where the user says, as numbers, a picture or a motion.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/blend/align/pair_alignment.h>
#include <loom/library/library.h>
#include <loom/picture/save.h>
#include <loom/report/pair_pictures.h>

#include "loom/blend_commands.h"
#include "loom/choice.h"
#include "loom/command.h"
#include "loom/onto.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct BlendAlignArguments {
  std::string library, first, second, picture, from, to;
  std::vector<std::string> pins;
  double rate = 30;
  blend::PairOptions options;
  MotionOutput output;
};

Result<void> take_pins(BlendAlignArguments& arguments) {
  for (const std::string& text : arguments.pins) {
    const auto pin = compare::parse_warp_cell(text);
    if (!pin) return fail_from(pin);
    arguments.options.pins.push_back(*pin);
  }
  for (const auto& [text, end] :
       {std::pair{&arguments.from, &arguments.options.from}, std::pair{&arguments.to, &arguments.options.to}}) {
    if (text->empty()) continue;
    const auto cell = compare::parse_warp_cell(*text);
    if (!cell) return fail_from(cell);
    *end = *cell;
  }
  return {};
}

Result<blend::PairAlignment> load(const BlendAlignArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  const auto first = library->read_clip(arguments.first);
  if (!first) return fail_from(first);
  const auto second = library->read_clip(arguments.second);
  if (!second) return fail_from(second);
  return blend::PairAlignment::create(*first, *second, arguments.rate);
}

nlohmann::json cells_json(const std::vector<compare::WarpCell>& cells) {
  auto list = nlohmann::json::array();
  for (const compare::WarpCell& cell : cells) list.push_back({cell.row, cell.column});
  return list;
}

void show(const BlendAlignArguments& arguments, const blend::PairWarp& warp) {
  const compare::WarpCell &first = warp.path.cells.front(), &last = warp.path.cells.back();
  say("{} frames {} to {} with {} frames {} to {}, at {:g} frames a second: mean cost {:.4f} m²\n", arguments.first,
      first.row, last.row, arguments.second, first.column, last.column, arguments.rate, warp.path.cost);
  for (const compare::WarpCell& stroke : warp.strokes) {
    say("strokes meet at {}:{}\n", stroke.row, stroke.column);
  }
}

int run(const Command& command, BlendAlignArguments& arguments) {
  if (const auto taken = take_pins(arguments); !taken) return report(taken.error());
  const auto pair = load(arguments);
  if (!pair) return report(pair.error());
  const auto warp = pair->warp(arguments.options);
  if (!warp) return report(warp.error());
  if (!arguments.picture.empty()) {
    const auto drawing = report::draw_warp(*pair, *warp, arguments.options.pins);
    if (const auto saved = picture::save(drawing, arguments.picture); !saved) return report(saved.error());
  }
  nlohmann::json details = {{"first", arguments.first},
                            {"second", arguments.second},
                            {"rate", arguments.rate},
                            {"cost", warp->path.cost},
                            {"pins", cells_json(arguments.options.pins)},
                            {"strokes", cells_json(warp->strokes)},
                            {"path", cells_json(warp->path.cells)},
                            {"motion", nullptr}};
  if (!command.json) show(arguments, *warp);
  if (arguments.output.file.empty() && arguments.output.clip.empty()) {
    if (command.json) print_json(details);
    return kDone;
  }
  const motion::Recording retimed = pair->retimed(*warp);
  MotionOutput output = arguments.output;
  output.polish = false;
  return write_to_output(command, {retimed.clip, retimed.contacts, {}, {}}, retimed.clip.name, arguments.library,
                         output, std::move(details));
}

}  // namespace

void add_blend_align(Commands& commands) {
  Command& command =
      commands.add("blend", kBlendAbout, "align", "which moments of two clips belong together",
                   "loom blend align motions.loom reach-01 reach-05 --picture warp.png\n"
                   "  loom blend align motions.loom reach-01 reach-05 --pin 30:41 -o reach-05-retimed.glb");
  auto arguments = std::make_shared<BlendAlignArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("first", arguments->first, "the clip that keeps its time: the rows")->required();
  options.add_option("second", arguments->second, "the clip that is warped to it: the columns")->required();
  options.add_option("--pin", arguments->pins, "a frame of each that are to happen together, as 30:41; several times")
      ->allow_extra_args(false);
  options.add_option("--from", arguments->from, "where the warp begins, as 5:0; by default at the first frames");
  options.add_option("--to", arguments->to, "where it ends; by default at the last frames");
  options.add_flag("--free-ends", arguments->options.free_ends, "leave out up to a third at either end, where better");
  add_off_flag(options, "--no-strokes", arguments->options.strokes, "do not let marked strokes coincide");
  command.outputs.add_file(options, "--picture", arguments->picture, "draw the costs and the path: .png or .svg");
  options.add_option("--rate", arguments->rate, "frames a second to align at (30)")->check(between(1.0, 1000.0));
  command.outputs.add_file(options, "-o,--out", arguments->output.file,
                           "write the second clip in the time of the first: .bvh, .glb or .gltf");
  options.add_option("--on", arguments->output.on, kOnHelp);
  options.add_option("--add", arguments->output.clip, "add that to the library as a clip of this name");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
