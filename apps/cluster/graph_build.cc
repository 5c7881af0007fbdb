// SPDX-License-Identifier: MIT
// `loom-cluster graph build`: the graph of `loom graph build`, byte for byte, compared by all ranks.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/parts_file.h>
#include <loom/library/library.h>
#include <loom/project/build.h>

#include "cluster/cluster_commands.h"
#include "cluster/cluster_engine.h"
#include "loom/graph_commands.h"
#include "loom/graph_options.h"
#include "loom/options.h"
#include "loom/progress_bar.h"

namespace loom::cluster {
namespace {

struct ClusterGraphBuildArguments {
  app::GraphArguments graph;
  std::string checkpoint;
  ClusterOptions cluster;
};

int lead(const app::Command& command, Crew& crew, ClusterGraphBuildArguments& arguments) {
  const std::string& path = arguments.graph.library;
  auto library = library::Library::open(path, library::Access::kWrite);
  if (!library) return app::report(library.error());
  if (arguments.checkpoint.empty()) arguments.checkpoint = usual_checkpoint(path, arguments.graph.name);
  auto kept = PartsFile::open(arguments.checkpoint);
  if (!kept) return app::report(kept.error());
  const ClusterEngine engine(crew, &*kept, arguments.cluster);
  arguments.graph.build.engine = &engine;
  const auto made = [&] {
    app::ProgressBar bar;
    return project::build_graph(*library, arguments.graph.name, arguments.graph.source, arguments.graph.build,
                                bar.progress());
  }();
  if (!made) return report_failure(made.error(), arguments.checkpoint);
  if (const auto removed = kept->remove(); !removed) app::notice(removed.error().to_string());
  return app::show_graph(command, arguments.graph, *library, made->source, made->built,
                         cluster_json(crew, engine.report()));
}

/// The others read the same clips, and help until there is nothing more to do.
int follow(Crew& crew, ClusterGraphBuildArguments& arguments) {
  const ClusterEngine engine(crew, nullptr, arguments.cluster);
  arguments.graph.build.engine = &engine;
  const auto done = [&]() -> Result<void> {
    auto library = library::Library::open(arguments.graph.library);
    if (!library) return fail_from(library);
    const auto gathered = take::gather(*library, arguments.graph.source);
    if (!gathered) return fail_from(gathered);
    const auto built = graph::build(*gathered, arguments.graph.build);
    if (!built) return fail_from(built);
    return {};
  }();
  if (done || done.error().kind == ErrorKind::kStopped) return app::kDone;
  crew.tell_failure(done.error());
  return app::kDone;  // rank 0 tells
}

int run(const app::Command& command, Crew& crew, ClusterGraphBuildArguments& arguments) {
  if (const int wrong = app::settle(command, arguments.graph); wrong != app::kDone) return wrong;
  arguments.cluster.on = arguments.graph.on;
  return crew.leads() ? lead(command, crew, arguments) : follow(crew, arguments);
}

}  // namespace

void add_graph_build(app::Commands& commands, Crew& crew) {
  app::Command& command =
      commands.add("graph", app::kGraphAbout, "build", "build a graph of a library's clips, compared by all ranks",
                   "mpirun -n 4 loom-cluster graph build motions.loom --name main");
  auto arguments = std::make_shared<ClusterGraphBuildArguments>();
  app::add_graph_source(*command.options, arguments->graph);
  command.options->add_flag("--match-stance", arguments->graph.build.match_stance,
                            "no transition between a stance on the left foot and one on the right");
  command.options->add_option("--checkpoint", arguments->checkpoint,
                              "where parts that are done are kept until all are (beside the library)");
  command.options->add_option("--part-pairs", arguments->cluster.part_pairs, "pairs handed out at a time, about (2e8)")
      ->check(app::between(1e3, 1e13));
  command.run = [arguments, &crew](const app::Command& c) { return run(c, crew, *arguments); };
}

}  // namespace loom::cluster
