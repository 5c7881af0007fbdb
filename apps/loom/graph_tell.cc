// SPDX-License-Identifier: MIT
// `loom graph list | measure | explain | report | compare-graphs`: what a graph is worth, and why.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/told_graph.h>
#include <loom/library/library.h>
#include <loom/report/graph_report.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr double kMeasuring = 0.7;  ///< of the work of a report, which measuring is

struct GraphTellArguments {
  std::string library, graph, other, from, to, out;
  std::size_t best = 10, sources = 1000;
};

Result<graph::ToldGraph> load(const GraphTellArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  auto told = graph::load_told(*library, arguments.graph);
  if (told) notice_gone(told->gone);
  return told;
}

int list_graphs(const Command& command, const GraphTellArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto found = library->artefacts(graph::kGraphKind);
  if (!found) return report(found.error());
  auto json = nlohmann::json::array();
  Table table({"graph", "bytes", "built", "parameters"});
  for (const library::ArtefactInfo& info : *found) {
    json.push_back(artefact_json(info));
    table.add({info.name, std::to_string(info.bytes), info.created, info.parameters});
  }
  if (command.json) {
    print_json({{"graphs", std::move(json)}});
  } else if (found->empty()) {
    say("no graphs yet; `{}` makes one\n", shell_command({"graph", "build", "--name", "main"}, {arguments.library}));
  } else {
    table.print();
  }
  return kDone;
}

/// The measures of a graph; all of them, or none.
Result<graph::GraphMeasures> measure_wholly(const graph::ToldGraph& told, const GraphTellArguments& arguments,
                                            const Progress& progress) {
  auto measured = graph::measure(told.graph, {arguments.sources}, progress);
  if (!progress.report(1, "measured")) return fail_as(ErrorKind::kStopped, "stopped while measuring the graph");
  return measured;
}

int measure(const Command& command, const GraphTellArguments& arguments) {
  const auto told = load(arguments);
  if (!told) return report(told.error());
  const auto measured = [&] {
    ProgressBar bar;
    return measure_wholly(*told, arguments, bar.progress());
  }();
  if (!measured) return report(measured.error());
  const graph::GraphMeasures& m = *measured;
  if (command.json) {
    print_json(parse_json(graph::measures_json(told->graph, m)));
    return kDone;
  }
  Table table({"measure", "value"});
  table.add({"frames", fmt::format("{}", m.frames)});
  table.add({"nodes", fmt::format("{}", m.nodes)});
  table.add({"edges", fmt::format("{}", m.edges)});
  table.add({"largest component", fmt::format("{:.1f} %", 100 * m.component_share)});
  table.add({"mean seconds between frames", graph::told_seconds(m.mean_transition_s)});
  table.add({"local maneuverability, seconds", graph::told_seconds(m.local_maneuverability_s)});
  if (!m.missing.empty()) table.add({"behaviors lost to pruning", fmt::format("{}", fmt::join(m.missing, ", "))});
  table.add({"memory", fmt::format("{:.2f} MB", static_cast<double>(m.memory_bytes) / 1e6)});
  table.print();
  if (m.behaviors.empty()) return kDone;
  say("\nSeconds from a frame of the row to one of the column, on average:\n");
  std::vector<std::string> header{"from \\ to"};
  header.insert(header.end(), m.behaviors.begin(), m.behaviors.end());
  Table between(header);
  for (std::size_t r = 0; r < m.behaviors.size(); ++r) {
    std::vector<std::string> cells{m.behaviors[r]};
    for (std::size_t c = 0; c < m.behaviors.size(); ++c) {
      cells.push_back(graph::told_seconds(m.between_s[r * m.behaviors.size() + c]));
    }
    between.add(cells);
  }
  between.print();
  return kDone;
}

const Error kStoppedExplaining{"stopped while looking for lost motion", {}, 0, ErrorKind::kStopped};

int explain_losses(const Command& command, const graph::ToldGraph& told) {
  if (command.json) {
    ProgressBar bar;
    const std::string lost = graph::losses_json(told, bar.progress());
    if (!bar.progress().report(1, "explained")) return report(kStoppedExplaining);
    print_json({{"threshold", told.graph.threshold}, {"lost", parse_json(lost)}});
    return kDone;
  }
  std::vector<graph::LostClip> lost;
  {
    ProgressBar bar;
    lost = graph::explain_losses(told.graph, told.pairs, bar.progress());
    if (!bar.progress().report(1, "explained")) return report(kStoppedExplaining);
  }
  Table table({"clip", "lost", "of", "joins at", "why"});
  for (const graph::LostClip& entry : lost) {
    const graph::GraphClip& clip = told.graph.clips[entry.clip];
    table.add({clip.title(), std::to_string(entry.frames_lost), std::to_string(clip.frames),
               entry.joins_at < 0 ? "unknown" : fmt::format("{:.4g}", entry.joins_at), entry.reason});
  }
  if (lost.empty()) {
    say("nothing was lost to pruning: every frame is in the graph\n");
  } else {
    say("lost to pruning at a threshold of {}:\n", told.distance(told.graph.threshold));
    table.print();
  }
  return kDone;
}

void show(const graph::ToldGraph& told, const graph::Explanation& e) {
  const graph::MotionGraph& graph = told.graph;
  if (e.connected) {
    say("{} to {}: {:.2f} s at the quickest, {:.2f} s on average\n", e.from, e.to, e.quickest_s, e.mean_s);
  } else {
    say("{} to {}: no way in this graph\n", e.from, e.to);
  }
  if (e.route.size() > 1) {
    std::string route;
    for (const graph::RouteStretch& stretch : e.route) {
      const graph::GraphClip& clip = graph.clips[stretch.clip];
      route += fmt::format("{}{} {}-{}", route.empty() ? "" : ", then ", clip.title(), stretch.from + clip.begin,
                           stretch.to + clip.begin);
    }
    say("the quickest way: {}\n", route);
  }
  if (e.connects_at >= 0) {
    say("some way exists from a threshold of {} on; the graph has {}\n", told.distance(e.connects_at),
        told.distance(graph.threshold));
  } else {
    say("no way exists among all similar frames that were found\n");
  }
  if (e.best.empty()) return;
  Table table({"distance", "cost", "from", "frame", "to", "frame", "in the graph"});
  for (const graph::PossibleTransition& t : e.best) {
    table.add({fmt::format("{:.4g}", t.distance), fmt::format("{:.3f}", t.cost), graph.clips[t.from_clip].title(),
               std::to_string(t.from_frame), graph.clips[t.to_clip].title(), std::to_string(t.to_frame),
               t.in_graph ? "yes" : "no"});
  }
  table.print();
}

int explain(const Command& command, const GraphTellArguments& arguments) {
  const auto told = load(arguments);
  if (!told) return report(told.error());
  if (arguments.from.empty()) return explain_losses(command, *told);
  if (arguments.to.empty()) {
    return wrong_usage("explain takes no name, for what was lost, or two: from and to");
  }
  Result<graph::Explanation> there, back;
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t way = begin; way < end; ++way) {
      const bool backwards = way == 1;
      (backwards ? back : there) = graph::explain(told->graph, told->pairs, backwards ? arguments.to : arguments.from,
                                                  backwards ? arguments.from : arguments.to, {arguments.best, 3});
    }
  });
  if (!there) return report(there.error());
  if (!back) return report(back.error());
  if (command.json) {
    const auto json = [&](const auto& way) { return parse_json(graph::explanation_json(told->graph, way)); };
    print_json({{"threshold", told->graph.threshold}, {"there", json(*there)}, {"back", json(*back)}});
  } else {
    show(*told, *there);
    say("\n");
    show(*told, *back);
  }
  return kDone;
}

/// Writes a page and says so.
int show_saved(const Command& command, const std::string& path, const std::string& page) {
  if (const auto saved = save_file(path, page); !saved) return report(saved.error());
  if (command.json) {
    print_json({{"file", path}, {"bytes", page.size()}});
  } else {
    say("wrote {}\n", path);
  }
  return kDone;
}

int write_report(const Command& command, const GraphTellArguments& arguments) {
  const auto told = load(arguments);
  if (!told) return report(told.error());
  const auto page = [&]() -> Result<std::string> {
    ProgressBar bar;
    const auto measured = measure_wholly(*told, arguments, part_of(bar.progress(), 0, kMeasuring));
    if (!measured) return fail_from(measured);
    return report::report_page(told->graph, told->pairs, *measured, fmt::format("Motion graph '{}'", arguments.graph),
                               part_of(bar.progress(), kMeasuring, 1));
  }();
  if (!page) return report(page.error());
  return show_saved(command, arguments.out, *page);
}

int write_comparison(const Command& command, const GraphTellArguments& arguments) {
  const auto page = [&]() -> Result<std::string> {
    ProgressBar bar;
    const auto a = load(arguments);
    if (!a) return fail_from(a);
    GraphTellArguments others = arguments;
    others.graph = arguments.other;
    const auto b = load(others);
    if (!b) return fail_from(b);
    const auto of_a = measure_wholly(*a, arguments, part_of(bar.progress(), 0, 0.5));
    if (!of_a) return fail_from(of_a);
    const auto of_b = measure_wholly(*b, others, part_of(bar.progress(), 0.5, 1));
    if (!of_b) return fail_from(of_b);
    return report::comparison_page({a->graph, a->pairs, *of_a, arguments.graph},
                                   {b->graph, b->pairs, *of_b, arguments.other});
  }();
  if (!page) return report(page.error());
  return show_saved(command, arguments.out, *page);
}

}  // namespace

void add_graph_tell(Commands& commands) {
  const auto add = [&](const char* name, const char* what, const char* example, auto function) {
    Command& command = commands.add("graph", kGraphAbout, name, what, example);
    auto arguments = std::make_shared<GraphTellArguments>();
    command.run = [arguments, function](const Command& c) { return function(c, *arguments); };
    return std::pair{&command, arguments};
  };
  {
    const auto [command, arguments] =
        add("list", "the graphs of a library", "loom graph list motions.loom", list_graphs);
    command->options->add_option("library", arguments->library, "a .loom file")->required();
  }
  {
    const auto [command, arguments] =
        add("measure", "how well connected a graph is", "loom graph measure motions.loom main", measure);
    add_graph_options(*command->options, arguments->library, arguments->graph);
    command->options->add_option("--sources", arguments->sources, "frames to search from, of a large graph (1000)");
  }
  {
    const auto [command, arguments] = add("explain", "why a graph is connected as it is, or what was lost",
                                          "loom graph explain motions.loom main walk run", explain);
    add_graph_options(*command->options, arguments->library, arguments->graph);
    command->options->add_option("from", arguments->from, "a label or a clip; none: what was lost to pruning");
    command->options->add_option("to", arguments->to, "a label or a clip");
    command->options->add_option("--best", arguments->best, "transitions to list (10)");
  }
  {
    const auto [command, arguments] = add("report", "all measures as one HTML page with pictures",
                                          "loom graph report motions.loom main -o report.html", write_report);
    add_graph_options(*command->options, arguments->library, arguments->graph);
    command->outputs.add_file(*command->options, "-o,--out", arguments->out, "the page to write")->required();
    command->options->add_option("--sources", arguments->sources, "frames to search from, of a large graph (1000)");
  }
  {
    const auto [command, arguments] =
        add("compare-graphs", "two graphs side by side as one HTML page",
            "loom graph compare-graphs motions.loom main smooth -o graphs.html", write_comparison);
    add_graph_options(*command->options, arguments->library, arguments->graph);
    command->options->add_option("other", arguments->other, "the name of another graph in it")->required();
    command->outputs.add_file(*command->options, "-o,--out", arguments->out, "the page to write")->required();
    command->options->add_option("--sources", arguments->sources, "frames to search from, of a large graph (1000)");
  }
}

}  // namespace loom::app
