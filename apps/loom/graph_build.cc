// SPDX-License-Identifier: MIT
// `loom graph build`: a motion graph of the clips in a library, stored in the library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/project/build.h>
#include <loom/take/gather.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/graph_options.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {

int show_graph(const Command& command, const GraphArguments& arguments, const library::Library& library,
               const take::Gathered& source, const graph::Built& built, const nlohmann::json& more) {
  const graph::MotionGraph& graph = built.graph;
  if (command.json) {
    auto result = artefact_json(library, graph::kGraphKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"clip_count", graph.clips.size()},
                    {"frames", built.frames},
                    {"nodes", graph.nodes()},
                    {"edges", graph.edges()},
                    {"transitions", graph.transitions.size()},
                    {"threshold", graph.threshold},
                    {"threshold_cm", arguments.is_cloud() ? nlohmann::json(graph::centimetres_of(graph.threshold))
                                                          : nlohmann::json(nullptr)},
                    {"component_share", built.share_reached},
                    {"pairs_per_second", built.pairs_per_second},
                    {"pairs_compared", built.pairs_compared},
                    {"pairs_skipped", built.pairs_skipped},
                    {"on", built.on},
                    {"seconds", built.seconds},
                    {"peak_memory_bytes", built.peak_memory_bytes},
                    {"left_out", left_out_json(source.left_out)}});
    result->update(more);
    print_json(*result);
    return kDone;
  }
  say("graph '{}': {} nodes of {} frames ({:.1f} %), {} transitions at a threshold of {}\n", arguments.name,
      graph.nodes(), built.frames, 100 * built.share_reached, graph.transitions.size(),
      told_threshold(arguments, graph.threshold));
  const double pairs = static_cast<double>(built.pairs_compared + built.pairs_skipped);
  if (built.pairs_skipped > 0) {
    say("compared {:.2g} % of {:.0f} million pairs, the others are too far apart for it; {:.2f} s in all\n",
        100 * static_cast<double>(built.pairs_compared) / pairs, pairs / 1e6, built.seconds);
  } else {
    say("compared all {:.0f} million pairs; {:.2f} s in all\n", pairs / 1e6, built.seconds);
  }
  say("compared {}\n", told_on(built));
  tell_left_out(source.left_out);
  if (!arguments.build.threshold && built.share_reached < arguments.build.connect) {
    say("{:.0f} % were wanted, and this is as many as these clips connect; `{}` tells why\n",
        100 * arguments.build.connect, shell_command({"graph", "explain"}, {arguments.library, arguments.name}));
  }
  return kDone;
}

namespace {

int run(const Command& command, GraphArguments& arguments) {
  if (const int wrong = settle(command, arguments); wrong != kDone) return wrong;
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto made = [&] {
    ProgressBar bar;
    return project::build_graph(*library, arguments.name, arguments.source, arguments.build, bar.progress());
  }();
  if (!made) return report(made.error());
  return show_graph(command, arguments, *library, made->source, made->built, nlohmann::json::object());
}

}  // namespace

void add_graph_options(Options& options, std::string& library, std::string& graph) {
  options.add_option("library", library, "a .loom file")->required();
  options.add_option("graph", graph, "the name of a graph in it")->required();
}

Result<graph::StoredGraph> open_graph(const std::string& library, const std::string& name) {
  const auto opened = library::Library::open(library);
  if (!opened) return fail_from(opened);
  return graph::load_graph(*opened, name);
}

void notice_gone(const std::vector<std::string>& gone) {
  if (gone.empty()) return;
  const std::size_t others = gone.size() - 1;
  notice(fmt::format(
      "'{}'{} of the graph {} gone from the library or damaged: told with the labels of when it was built",
      gone.front(), others == 0 ? "" : fmt::format(" and {} more clips", others), others == 0 ? "is" : "are"));
}

void add_graph_build(Commands& commands) {
  Command& command =
      commands.add("graph", kGraphAbout, "build", "build a graph of a library's clips and store it there",
                   "loom graph build motions.loom --name main --connect 0.9");
  auto arguments = std::make_shared<GraphArguments>();
  add_graph_source(*command.options, *arguments);
  const Option clusters =
      command.options
          ->add_option(
              "--clusters", arguments->build.clusters,
              "compare only frames of one of so many clusters a stance: fewer transitions, for very large sets (all)")
          ->check(between(1, 4096));
  command.options
      ->add_flag("--foot-crossings", arguments->build.foot_crossings,
                 "compare only frames in which one foot passes the other: quick, for motion that walks")
      ->excludes(clusters);
  command.options->add_flag("--match-stance", arguments->build.match_stance,
                            "no transition between a stance on the left foot and one on the right");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
