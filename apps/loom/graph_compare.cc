// SPDX-License-Identifier: MIT
// `loom graph compare`: two clips against each other, before any graph is built: where they are alike, and the
// transition there.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/compare/time_warp.h>
#include <loom/graph/clip_pair.h>
#include <loom/library/library.h>
#include <loom/picture/save.h>
#include <loom/report/pair_pictures.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr std::size_t kMostMinima = 200;  ///< that are drawn, and told to machines

struct GraphCompareArguments {
  std::string library, from, to, at, picture;
  std::size_t best = 10;
  double rate = 30;
  MotionOutput output;
};

Result<graph::ClipPair> load(const GraphCompareArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  auto from = library->read_clip(arguments.from);
  if (!from) return fail_from(from);
  auto to = library->read_clip(arguments.to);
  if (!to) return fail_from(to);
  return graph::ClipPair::create(std::move(*from), std::move(*to), arguments.rate);
}

void show(const GraphCompareArguments& arguments, const std::vector<compare::SimilarPair>& minima) {
  say("{} places where {} and {} are alike, at {:g} frames a second\n", minima.size(), arguments.from, arguments.to,
      arguments.rate);
  Table table({"distance m²", "cm apart", "frame of " + arguments.from, "frame of " + arguments.to});
  for (std::size_t n = 0; n < std::min(arguments.best, minima.size()); ++n) {
    const compare::SimilarPair& pair = minima[n];
    table.add({fmt::format("{:.4g}", pair.distance), fmt::format("{:.1f}", 100 * std::sqrt(pair.distance)),
               std::to_string(pair.a), std::to_string(pair.b)});
  }
  table.print();
}

int write_transition(const Command& command, const GraphCompareArguments& arguments, const graph::ClipPair& pair,
                     compare::WarpCell at, nlohmann::json details) {
  auto made = pair.transition(at.row, at.column);
  if (!made) return report(made.error());
  details["change_frame"] = made->change;
  const std::string name = made->motion.clip.name;
  return write_to_output(command, std::move(made->motion), name, arguments.library, arguments.output,
                         std::move(details));
}

int run(const Command& command, const GraphCompareArguments& arguments) {
  const bool makes_motion = !arguments.output.file.empty() || !arguments.output.clip.empty();
  compare::WarpCell at;
  if (!arguments.at.empty()) {
    const auto parsed = compare::parse_warp_cell(arguments.at);
    if (!parsed) return report(parsed.error());
    at = *parsed;
  }
  const auto pair = load(arguments);
  if (!pair) return report(pair.error());
  const auto distances = pair->distances();
  if (!distances) return report(distances.error());
  const auto minima = graph::local_minima(*distances, kMostMinima);
  if (arguments.at.empty() && makes_motion) {
    if (minima.empty()) return report({"these clips are nowhere alike; say a place with --at", arguments.library, 0});
    at = {minima.front().a, minima.front().b};
  }
  if (!arguments.picture.empty()) {
    const auto drawing = report::draw_distances(*distances, minima, arguments.from, arguments.to);
    if (const auto saved = picture::save(drawing, arguments.picture); !saved) return report(saved.error());
  }
  nlohmann::json details = {{"from", arguments.from},
                            {"to", arguments.to},
                            {"rate", arguments.rate},
                            {"compared_frames", {distances->rows, distances->columns}},
                            {"minima", nlohmann::json::array()},
                            {"at", nullptr},
                            {"distance", nullptr},
                            {"change_frame", nullptr},
                            {"motion", nullptr}};
  for (const compare::SimilarPair& m : minima)
    details["minima"].push_back({{"at", {m.a, m.b}}, {"distance", m.distance}});
  if (!arguments.at.empty() || makes_motion) {
    const double distance = pair->distance(at.row, at.column);
    details["at"] = {at.row, at.column};
    details["distance"] = std::isfinite(distance) ? nlohmann::json(distance) : nlohmann::json();
    if (!command.json && std::isfinite(distance)) {
      say("{}:{} are {:.4g} m² apart, {:.1f} cm on average\n", at.row, at.column, distance, 100 * std::sqrt(distance));
    } else if (!command.json) {
      say("{}:{} is too near to an end for a distance\n", at.row, at.column);
    }
  }
  if (makes_motion) return write_transition(command, arguments, *pair, at, std::move(details));
  if (command.json) {
    print_json(details);
  } else if (arguments.at.empty()) {
    show(arguments, minima);
  }
  return kDone;
}

}  // namespace

void add_graph_compare(Commands& commands) {
  Command& command =
      commands.add("graph", kGraphAbout, "compare", "where two clips are alike, and the transition there",
                   "loom graph compare motions.loom walk-slow run-1 --picture matrix.png\n"
                   "  loom graph compare motions.loom walk-slow run-1 --at 40:12 -o transition.glb");
  auto arguments = std::make_shared<GraphCompareArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("from", arguments->from, "a clip to come from: the rows")->required();
  options.add_option("to", arguments->to, "a clip to go to: the columns")->required();
  options.add_option("--at", arguments->at, "a frame of each clip, as 40:12; for motion by default the most alike");
  command.outputs.add_file(options, "--picture", arguments->picture,
                           "draw the distances and their minima: .png or .svg");
  options.add_option("--best", arguments->best, "minima to list (10)");
  options.add_option("--rate", arguments->rate, "frames a second to compare at (30)")->check(between(1.0, 1000.0));
  add_clip_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
