// SPDX-License-Identifier: MIT
// `loom graph select`: the smallest graph that still does all one needs, stored in the library.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>
#include <loom/project/select_graph.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct GraphSelectArguments {
  std::string library, name;
  project::SelectSettings settings;
  std::vector<std::string> between;
  int requirement = 1;
  bool no_bound = false;
  std::size_t pairs = 5;  ///< worst ones to tell of
};

nlohmann::json keys_json(const project::SelectedGraph& selected) {
  nlohmann::json keys = nlohmann::json::array();
  // Clips that are selected keep their names; where a key lies is told by the whole graph's nodes no more.
  for (const graph::KeyMotion& key : selected.keys.keys) {
    const auto begin = std::lower_bound(selected.selection.nodes.begin(), selected.selection.nodes.end(), key.begin);
    const auto node = static_cast<graph::Node>(begin - selected.selection.nodes.begin());
    const graph::GraphClip& clip = selected.graph.clips[selected.graph.clip_of(node)];
    const std::uint32_t first = clip.begin + selected.graph.frame_of(node);
    keys.push_back({{"key", key.what}, {"clip", clip.title()}, {"from", first}, {"to", first + key.frames() - 1}});
  }
  return keys;
}

nlohmann::json pairs_json(const GraphSelectArguments& arguments, const project::SelectedGraph& selected) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const graph::PairJudgement& pair : selected.judgement.pairs) {
    if (pairs.size() == arguments.pairs) break;
    pairs.push_back({{"from", selected.keys.keys[pair.from].what},
                     {"to", selected.keys.keys[pair.to].what},
                     {"satisfied_share", pair.share()},
                     {"mean_frames", pair.mean_frames},
                     {"best_frames", pair.best_frames}});
  }
  return pairs;
}

nlohmann::json details(const GraphSelectArguments& arguments, const project::SelectedGraph& selected) {
  const graph::Selection& selection = selected.selection;
  const double select = selection.required_seconds + selection.select_seconds + selection.search_seconds;
  return {{"key_frames", selection.key_frames},
          {"keys", keys_json(selected)},
          {"vertices_database", selected.whole_nodes},
          {"edges_database", selected.whole_edges},
          {"vertices_core", selection.core_nodes},
          {"edges_core", selection.core_edges},
          {"vertices_required", selection.required_nodes},
          {"vertices", selected.graph.nodes()},
          {"edges", selected.graph.edges()},
          {"left_out_vertices", selected.left_out},
          {"vertices_before_search", selection.before_search},
          {"iterations", selection.sizes.size()},
          {"lower_bound", arguments.no_bound ? nlohmann::json(nullptr) : nlohmann::json(selection.lower_bound)},
          {"satisfied_share", selected.judgement.satisfied_share},
          {"connected_share", selected.judgement.connected_share},
          {"beyond_database", selected.judgement.beyond},
          {"mean_transition_frames", selected.judgement.mean_frames},
          {"mean_transition_frames_database", selected.judgement.best_frames},
          {"worst_pairs", pairs_json(arguments, selected)},
          {"seconds",
           {{"core", selection.core_seconds},
            {"select", select},
            {"search", selection.search_seconds},
            {"bound", selection.bound_seconds},
            {"total", selection.core_seconds + select + selection.bound_seconds}}},
          {"peak_memory_bytes", selection.peak_memory_bytes}};
}

int show(const Command& command, const GraphSelectArguments& arguments, const library::Library& library,
         const project::SelectedGraph& selected) {
  const graph::Selection& selection = selected.selection;
  const graph::Judgement& judgement = selected.judgement;
  for (const std::string& note : selected.keys.notes) notice(note);
  if (selected.left_out > 0) {
    notice(fmt::format("{} frames to be kept are left out: they do not lead from key motions to key motions",
                       selected.left_out));
  }
  if (command.json) {
    auto result = artefact_json(library, graph::kGraphKind, arguments.name);
    if (!result) return report(result.error());
    result->update(details(arguments, selected));
    print_json(*result);
    return kDone;
  }
  say("graph '{}': {} of {} frames ({:.1f} %) and {} edges hold {} key frames of {} motions\n", arguments.name,
      selected.graph.nodes(), selected.whole_nodes,
      100.0 * static_cast<double>(selected.graph.nodes()) / static_cast<double>(selected.whole_nodes),
      selected.graph.edges(), selection.key_frames, selected.keys.keys.size());
  for (const auto& key : keys_json(selected)) {
    say("  {}: {} [{}-{}]\n", key["key"].get<std::string>(), key["clip"].get<std::string>(),
        key["from"].get<std::size_t>(), key["to"].get<std::size_t>());
  }
  say("{:.1f} % of what was asked is met; a way takes {:.1f} frames on average, {:.1f} in the whole graph\n",
      100 * judgement.satisfied_share, judgement.mean_frames, judgement.best_frames);
  if (judgement.beyond > 0) {
    say("for {} ways the whole graph itself takes longer than asked; they are as short as there\n", judgement.beyond);
  }
  if (!arguments.no_bound) {
    say("no selection can have fewer than {:.0f} frames: this one is at most {:.2f} times the best\n",
        std::ceil(selection.lower_bound - 1e-9),
        static_cast<double>(selected.graph.nodes()) / std::max(selection.lower_bound, 1.0));
  }
  say("{} frames lie on shortest ways, {} cannot be done without; {:.1f} s for these, {:.1f} s selecting in {} "
      "iterations, {:.1f} s making it smaller ({} frames before), {:.1f} s for the bound\n",
      selection.core_nodes, selection.required_nodes, selection.core_seconds + selection.required_seconds,
      selection.select_seconds, selection.sizes.size(), selection.search_seconds, selection.before_search,
      selection.bound_seconds);
  return kDone;
}

int run(const Command& command, GraphSelectArguments& arguments) {
  project::SelectSettings& settings = arguments.settings;
  settings.usual.need = static_cast<graph::Need>(arguments.requirement);
  for (const std::string& text : arguments.between) {
    auto between = graph::read_between(text);
    if (!between) return report(between.error());
    settings.between.push_back(std::move(*between));
  }
  settings.options.bound = !arguments.no_bound;
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto selected = [&] {
    ProgressBar bar;
    return project::select_graph(*library, arguments.name, settings, bar.progress());
  }();
  if (!selected) return report(selected.error());
  return show(command, arguments, *library, *selected);
}

}  // namespace

void add_graph_select(Commands& commands) {
  Command& command = commands.add(
      "graph", kGraphAbout, "select", "select the smallest graph that still does all one needs",
      "loom graph select motions.loom moves --name game --key idle --key walk --key 16_11:20-60 --within 40");
  auto arguments = std::make_shared<GraphSelectArguments>();
  project::SelectSettings& settings = arguments->settings;
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("graph", settings.graph, "the graph to select from")->required();
  options.add_option("--name", arguments->name, "what the selected graph is called")->required()->check(not_empty());
  options
      .add_option("--key", settings.keys,
                  "a motion it has to hold: CLIP, CLIP:FROM-TO, LABEL (its most typical stretch), LABEL*3, LABEL*all")
      ->type_name("MOTION");
  options.add_option("--within", settings.usual.within, "frames a way may take, or what the graph can do (40)")
      ->check(between(1.0, 10000.0));
  options
      .add_option("--requirement", arguments->requirement,
                  "1 every key frame to every other within so many frames, 2 as quickly as the graph can, 3 ends of "
                  "motions to beginnings within so many, 4 as 1 but roughness and frames together (1)")
      ->check(between(1, 4));
  options
      .add_option("--between", arguments->between,
                  "what else is asked between two key motions: FROM,TO=FRAMES, FROM,TO=quickest, "
                  "FROM,TO=end:FRAMES, FROM,TO=smooth:COST")
      ->type_name("RULE");
  options
      .add_option("--roughness", settings.usual.roughness, "what the roughest transition costs by requirement 4 (10)")
      ->check(between(0.0, 1000.0));
  options.add_flag("--strict", settings.strict, "fail where the graph cannot do what is asked");
  options.add_option("--add-to", settings.add_to, "keep this selected graph, and add key motions to it")
      ->type_name("GRAPH");
  options
      .add_option("--keep", settings.picked,
                  "a stretch picked by hand that is kept as well, written as a key; nothing is asked of ways to it")
      ->type_name("MOTION");
  add_choice<graph::SelectFrom>(options, "--start", settings.options.from,
                                {{"core", graph::SelectFrom::kCore}, {"whole", graph::SelectFrom::kWhole}},
                                "frames to select from: those on shortest ways, or all (core)");
  add_choice<graph::SelectMethod>(options, "--method", settings.options.method,
                                  {{"iterative", graph::SelectMethod::kIterative},
                                   {"steiner", graph::SelectMethod::kSteiner},
                                   {"random", graph::SelectMethod::kRandom}},
                                  "how frames are found (iterative)");
  add_choice<graph::SelectOrder>(options, "--order", settings.options.order,
                                 {{"descending", graph::SelectOrder::kDescending},
                                  {"ascending", graph::SelectOrder::kAscending},
                                  {"random", graph::SelectOrder::kRandom},
                                  {"sequential", graph::SelectOrder::kSequential}},
                                 "which ways are looked for first, by their length (descending)");
  options
      .add_option("--seconds", settings.options.seconds,
                  "how long to go on making it smaller; the answer then depends on the machine")
      ->check(between(0.0, 86400.0));
  options
      .add_option("--rounds", settings.options.rounds, "rounds of making it smaller, where no seconds are given (100)")
      ->check(between(0, 1000000));
  options.add_option("--seed", settings.options.seed, "of random orders and of making it smaller (1)");
  options.add_flag("--no-bound", arguments->no_bound, "do not reckon how small a selection could be");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
