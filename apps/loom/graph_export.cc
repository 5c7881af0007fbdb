// SPDX-License-Identifier: MIT
// `loom graph export | extract`: a graph out of its library: as a table or as GraphML for other people's tools, or as a
// small library of its own.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/behavior/state_build.h>
#include <loom/graph/build.h>
#include <loom/graph/extract.h>
#include <loom/graph/graph_export.h>
#include <loom/graph/told_graph.h>
#include <loom/library/library.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct GraphExportArguments {
  std::string library, graph, out;
  bool states = false;
};

/// A graph and the names of its states, where it has any.
struct Loaded {
  graph::MotionGraph graph;
  std::vector<std::string> state_names;
  std::vector<std::uint32_t> state_of;
};

Result<Loaded> load(const GraphExportArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  if (arguments.states) {
    const auto stored = behavior::load_states(*library, arguments.graph);
    if (!stored) return fail_from(stored);
    Loaded loaded{stored->states->graph, {}, stored->states->state_of};
    for (const auto& state : stored->states->machine.states) loaded.state_names.push_back(state.name);
    return loaded;
  }
  auto bare = graph::load_bare(*library, arguments.graph);
  if (!bare) return fail_from(bare);
  notice_gone(bare->gone);
  return Loaded{std::move(bare->graph), {}, {}};
}

int run(const Command& command, const GraphExportArguments& arguments) {
  const bool csv = lower_case(arguments.out).ends_with(".csv");
  if (!csv && !lower_case(arguments.out).ends_with(".graphml")) {
    return wrong_usage("a graph is written as .csv or .graphml: the name of the file says which");
  }
  std::vector<std::string> files{arguments.out};
  if (csv) {
    files.push_back(graph::vertices_beside(arguments.out));
    if (const auto allowed = command.outputs.allow(files.back()); !allowed) return report(allowed.error());
  }
  const auto loaded = load(arguments);
  if (!loaded) return report(loaded.error());
  const graph::VertexStates states{loaded->state_names, loaded->state_of};
  const auto written = [&] {
    ProgressBar bar;
    return csv ? graph::write_graph_csv(loaded->graph, states, arguments.out, bar.progress())
               : graph::write_graphml(loaded->graph, states, arguments.out, bar.progress());
  }();
  if (!written) return report(written.error());
  if (command.json) {
    print_json(
        {{"files", files}, {"vertices", written->vertices}, {"edges", written->edges}, {"bytes", written->bytes}});
    return kDone;
  }
  say("{} vertices, {} edges\n", written->vertices, written->edges);
  for (const std::string& file : files) say("wrote {}\n", file);
  return kDone;
}

namespace fs = std::filesystem;

struct ExtractArguments {
  std::string library, graph, out, name;
  double margin = graph::kExtractMargin;
  bool force = false;
};

/// Whether a file is a library that was extracted, and nothing else: what may be replaced by another such.
bool was_extracted(const std::string& path) {
  const auto library = library::Library::open(path);
  if (!library) return false;
  const auto built = library->artefacts();
  return built && !built->empty() && std::all_of(built->begin(), built->end(), [](const library::ArtefactInfo& info) {
           return graph::is_extracted(info.parameters);
         });
}

/// Whether a library may be made at the place the user said.
Result<void> allow_library(const ExtractArguments& arguments) {
  if (!lower_case(arguments.out).ends_with(".loom")) {
    return fail("is to be a library: give it a name that ends in .loom", arguments.out);
  }
  std::error_code none;
  if (fs::equivalent(arguments.library, arguments.out, none)) {
    return fail("is the library the graph is in; give the small one another name", arguments.out);
  }
  const fs::file_status status = fs::symlink_status(arguments.out, none);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return fail("is not a plain file", arguments.out);
  if (!was_extracted(arguments.out)) {
    return fail("is there already, and not a library that was extracted; give another name", arguments.out);
  }
  if (!arguments.force) return fail("is there already; give another name, or --force to replace it", arguments.out);
  return {};
}

/// A library beside the one that is to be, which takes its name when it is whole.
Result<void> write_library(const ExtractArguments& arguments, const graph::ExtractedGraph& extracted,
                           const std::string& parameters) {
  const std::string unfinished = arguments.out + ".part";
  const auto forget = [&] {
    std::error_code none;
    for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(unfinished + end, none);
  };
  forget();
  const auto written = [&]() -> Result<void> {
    auto library = library::Library::open_or_create(unfinished);
    if (!library) return fail_from(library);
    const std::string source = fs::path(arguments.library).filename().string();
    return graph::store_extracted(*library, arguments.name, extracted, parameters, source);
  }();
  std::error_code error;
  if (written) fs::rename(unfinished, arguments.out, error);
  if (written && !error) return {};
  forget();
  return written ? Result<void>(fail(fmt::format("cannot be written: {}", error.message()), arguments.out)) : written;
}

int extract(const Command& command, ExtractArguments arguments) {
  if (arguments.name.empty()) arguments.name = arguments.graph;
  if (const auto allowed = allow_library(arguments); !allowed) return report(allowed.error());
  const auto opened = library::Library::open(arguments.library);
  if (!opened) return report(opened.error());
  const auto stored = graph::load_graph(*opened, arguments.graph);
  if (!stored) return report(stored.error());
  const auto pairs = graph::load_pairs(*opened, arguments.graph, *stored->graph);  // a graph may have none
  const auto extracted = graph::extract(*stored->graph, *stored->motion,
                                        pairs ? *pairs : std::vector<graph::SimilarPair>(), arguments.margin);
  if (!extracted) return report(extracted.error());
  if (const auto done = write_library(arguments, *extracted, stored->parameters); !done) return report(done.error());
  const auto bytes = fs::file_size(arguments.out), all_bytes = fs::file_size(arguments.library);
  if (command.json) {
    print_json({{"library", arguments.out},
                {"graph", arguments.name},
                {"nodes", extracted->graph.nodes()},
                {"clip_count", extracted->clips.size()},
                {"frames", extracted->frames},
                {"source_frames", extracted->source_frames},
                {"bytes", bytes},
                {"source_bytes", all_bytes}});
    return kDone;
  }
  say("{} nodes: {} of {} frames, in {} clips\n", extracted->graph.nodes(), extracted->frames, extracted->source_frames,
      extracted->clips.size());
  say("wrote {}: {:.2f} MB of {:.2f}\n", arguments.out, static_cast<double>(bytes) / 1e6,
      static_cast<double>(all_bytes) / 1e6);
  return kDone;
}

void add_extract(Commands& commands) {
  auto arguments = std::make_shared<ExtractArguments>();
  Command& command =
      commands.add("graph", kGraphAbout, "extract", "write a library of its own with only the frames a graph needs",
                   "loom graph extract motions.loom small -o small.loom");
  Options& options = *command.options;
  add_graph_options(options, arguments->library, arguments->graph);
  options.add_option("-o,--out", arguments->out, "the library to make, a .loom file")->required();
  options.add_option("--name", arguments->name, "what to call the graph there (its name here)");
  options
      .add_option("--margin", arguments->margin,
                  "seconds kept around each piece, for transitions to blend with; 0 takes the least room, and "
                  "transitions then hold the first or last pose (0.25)")
      ->check(between(0.0, 10.0));
  options.add_flag("--force", arguments->force, "replace a library that was extracted before");
  command.run = [arguments](const Command& self) { return extract(self, *arguments); };
}

}  // namespace

void add_graph_export(Commands& commands) {
  add_extract(commands);
  auto arguments = std::make_shared<GraphExportArguments>();
  Command& command = commands.add("graph", kGraphAbout, "export",
                                  "write a graph for other programs: vertices and edges as CSV, or GraphML",
                                  "loom graph export motions.loom main -o main.graphml\n"
                                  "  loom graph export motions.loom main -o main.csv   "
                                  "(edges; main.vertices.csv beside it has the vertices)");
  add_graph_options(*command.options, arguments->library, arguments->graph);
  command.outputs
      .add_file(*command.options, "-o,--out", arguments->out,
                "the file to write: .graphml, or .csv for the edges, with the vertices in a second file beside it")
      ->required();
  command.options->add_flag("--states", arguments->states, "the name is that of a state graph (`loom states build`)");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
