// SPDX-License-Identifier: MIT
// `loom repair`: a mended copy of a clip, with both measured.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/project/repair_clip.h>

#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct RepairArguments {
  std::string library, clip, as;
  polish::Repairs repairs;
};

nlohmann::json measures_json(const project::RepairMeasures& m) {
  const bool feet = m.motion.has_feet;
  return {{"frames", m.frames},
          {"rate", m.rate},
          {"foot_slide_mean_mps", value_if(feet, m.motion.foot_slide_mean_mps)},
          {"foot_slide_max_mps", value_if(feet, m.motion.foot_slide_max_mps)},
          {"penetration_max_m", value_if(feet, m.motion.penetration_max_m)},
          {"floor_m", value_if(feet, m.floor_m)},
          {"largest_jump_m", value_if(m.frames >= kFramesOfJump, m.motion.largest_jump_m)},
          {"jerk_rms", value_if(m.frames >= kFramesOfJerk, m.motion.jerk_rms)},
          {"path_m", m.motion.path_m},
          {"loop_gap_m", m.loop_gap_m}};
}

void show(const project::RepairedClip& repaired) {
  Table table({"", "before", "after"});
  const auto row = [&](const char* what, auto figure) {
    table.add({what, figure(repaired.before), figure(repaired.after)});
  };
  using M = project::RepairMeasures;
  const auto centimetres = [](double metres) { return fmt::format("{:.1f}", 100 * metres); };
  row("frames", [](const M& m) { return std::to_string(m.frames); });
  row("rate (Hz)", [](const M& m) { return fmt::format("{:g}", m.rate); });
  if (repaired.before.motion.has_feet) {
    row("foot slide, mean (cm/s)", [&](const M& m) { return centimetres(m.motion.foot_slide_mean_mps); });
    row("foot slide, worst (cm/s)", [&](const M& m) { return centimetres(m.motion.foot_slide_max_mps); });
    row("below the floor, deepest (cm)", [&](const M& m) { return centimetres(m.motion.penetration_max_m); });
    row("height of the floor (cm)", [&](const M& m) { return centimetres(m.floor_m); });
  }
  row("largest jump (cm)", [&](const M& m) { return centimetres(m.motion.largest_jump_m); });
  row("jerk (m/s3)", [](const M& m) { return fmt::format("{:.0f}", m.motion.jerk_rms); });
  row("path (m)", [](const M& m) { return fmt::format("{:.2f}", m.motion.path_m); });
  row("first and last pose apart (cm)", [&](const M& m) { return centimetres(m.loop_gap_m); });
  table.print();
}

int run(const Command& command, const RepairArguments& arguments) {
  if (!arguments.repairs.any()) {
    return wrong_usage(
        "say what is to be mended: --plant-feet, --floor, --loop, --smooth HZ, --rate HZ, --in-place, "
        "--from and --to");
  }
  auto library = library::Library::open(arguments.library,
                                        arguments.as.empty() ? library::Access::kRead : library::Access::kWrite);
  if (!library) return report(library.error());
  const auto repaired = project::repair_clip(*library, arguments.clip, arguments.repairs);
  if (!repaired) return report(repaired.error());
  if (!arguments.as.empty()) {
    const auto kept = project::keep_repaired(*library, arguments.clip, arguments.repairs, *repaired, arguments.as);
    if (!kept) return report(kept.error());
  }
  if (command.json) {
    print_json({{"clip", arguments.clip},
                {"kept_as", text_or_null(arguments.as)},
                {"done", repaired->done},
                {"before", measures_json(repaired->before)},
                {"after", measures_json(repaired->after)}});
    return kDone;
  }
  for (const std::string& sentence : repaired->done) say("{}\n", sentence);
  show(*repaired);
  if (arguments.as.empty()) {
    say("nothing is kept without --as NAME; {} stays as it is either way\n", arguments.clip);
  } else {
    say("kept as {}\n", arguments.as);
  }
  return kDone;
}

}  // namespace

void add_repair(Commands& commands) {
  auto arguments = std::make_shared<RepairArguments>();
  Command& command =
      commands.add("repair", "mend a copy of a clip: feet, floor, loops, noise; measured before and after",
                   "loom repair moves.loom 16_11 --plant-feet --floor --as 16_11-planted");
  Options& options = *command.options;
  polish::Repairs& repairs = arguments->repairs;
  options.add_option("library", arguments->library, "the library")->required();
  options.add_option("clip", arguments->clip, "the clip to mend a copy of; it stays as it is")->required();
  options.add_option("--as", arguments->as, "what the copy is called; without it, it is measured and not kept");
  options.add_option("--from", repairs.from, "first frame to keep (0 by default)");
  options.add_option("--to", repairs.to, "one past the last frame to keep (the end by default)");
  options.add_option("--rate", repairs.rate, "resample to this many frames a second")->check(between(1.0, 1000.0));
  options
      .add_option("--smooth", repairs.smooth_hz, "smooth out what shakes faster than this, Hz (6 for noisy capture)")
      ->check(between(0.1, 500.0));
  options.add_flag("--floor", repairs.floor, "put the floor that the feet know at 0, level");
  options.add_flag("--loop", repairs.loop, "keep the longest stretch that goes round well, and close it");
  options.add_flag("--plant-feet", repairs.plant_feet, "hold planted feet where they stand, on the floor");
  options.add_flag("--in-place", repairs.in_place, "take the way along the floor off");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
