// SPDX-License-Identifier: MIT
//
// Selection on real capture: prints the tables of docs/results/selection.md.
//
//     build/bin/bench_select                     all of it; needs ../shared/mocap
//     build/bin/bench_select sizes               Zhao 2009 tables 5.1 and 5.2
//     build/bin/bench_select orders              table 5.3
//     build/bin/bench_select needs               table 5.4
//     build/bin/bench_select search              what the local search gains, and how far the best possible may be
//     build/bin/bench_select histogram PICTURES  figure 5.6
//     build/bin/bench_select methods             table A.1, on a graph of about 26,500 frames
//     build/bin/bench_select policies            §5.6.1: policies on the selected graph and on the whole
//     build/bin/bench_select plans               §5.6.2: walks through halls planned on both
//
// Figures of time are of this machine and this run; all others are the same everywhere.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/build.h>
#include <loom/graph/extract.h>
#include <loom/graph/select/judge.h>
#include <loom/graph/select/select.h>
#include <loom/picture/plot.h>
#include <loom/picture/save.h>
#include <loom/plan/walk_plan.h>
#include <loom/take/gather.h>
#include <loom/take/track.h>
#include <loom/world/world.h>

#include "bench_support.h"
#include "policy_scores.h"

namespace {

using namespace loom;
using namespace loom::bench;
using graph::Need;
using graph::SelectFrom;
using graph::SelectMethod;
using graph::SelectOrder;

/// 13 motions, 504 frames, as in Zhao 2009 §5.4: walking, turning, standing, jumping, bending down and stepping up.
/// The set has no ducking and no stepping over; picking up and steps by height stand for them.
const std::vector<std::string> kKeys = {
    "69_01:57-95",   "16_11:40-78",   "16_13:40-78",  "16_17:50-88",   "69_41:66-104",  "118_03:8-46", "118_07:61-99",
    "118_16:69-107", "69_75:183-221", "83_23:86-124", "69_60:111-149", "69_39:547-585", "83_08:6-41"};

struct Database {
  take::Gathered source;
  graph::Built built;
};

Database build_database(const std::vector<std::string>& files) {
  TemporaryLibrary library;
  import_capture(*library, files);
  Database database;
  database.source = need(take::gather(*library, {}));
  graph::BuildOptions options;
  options.connect = 0.99;
  const Stopwatch watch;
  database.built = need(graph::build(database.source, options));
  fmt::print("The graph: {} of {} frames, {} edges, threshold {:.1f} cm, built in {:.0f} s.\n\n",
             database.built.graph.nodes(), database.built.frames, database.built.graph.edges(),
             graph::centimetres_of(database.built.graph.threshold), watch.wall());
  return database;
}

graph::SelectionTask task_of(const Database& database, const std::vector<std::string>& keys = kKeys) {
  graph::SelectionTask task;
  auto read = need(graph::read_keys(database.built.graph, database.built.pairs, keys));
  for (const std::string& note : read.notes) fmt::print("({})\n", note);
  task.keys = std::move(read.keys);
  return task;
}

/// A selection and how an independent search judges it.
struct Row {
  graph::Selection selection;
  graph::Judgement judgement;
  double processor = 0;  ///< seconds that selecting took of all processors, the bound's included
};

Row select(const Database& database, const graph::SelectionTask& task, const graph::SelectOptions& options) {
  Row row;
  const Stopwatch watch;
  row.selection = need(graph::select(database.built.graph, task, options));
  row.processor = watch.processor();
  row.judgement = need(graph::SelectionJudge::make(database.built.graph, task)).judge(row.selection.nodes);
  return row;
}

/// The motion of a part of the graph.
take::TakeSet motion_of(const Database& database, const graph::MotionGraph& part) {
  const take::TakeSet& all = database.source.motion;
  take::TakeSet motion;
  motion.skeleton = all.skeleton;
  std::size_t next = 0;
  for (const graph::GraphClip& clip : part.clips) {
    while (!(static_cast<const take::Stretch&>(clip) == all.stretches[next])) ++next;
    motion.clips.push_back(all.clips[next]);
    motion.contacts.push_back(all.contacts[next]);
    motion.stretches.push_back(all.stretches[next]);
  }
  return motion;
}

double select_seconds(const graph::Selection& s) { return s.required_seconds + s.select_seconds + s.search_seconds; }

void print_sizes(const Database& database) {
  const graph::SelectionTask task = task_of(database);
  fmt::print(
      "| graph | vertices | of the graph | of all frames | edges | by the clock | of processors | met | mean frames |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  const auto whole = static_cast<double>(database.built.graph.nodes());
  const auto frames = static_cast<double>(database.built.frames);
  fmt::print("| whole | {} | 100 % | {:.1f} % | {} | – | – | – | – |\n", database.built.graph.nodes(),
             100 * whole / frames, database.built.graph.edges());
  const auto line = [&](const char* name, const Row& row, double seconds) {
    const auto nodes = static_cast<double>(row.selection.nodes.size());
    fmt::print("| {} | {} | {:.2f} % | {:.2f} % | {} | {:.1f} s | {:.1f} s | {:.2f} % | {:.2f} |\n", name,
               row.selection.nodes.size(), 100 * nodes / whole, 100 * nodes / frames, row.judgement.edges, seconds,
               row.processor, 100 * row.judgement.satisfied_share, row.judgement.mean_frames);
  };
  graph::SelectOptions options;
  const Row bounded = select(database, task, options);
  fmt::print("| CORE | {} | {:.1f} % | {:.1f} % | {} | {:.1f} s | – | 100 % | {:.2f} |\n", bounded.selection.core_nodes,
             100 * static_cast<double>(bounded.selection.core_nodes) / whole,
             100 * static_cast<double>(bounded.selection.core_nodes) / frames, bounded.selection.core_edges,
             bounded.selection.core_seconds, bounded.judgement.best_frames);
  const auto bare_line = [&](const char* name, double nodes, const std::string& time) {
    fmt::print("| {} | {:.0f} | {:.2f} % | {:.2f} % | – | {} | – | – | – |\n", name, nodes, 100 * nodes / whole,
               100 * nodes / frames, time);
  };
  bare_line("required", static_cast<double>(bounded.selection.required_nodes), "–");
  bare_line("lower bound", bounded.selection.lower_bound, fmt::format("{:.1f} s", bounded.selection.bound_seconds));
  options.bound = false;
  const Row core = select(database, task, options);
  line("selected, from CORE", core, core.selection.core_seconds + select_seconds(core.selection));
  options.rounds = 0;
  const Row plain = select(database, task, options);
  line("… without local search", plain, plain.selection.core_seconds + select_seconds(plain.selection));
  options.required_first = false;
  options.branches = false;
  const Row bare = select(database, task, options);
  line("… nor required frames and branches", bare, bare.selection.core_seconds + select_seconds(bare.selection));
  options = {};
  options.from = SelectFrom::kWhole;
  options.bound = false;
  const Row all = select(database, task, options);
  line("selected, from the whole", all, all.selection.core_seconds + select_seconds(all.selection));
  fmt::print(
      "\n{} key frames; {} of the ways asked for are longer than 40 frames in the whole graph too. Peak memory {:.0f} "
      "MB, most of it the graph's building.\n\n",
      core.selection.key_frames, core.judgement.beyond, peak_megabytes());
  const graph::MotionGraph selected = graph::sub_graph(database.built.graph, core.selection.nodes);
  const take::TakeSet motion = motion_of(database, selected);
  for (const double margin : {graph::kExtractMargin, 0.0}) {
    const auto extracted = need(graph::extract(selected, motion, {}, margin));
    fmt::print("Extracted with {:g} s around each piece: {} of {} frames, in {} clips.\n", margin, extracted.frames,
               database.built.frames, extracted.clips.size());
  }
  fmt::print("\n");
}

void print_orders(const Database& database) {
  const graph::SelectionTask task = task_of(database);
  fmt::print("| order | vertices | one iteration |\n|---|---|---|\n");
  const std::pair<const char*, SelectOrder> orders[] = {{"descending", SelectOrder::kDescending},
                                                        {"ascending", SelectOrder::kAscending},
                                                        {"random", SelectOrder::kRandom},
                                                        {"sequential", SelectOrder::kSequential}};
  for (const auto& [name, order] : orders) {
    graph::SelectOptions options;
    options.order = order;
    options.branches = false;
    options.rounds = 0;
    options.bound = false;
    const auto selection = need(graph::select(database.built.graph, task, options));
    fmt::print("| {} | {} | {:.2f} s |\n", name, selection.nodes.size(), selection.select_seconds);
  }
  fmt::print("\n");
}

void print_needs(const Database& database) {
  graph::SelectionTask task = task_of(database);
  fmt::print("| requirement | vertices | edges | lower bound | CORE | select | met |\n|---|---|---|---|---|---|---|\n");
  const std::pair<Need, double> needs[] = {
      {Need::kWithin, 40}, {Need::kQuickest, 0}, {Need::kMotionEnd, 15}, {Need::kSmooth, 60}};
  for (const auto& [asked, within] : needs) {
    task.usual.need = asked;
    task.usual.within = within;
    const Row row = select(database, task, {});
    fmt::print("| {} | {} | {} | {:.0f} | {:.1f} s | {:.1f} s | {:.2f} % |\n", static_cast<int>(asked),
               row.selection.nodes.size(), row.judgement.edges, row.selection.lower_bound, row.selection.core_seconds,
               select_seconds(row.selection), 100 * row.judgement.satisfied_share);
  }
  fmt::print("\n");
}

void print_search(const Database& database) {
  const graph::SelectionTask task = task_of(database);
  fmt::print(
      "| from | rounds of the local search | vertices | of all frames | of processors | by the clock |\n"
      "|---|---|---|---|---|---|\n");
  struct Search {
    SelectFrom from;
    std::size_t rounds;
  };
  for (const Search& search : {Search{SelectFrom::kCore, 0},
                               {SelectFrom::kCore, 200},
                               {SelectFrom::kWhole, 200},
                               {SelectFrom::kCore, 2000},
                               {SelectFrom::kWhole, 2000}}) {
    graph::SelectOptions options;
    options.from = search.from;
    options.rounds = search.rounds;
    options.bound = false;
    const Stopwatch watch;
    const auto selection = need(graph::select(database.built.graph, task, options));
    fmt::print("| {} | {} | {} | {:.2f} % | {:.1f} s | {:.1f} s |\n",
               search.from == SelectFrom::kCore ? "CORE" : "the whole", search.rounds, selection.nodes.size(),
               100 * static_cast<double>(selection.nodes.size()) / static_cast<double>(database.built.frames),
               watch.processor(), watch.wall());
  }
  graph::SelectOptions options;
  options.rounds = 0;
  fmt::print("\nNo selection has fewer than {:.0f}.\n\n",
             need(graph::select(database.built.graph, task, options)).lower_bound);
}

void draw_histogram(const Database& database, const fs::path& folder) {
  const Row row = select(database, task_of(database), {});
  const auto line = [](const char* name, const std::vector<std::uint64_t>& counts) {
    picture::Series series;
    series.name = name;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(static_cast<double>(counts[i]));
    }
    return series;
  };
  const std::vector<picture::Series> lines = {line("whole", row.judgement.best_histogram),
                                              line("selected", row.judgement.histogram)};
  picture::PlotOptions options;
  options.title = "Ways between key frames by their length";
  options.x_label = "frames";
  options.y_label = "ways";
  need(picture::save(picture::line_plot(lines, options), (folder / "selection-times.svg").string()));
  fmt::print("Mean {:.2f} frames in the whole graph, {:.2f} in the selected one.\n\n", row.judgement.best_frames,
             row.judgement.mean_frames);
}

void print_methods() {
  const Database database =
      build_database(capture_files({"69_0", "69_2", "69_3", "69_4", "69_5", "69_6", "69_7", "16_1", "16_2"}));
  std::vector<std::string> keys;
  for (const std::string& key : kKeys) {
    if (key.starts_with("69_") || key.starts_with("16_")) keys.push_back(key);
  }
  const graph::SelectionTask task = task_of(database, keys);
  fmt::print("| method | vertices | edges | mean frames | time |\n|---|---|---|---|---|\n");
  const std::pair<const char*, SelectMethod> methods[] = {{"directed Steiner trees", SelectMethod::kSteiner},
                                                          {"random orders", SelectMethod::kRandom},
                                                          {"iterative", SelectMethod::kIterative}};
  for (const auto& [name, method] : methods) {
    graph::SelectOptions options;
    options.method = method;
    options.rounds = 0;
    options.bound = false;
    const Row row = select(database, task, options);
    fmt::print("| {} | {} | {} | {:.2f} | {:.1f} s |\n", name, row.selection.nodes.size(), row.judgement.edges,
               row.judgement.mean_frames, row.selection.select_seconds);
  }
  fmt::print("\n");
}

void print_policies(const Database& database) {
  const Row row = select(database, task_of(database), {});
  const graph::MotionGraph selected = graph::sub_graph(database.built.graph, row.selection.nodes);
  fmt::print("| graph | vertices | table | training | control | transition | total |\n|---|---|---|---|---|---|---|\n");
  const auto line = [&](const char* name, const graph::MotionGraph& graph, std::span<const take::Track> tracks) {
    // Coarse, so that the whole graph is trained in minutes: with 36 headings and a discount of 0.99 it takes an hour.
    policy::GraphPolicyOptions options;
    options.headings = 12;
    options.discount = 0.97;
    const JudgedPolicy judged = judge_policy(graph, tracks, {"walk", "jump"}, options);
    fmt::print("| {} | {} | {:.1f} MB | {:.1f} s | {:.3f} | {:.3f} | {:.3f} |\n", name, graph.nodes(),
               judged.megabytes(), judged.training_seconds, judged.score.control, judged.score.transition,
               judged.score.total);
  };
  const take::TakeSet motion = motion_of(database, selected);
  line("selected", selected, motion.tracks());
  line("whole", database.built.graph, database.source.motion.tracks());
  fmt::print("\n");
}

/// A hall of 14 by 14 metres with boxes here and there, from one corner to the other.
world::World hall(std::uint64_t seed) {
  Random random(seed);
  world::World world;
  world.name = fmt::format("hall {}", seed);
  world.ground = {{{0, 0}, {14, 14}}};
  for (int i = 0; i < 12; ++i) {
    world::Obstacle box;
    box.name = fmt::format("box {}", i);
    box.at = {random.uniform(1, 13), random.uniform(1, 13), random.uniform(0, 3)};
    box.width = random.uniform(0.5, 2);
    box.depth = random.uniform(0.5, 2);
    const double reach = std::hypot(box.width, box.depth) / 2 + 0.8;
    const bool free =
        std::hypot(box.at.x - 1, box.at.z - 1) > reach && std::hypot(box.at.x - 13, box.at.z - 13) > reach;
    if (free) world.obstacles.push_back(std::move(box));
  }
  return world;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

void print_plans(const Database& database) {
  constexpr std::uint64_t kHalls = 12;
  constexpr double kSeconds = 2, kBound = 1.2;
  const Row row = select(database, task_of(database), {});
  const auto selected =
      std::make_shared<const graph::MotionGraph>(graph::sub_graph(database.built.graph, row.selection.nodes));
  fmt::print(
      "| graph | vertices | made ready | halls solved | motion | first answer | bound after {:g} s | poses looked at | "
      "states kept | poses that touch |\n|---|---|---|---|---|---|---|---|---|---|\n",
      kSeconds);
  const auto line = [&](const char* name, std::shared_ptr<const graph::MotionGraph> graph,
                        std::shared_ptr<const take::TakeSet> motion) {
    const Stopwatch watch;
    const auto unrolled = need(plan::unroll(std::move(graph), std::move(motion)));
    const double ready = watch.thread();
    std::vector<double> seconds, first, bound, expanded, states;
    std::size_t touching = 0;
    for (std::uint64_t seed = 1; seed <= kHalls; ++seed) {
      const world::World world = hall(seed);
      plan::WalkPlanOptions options;
      const Stopwatch clock;
      options.search.seconds = kSeconds;
      options.search.bound = kBound;
      options.search.clock = [&] { return clock.thread(); };
      const auto plan = plan::plan_walk(unrolled, world, {{1, 1}, {}}, {{13, 13}, {}}, options);
      if (!plan) continue;
      seconds.push_back(plan->seconds);
      first.push_back(plan->search.seconds_first);
      bound.push_back(plan->search.bound);
      expanded.push_back(static_cast<double>(plan->search.expanded));
      states.push_back(static_cast<double>(plan->search.states));
      touching += need(plan::find_collisions(plan->recording->clip, world)).size();
    }
    fmt::print("| {} | {} | {:.1f} s, {:.1f} MB | {} of {} | {:.1f} s | {:.3f} s | {:.2f} | {:.0f} | {:.0f} | {} |\n",
               name, unrolled.graph->nodes(), ready, static_cast<double>(unrolled.memory()) / 1e6, seconds.size(),
               kHalls, median(seconds), median(first), median(bound), median(expanded), median(states), touching);
  };
  line("selected", selected, std::make_shared<const take::TakeSet>(motion_of(database, *selected)));
  line("whole", std::make_shared<const graph::MotionGraph>(database.built.graph),
       std::make_shared<const take::TakeSet>(database.source.motion));
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a table takes minutes: what is known is shown
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto files = files_listed(kMocap / "set-87k.txt");
  if (files.empty()) {
    fmt::print("There is no capture beside the checkout: nothing is measured.\n");
    return 0;
  }
  if (what == "methods") {
    print_methods();
    return 0;
  }
  const Database database = build_database(files);
  if (what.empty() || what == "sizes") print_sizes(database);
  if (what.empty() || what == "orders") print_orders(database);
  if (what.empty() || what == "needs") print_needs(database);
  if (what.empty() || what == "search") print_search(database);
  if (what == "histogram") draw_histogram(database, argc > 2 ? argv[2] : ".");
  if (what.empty() || what == "policies") print_policies(database);
  if (what.empty() || what == "plans") print_plans(database);
  if (what.empty()) print_methods();
  return 0;
}
