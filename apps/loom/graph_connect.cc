// SPDX-License-Identifier: MIT
// `loom graph connect`: a well-connected graph, with motion between what was recorded, stored in the library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/connect/connect.h>
#include <loom/graph/cuda/card_trees.h>
#include <loom/library/library.h>
#include <loom/project/build.h>
#include <loom/take/gather.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/graph_options.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct GraphConnectArguments {
  GraphArguments graph;
  graph::ConnectOptions connect;
};

nlohmann::json details(const GraphConnectArguments& arguments, const project::ConnectedGraph& made) {
  const graph::Connected& connected = made.connected;
  const graph::Built& built = connected.built;
  return {{"clip_count", built.graph.recorded_clips()},
          {"frames", built.frames},
          {"segments", connected.segments},
          {"pairs", connected.pairs},
          {"pairs_interpolated", connected.chosen_pairs},
          {"interpolated_before", connected.interpolated_before},
          {"nodes", built.graph.nodes()},
          {"edges", built.graph.edges()},
          {"transitions", built.graph.transitions.size()},
          {"size_factor", connected.size_factor()},
          {"component_share", built.share_reached},
          {"threshold", built.graph.threshold},
          {"threshold_cm", arguments.graph.is_cloud() ? nlohmann::json(graph::centimetres_of(built.graph.threshold))
                                                      : nlohmann::json(nullptr)},
          {"lambda", arguments.connect.lambda},
          {"weights", connected.weights},
          {"joined", connected.joined},
          {"on", built.on},
          {"seconds",
           {{"interpolate", connected.interpolate_seconds},
            {"compare", connected.compare_seconds},
            {"reduce", connected.reduce_seconds},
            {"total", built.seconds}}},
          {"peak_memory_bytes", built.peak_memory_bytes},
          {"left_out", left_out_json(made.source.left_out)}};
}

int show(const Command& command, const GraphConnectArguments& arguments, const library::Library& library,
         const project::ConnectedGraph& made) {
  const graph::Connected& connected = made.connected;
  const graph::MotionGraph& graph = connected.built.graph;
  if (command.json) {
    auto result = artefact_json(library, graph::kGraphKind, arguments.graph.name);
    if (!result) return report(result.error());
    result->update(details(arguments, made));
    print_json(*result);
    return kDone;
  }
  say("graph '{}': {} of {} recorded frames ({:.1f} %) and {} between them, {:.1f} times the data, {} transitions at a "
      "threshold of {}\n",
      arguments.graph.name, connected.recorded_nodes, connected.built.frames, 100 * connected.built.share_reached,
      graph.nodes() - connected.recorded_nodes, connected.size_factor(), graph.transitions.size(),
      told_threshold(arguments.graph, graph.threshold));
  say("{} stretches of equal contacts, {} of {} pairs of them mixed, {} frames before reduction\n", connected.segments,
      connected.chosen_pairs, connected.pairs, connected.interpolated_before);
  if (connected.joined > 0) say("{} ways between mixes of different pairs\n", connected.joined);
  say("{:.1f} s: {:.1f} interpolating, {:.1f} comparing, {:.1f} reducing\n", connected.built.seconds,
      connected.interpolate_seconds, connected.compare_seconds, connected.reduce_seconds);
  say("compared {}\n", told_on(connected.built));
  tell_left_out(made.source.left_out);
  return kDone;
}

int run(const Command& command, GraphConnectArguments& arguments) {
  if (const int wrong = settle(command, arguments.graph); wrong != kDone) return wrong;
  arguments.connect.build = arguments.graph.build;
  const auto trees = graph::CardTrees::create(arguments.graph.on);
  if (!trees) return report(trees.error());
  arguments.connect.trees = trees->get();
  auto library = library::Library::open(arguments.graph.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto made = [&] {
    ProgressBar bar;
    return project::connect_graph(*library, arguments.graph.name, arguments.graph.source, arguments.connect,
                                  bar.progress());
  }();
  if (!made) return report(made.error());
  return show(command, arguments, *library, *made);
}

}  // namespace

void add_graph_connect(Commands& commands) {
  Command& command = commands.add("graph", kGraphAbout, "connect",
                                  "build a well-connected graph, with motion between what was recorded",
                                  "loom graph connect motions.loom --name smooth --threshold-cm 3");
  auto arguments = std::make_shared<GraphConnectArguments>();
  add_graph_source(*command.options, arguments->graph);
  command.options
      ->add_option("--weights", arguments->connect.weights, "motions between two recorded ones: 9 are 0.1 to 0.9 (9)")
      ->check(between(1, 99));
  command.options->add_option("--lambda", arguments->connect.lambda,
                              "how many times longer a way may become for a smaller graph; 1: not at all (5)");
  command.options
      ->add_option("--smoothness", arguments->connect.smoothness,
                   "frames that the roughest transition counts beside its own (2)")
      ->check(between(0.0, 100.0));
  command.options->add_flag("--every-pair", arguments->connect.every_pair,
                            "interpolate all pairs of equal contacts, not only those that shorten a way");
  add_off_flag(*command.options, "--no-finer", arguments->connect.finer_where_poor,
               "do not try twice as many weights where too little is connected");
  add_off_flag(*command.options, "--no-joining", arguments->connect.join_mixes,
               "look for no ways between mixes of different pairs where too little is connected");
  add_off_flag(*command.options, "--no-held-feet", arguments->connect.hold_feet,
               "take recordings as they are, and do not hold feet where they stand");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
