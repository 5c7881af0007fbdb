// SPDX-License-Identifier: MIT
// `loom find`: the stretches of a library that are like an example.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/project/find_motion.h>

#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct FindArguments {
  std::string library, example;
  bool direct = false;
  project::FindOptions options;
};

Result<project::FoundMotion> find(const FindArguments& arguments, const Progress& progress) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  project::MotionExample example = project::read_example(arguments.example);
  const auto whole = library->has_clip(arguments.example);
  if (!whole) return fail_from(whole);
  if (*whole) example = {arguments.example, {}};
  project::FindOptions options = arguments.options;
  options.through_matches = !arguments.direct;
  return project::find_motion(*library, example, options, progress);
}

nlohmann::json found_json(const FindArguments& arguments, const project::FoundMotion& found) {
  auto stretches = nlohmann::json::array();
  for (const compare::SimilarStretch& one : found.similar.found) {
    const auto [from, to] = found.frames_of(one);
    stretches.push_back({{"stretch", found.told(one)},
                         {"clip", found.motion.stretches[one.clip].name},
                         {"mirrored", found.motion.stretches[one.clip].mirrored},
                         {"from", from},
                         {"to", to},
                         {"from_s", static_cast<double>(from) / arguments.options.rate},
                         {"to_s", static_cast<double>(to) / arguments.options.rate},
                         {"rank_cm", graph::centimetres_of(one.rank())},
                         {"step_cm", graph::centimetres_of(one.step)},
                         {"distance_cm", graph::centimetres_of(one.distance)},
                         {"from_example_cm", graph::centimetres_of(one.from_example)},
                         {"through", one.through < 0 ? nlohmann::json() : nlohmann::json(one.through)}});
  }
  return {{"example", arguments.example},
          {"rate", arguments.options.rate},
          {"example_frames", found.example.size()},
          {"frames", found.set->frames()},
          {"spread_cm", graph::centimetres_of(found.similar.spread)},
          {"within_cm", graph::centimetres_of(found.similar.limit)},
          {"searches", found.similar.searches},
          {"stretches", std::move(stretches)},
          {"seconds", {{"read", found.reading_s}, {"search", found.searching_s}}}};
}

int run(const Command& command, const FindArguments& arguments) {
  const auto found = [&] {
    ProgressBar bar;
    return find(arguments, bar.progress());
  }();
  if (!found) return report(found.error());
  if (command.json) {
    print_json(found_json(arguments, *found));
    return kDone;
  }
  if (found->similar.found.empty()) {
    say("nothing is within {:.1f} cm of {}; --within-cm looks further\n", graph::centimetres_of(found->similar.limit),
        arguments.example);
    return kDone;
  }
  Table table({"stretch", "from (s)", "to (s)", "rank (cm)", "distance (cm)", "found through"});
  for (const compare::SimilarStretch& one : found->similar.found) {
    const auto [from, to] = found->frames_of(one);
    const auto seconds = [&](std::size_t frame) {
      return fmt::format("{:.2f}", static_cast<double>(frame) / arguments.options.rate);
    };
    table.add({found->told(one), seconds(from), seconds(to), fmt::format("{:.1f}", graph::centimetres_of(one.rank())),
               fmt::format("{:.1f}", graph::centimetres_of(one.from_example)),
               one.through < 0 ? "" : found->told(found->similar.found[static_cast<std::size_t>(one.through)])});
  }
  table.print();
  say("looked through {} frames in {:.2f} s, after {:.2f} s of reading; up to {:.1f} cm a step\n", found->set->frames(),
      found->searching_s, found->reading_s, graph::centimetres_of(found->similar.limit));
  return kDone;
}

}  // namespace

void add_find(Commands& commands) {
  auto arguments = std::make_shared<FindArguments>();
  Command& command = commands.add("find", "list the stretches of a library that are like an example",
                                  "loom find moves.loom 16_11:20-60");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options
      .add_option("example", arguments->example,
                  "CLIP:FROM-TO, frames at --rate and the last included, or a clip as a whole")
      ->required();
  options.add_option("--most", arguments->options.most, "as many at most (20)")->check(between(1, 10000));
  options
      .add_option(
          "--within-cm", arguments->options.within_cm,
          "how far markers may lie apart on average, centimetres, a step (what the example's own movement allows)")
      ->check(positive());
  options.add_flag("--direct", arguments->direct,
                   "only what is like the example itself, not what is like what was found");
  options.add_flag("--mirror", arguments->options.mirror, "look in the mirror as well: left and right exchanged");
  options.add_option("--clips", arguments->options.clips,
                     "only clips of these names, in which '*' stands for anything");
  options.add_option("--rate", arguments->options.rate, "frames a second to compare at (30)")
      ->check(between(1.0, 1000.0));
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
