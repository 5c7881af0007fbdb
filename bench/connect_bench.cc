// SPDX-License-Identifier: MIT
//
// Well-connected graphs on real capture: prints the tables of docs/results/well-connected.md.
//
//     build/bin/bench_connect                    all of it; needs ../shared/mocap
//     build/bin/bench_connect components [SET [CM...]]
//                                                Zhao 2009 table 4.2, of one set or of all, at some thresholds or all
//     build/bin/bench_connect unpruned SET CM... what the pairs that are chosen connect, and what every pair does
//     build/bin/bench_connect outside SET CM     which recorded frames are not connected, clip by clip
//     build/bin/bench_connect times [PICTURES]   tables 4.3, 4.4 and 4.5, figures 4.7 and 4.8
//     build/bin/bench_connect lambda [PICTURES]  figures 4.10 and 4.11
//     build/bin/bench_connect orders             size at lambda 5 against the work's own way in 20 random orders
//     build/bin/bench_connect growth [PICTURES]  figure 4.9: size, time and memory against the data
//     build/bin/bench_connect motion [SET]       what is played, without clean-up and with it
//     build/bin/bench_connect physics [SET]      what is mixed, as a body: flight, balance, joints
//     build/bin/bench_connect policies           table 4.6: policies on both kinds of graph, the same players
//
// Figures of time are of this machine and this run; all others are the same everywhere.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/graph/build.h>
#include <loom/graph/connect/connect.h>
#include <loom/graph/connect/detail/reduce.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/graph/measures.h>
#include <loom/graph/walk.h>
#include <loom/measure/measure.h>
#include <loom/measure/physical_sense.h>
#include <loom/picture/plot.h>
#include <loom/picture/save.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/gather.h>
#include <loom/take/mix.h>

#include "bench_support.h"
#include "policy_scores.h"

namespace {

using namespace loom;
using namespace loom::bench;

/// A clip of the capture, or its first frames.
struct Piece {
  std::string clip;
  std::size_t frames = 0;  ///< 0: all
};

/// A set made to resemble one of table 4.1.
struct DataSet {
  std::string name, content;
  std::vector<Piece> pieces;
};

std::vector<DataSet> data_sets() {
  return {
      {"1 steps", "walks of one person, slow with short steps and with exaggerated strides", {{"08_04"}, {"08_07"}}},
      {"2 people", "walks of four people", {{"02_02"}, {"07_01"}, {"08_01"}, {"16_21"}}},
      {"3 mixed",
       "walking, turning, stopping, running, jumping, ducking, picking up, and ways between them",
       {{"127_04"}, {"127_05"}, {"127_17"}, {"127_19"}, {"127_21"}, {"127_22"}, {"127_25"}, {"127_26"}, {"127_27"},
        {"127_29"}, {"127_30"}, {"127_31"}, {"127_37"}, {"16_11"},  {"16_12"},  {"16_13"},  {"16_14"},  {"16_16"},
        {"16_17"},  {"16_31"},  {"16_32"},  {"16_33"},  {"69_68"},  {"69_72"},  {"69_74"}}},
      {"3b mixed",
       "the same of the same three people, fewer walks alike and longer clips of picking up",
       {{"127_04"}, {"127_17"}, {"127_21"}, {"127_25"}, {"127_31"}, {"127_37"}, {"16_05"}, {"16_08"}, {"16_09"},
        {"16_11"},  {"16_21"},  {"16_27"},  {"16_30"},  {"16_31"},  {"16_33"},  {"16_35"}, {"16_37"}, {"16_39"},
        {"16_41"},  {"16_57"},  {"69_68"},  {"69_71"},  {"69_72"},  {"69_73"},  {"69_75"}}},
      {"4 reaching", "one take of a person reaching about with one hand", {{"144_24", 753}}},
      {"4b reaching", "another take, of which a quarter stands still", {{"144_25", 753}}},
      {"5 martial", "kicks, punches and blocks of one person", {{"144_05", 300}, {"144_20", 300}, {"144_07", 301}}},
      {"6 one person",
       "walking, turning, stopping, running and jumping of one person, and ways between them",
       {{"16_01"}, {"16_03"}, {"16_05"}, {"16_08"}, {"16_11"}, {"16_12"}, {"16_13"}, {"16_14"}, {"16_16"},
        {"16_17"}, {"16_18"}, {"16_19"}, {"16_20"}, {"16_21"}, {"16_22"}, {"16_31"}, {"16_32"}, {"16_33"},
        {"16_34"}, {"16_35"}, {"16_37"}, {"16_39"}, {"16_47"}, {"16_57"}, {"16_58"}}},
      {"7 runner",
       "running, turning, stopping, jumping and ducking of one person, and ways between them",
       {{"127_03"}, {"127_04"}, {"127_05"}, {"127_06"}, {"127_07"}, {"127_08"}, {"127_09"}, {"127_10"},
        {"127_11"}, {"127_12"}, {"127_15"}, {"127_16"}, {"127_17"}, {"127_18"}, {"127_19"}, {"127_20"},
        {"127_21"}, {"127_22"}, {"127_25"}, {"127_26"}, {"127_27"}, {"127_28"}, {"127_29"}, {"127_30"},
        {"127_31"}, {"127_33"}, {"127_34"}, {"127_35"}, {"127_36"}, {"127_37"}, {"127_38"}}}};
}

/// Over so many seconds frames are compared. The work's eq. 3.1 compares a pose and its velocity; a third of a second,
/// as `graph build` has it, would leave the first and the last six frames of every clip out of any graph.
constexpr double kWindow = 0.1;
const std::vector<double> kThresholds = {0.5, 0.7, 1, 1.5, 2, 3, 4.5, 6};

/// A set as `loom graph connect` takes it: feet held, unless they are wanted as they were recorded.
take::Gathered gathered(const DataSet& set, std::size_t most = ~std::size_t{0}, bool held = true) {
  TemporaryLibrary library;
  std::vector<std::string> files;
  for (const Piece& piece : set.pieces) {
    if (files.size() < most) files.push_back((kMocap / "cmu30" / (piece.clip + ".bvh")).string());
  }
  import_capture(*library, files);
  take::GatherOptions options;
  for (const Piece& piece : set.pieces) {
    if (piece.frames == 0 || options.parts.size() >= most) continue;
    options.parts.push_back({piece.clip, 0, static_cast<double>(piece.frames) / 30});
  }
  take::Gathered source = need(take::gather(*library, options));
  if (held) need(graph::hold_feet(source.motion));
  return source;
}

graph::ConnectOptions options_at(double centimetres, double lambda) {
  graph::ConnectOptions options;
  options.build.threshold = graph::square_metres_of(centimetres);
  options.build.metric.window_seconds = kWindow;
  options.lambda = lambda;
  return options;
}

/// The share of a plain graph; 0 where there is none.
double plain_share(const take::Gathered& source, const graph::BuildOptions& options) {
  const auto built = graph::build(source, options);
  return built ? built->share_reached : 0;
}

void print_components(const std::string& only, const std::vector<double>& thresholds) {
  fmt::print("\n### Component by threshold (table 4.2)\n\n| set | frames |");
  for (const double t : thresholds) fmt::print(" {:g} cm |", t);
  fmt::print("\n|---|---|");
  for (std::size_t i = 0; i < thresholds.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (const DataSet& set : data_sets()) {
    if (!set.name.starts_with(only)) continue;
    const take::Gathered source = gathered(set);
    std::size_t frames = 0;
    for (const motion::Clip& clip : source.motion.clips) frames += clip.frames();
    fmt::print("| {} | {} |", set.name, frames);
    for (const double t : thresholds) {
      const auto connected = graph::connect(source, options_at(t, 1));
      fmt::print(" **{:.1f}** / {:.1f} % |", connected ? 100 * connected->built.share_reached : 0,
                 100 * plain_share(source, options_at(t, 1).build));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

/// What pruning costs: the share connected by the pairs that are chosen, at as many weights as a pair asks for, and by
/// every pair that can be mixed at all nine; ways between mixes of different pairs in neither.
void print_unpruned(const std::string& only, const std::vector<double>& thresholds) {
  fmt::print(
      "\n### What every pair connects\n\n| set | threshold | chosen pairs | every pair | pairs | frames between |\n"
      "|---|---|---|---|---|---|\n");
  for (const DataSet& set : data_sets()) {
    if (!set.name.starts_with(only)) continue;
    const take::Gathered source = gathered(set);
    for (const double t : thresholds) {
      graph::ConnectOptions options = options_at(t, 1);
      options.finer_where_poor = options.join_mixes = false;
      const auto chosen = graph::connect(source, options);
      options.every_pair = true;
      const auto every = graph::connect(source, options);
      if (!chosen || !every) continue;
      fmt::print("| {} | {:g} cm | {:.1f} % | {:.1f} % | {} of {} | {} of {} |\n", set.name, t,
                 100 * chosen->built.share_reached, 100 * every->built.share_reached, chosen->chosen_pairs,
                 every->pairs, chosen->interpolated_before, every->interpolated_before);
      std::fflush(stdout);
    }
  }
}

/// The recorded frames that are in no component, clip by clip, and what of them flies.
void print_outside(const std::string& only, double centimetres) {
  for (const DataSet& set : data_sets()) {
    if (!set.name.starts_with(only)) continue;
    const take::Gathered source = gathered(set);
    const auto connected = graph::connect(source, options_at(centimetres, 1));
    if (!connected) continue;
    const graph::MotionGraph& graph = connected->built.graph;
    const auto plain = graph::build(source, options_at(centimetres, 1).build);
    fmt::print(
        "\n### Set {} at {:g} cm: {:.1f} % connected; what is not\n\n"
        "| clip | frames | not connected | of them before the first that is | after the last | in flight | in the "
        "plain "
        "graph |\n|---|---|---|---|---|---|---|\n",
        set.name, centimetres, 100 * connected->built.share_reached);
    for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
      const std::size_t frames = source.motion.clips[c].frames();
      std::size_t outside = 0, before = 0, after = 0, flying = 0, in_plain = 0;
      for (std::uint32_t f = 0; f < frames; ++f) {
        in_plain += plain && plain->graph.node_at(c, f) ? 1 : 0;
        if (graph.node_at(c, f)) {
          after = 0;
          continue;
        }
        ++outside;
        ++after;
        before += outside == f + 1 ? 1 : 0;
        flying += source.motion.contacts[c].planted[f] == 0 ? 1 : 0;
      }
      fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", graph.clips[c].name, frames, outside, before,
                 outside == frames ? 0 : after, flying, in_plain);
    }
  }
}

/// Shares of a histogram of times over the seconds.
picture::Series times_series(const std::string& name, const std::vector<std::uint64_t>& counts) {
  picture::Series series;
  series.name = name;
  double all = 0;
  for (const std::uint64_t count : counts) all += static_cast<double>(count);
  for (std::size_t i = 0; i < counts.size() && i < 40; ++i) {
    series.x.push_back((static_cast<double>(i) + 0.5) * graph::GraphMeasures::kHistogramBin);
    series.y.push_back(all > 0 ? 100 * static_cast<double>(counts[i]) / all : 0);
  }
  return series;
}

/// Who reaches whom how quickly, on average.
void print_behaviors(const char* kind, double t, const graph::GraphMeasures& m) {
  fmt::print("\n| {}, {:g} cm |", kind, t);
  for (const std::string& behavior : m.behaviors) fmt::print(" {} |", behavior);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < m.behaviors.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (std::size_t from = 0; from < m.behaviors.size(); ++from) {
    fmt::print("| {} |", m.behaviors[from]);
    for (std::size_t to = 0; to < m.behaviors.size(); ++to) {
      fmt::print(" {} |", graph::told_seconds(m.between_s[from * m.behaviors.size() + to]));
    }
    fmt::print("\n");
  }
}

void print_times(const take::Gathered& mixed, const std::string& pictures) {
  fmt::print(
      "\n### Time between frames and local maneuverability (tables 4.3 and 4.5)\n\n"
      "| graph | threshold | component | mean time | maneuverability | missing |\n|---|---|---|---|---|---|\n");
  std::vector<picture::Series> times, maneuvers;
  struct Behaviors {
    const char* kind;
    double t;
    graph::GraphMeasures measures;
  };
  std::vector<Behaviors> behaviors;
  const auto row = [&](const char* kind, double t, bool shown, const graph::MotionGraph& graph) {
    graph::GraphMeasures m = graph::measure(graph);
    fmt::print("| {} | {:g} cm | {:.1f} % | {} s | {} | {} |\n", kind, t, 100 * m.component_share,
               graph::told_seconds(m.mean_transition_s), graph::told_seconds(m.local_maneuverability_s),
               m.missing.size());
    std::fflush(stdout);
    if (!shown) return;  // as many lines as can be told apart
    times.push_back(times_series(fmt::format("{}, {:g} cm", kind, t), m.histogram));
    maneuvers.push_back(times_series(fmt::format("{}, {:g} cm", kind, t), m.maneuverability_histogram));
    behaviors.push_back({kind, t, std::move(m)});
  };
  // As in the work, plain graphs at thresholds that connect what well-connected ones connect at far smaller ones.
  for (const double t : {1.0, 1.5, 2.0, 3.0}) {
    if (const auto connected = graph::connect(mixed, options_at(t, 1)))
      row("well-connected", t, t == 2, connected->built.graph);
  }
  for (const double t : {2.0, 3.0, 4.5, 6.0, 9.0}) {
    if (const auto built = graph::build(mixed, options_at(t, 1).build)) row("plain", t, t == 2 || t == 6, built->graph);
  }
  fmt::print("\n### Seconds from behavior to behavior (table 4.4)\n");
  for (const Behaviors& of : behaviors) {
    if (of.t != 2 || of.kind != std::string_view("plain")) print_behaviors(of.kind, of.t, of.measures);
  }
  if (pictures.empty()) return;
  picture::PlotOptions options;
  options.x_label = "seconds";
  options.y_label = "%";
  options.title = "Time from a recorded frame to another";
  need(picture::save(picture::line_plot(times, options), pictures + "/well-connected-times.svg"));
  options.title = "Local maneuverability, pairs of behaviors";
  need(picture::save(picture::line_plot(maneuvers, options), pictures + "/well-connected-maneuvers.svg"));
}

/// Frames of the quickest way from one node to another.
std::size_t frames_between(const graph::MotionGraph& graph, graph::Node from, graph::Node to) {
  std::vector<std::size_t> frames(graph.nodes(), 0);
  std::vector<graph::Node> reached{from};
  const auto reach = [&](graph::Node node, std::size_t at) {
    if (frames[node] != 0 || node == from) return;
    frames[node] = at;
    reached.push_back(node);
  };
  for (std::size_t i = 0; i < reached.size() && frames[to] == 0; ++i) {
    const graph::Node node = reached[i];
    if (graph.goes_on(node)) reach(node + 1, frames[node] + 1);
    for (const graph::Transition& transition : graph.transitions_of(node)) reach(transition.to, frames[node] + 1);
  }
  return frames[to];
}

/// A pose of a clip, to go from or to.
struct KeyPose {
  std::string clip;
  std::uint32_t frame;
};

std::optional<graph::Node> node_of(const graph::MotionGraph& graph, const KeyPose& pose) {
  for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
    if (graph.clips[c].name == pose.clip) return graph.node_at(c, pose.frame);
  }
  return {};
}

void print_lambda(const take::Gathered& mixed, const std::string& pictures) {
  fmt::print(
      "\n### Size against lambda (figures 4.10 and 4.11), at 2 cm\n\n"
      "| lambda | nodes | times the data | the work | mean time | the work | graph as bytes | reduced in | walk to "
      "duck "
      "| walk to pick | run to jump |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  struct Row {
    double lambda, factor, time;
  };
  const std::pair<KeyPose, KeyPose> transitions[] = {
      {{"16_31", 40}, {"127_31", 70}}, {{"16_31", 40}, {"69_72", 80}}, {{"127_04", 90}, {"127_26", 32}}};
  picture::Series size{"size", {}, {}, {}}, time{"time × 10", {}, {}, {}};
  picture::Series work_size{"size, the work", {}, {}, {}}, work_time{"time, the work", {}, {}, {}};
  for (const Row& work : std::vector<Row>{{1, 36.7, 1.27},
                                          {1.5, 19.3, 1.29},
                                          {2, 14.4, 1.32},
                                          {5, 6.3, 1.47},
                                          {10, 2.4, 1.84},
                                          {20, 1.4, 2.31},
                                          {50, 1.1, 2.92},
                                          {100, 1.1, 3.33}}) {
    const auto connected = need(graph::connect(mixed, options_at(2, work.lambda)));
    const graph::MotionGraph& graph = connected.built.graph;
    const double seconds = graph::measure(graph).mean_transition_s;
    fmt::print("| {:g} | {} | {:.1f} | {:.1f} | {} s | {:.2f} s | {:.1f} MB | {:.1f} s |", work.lambda, graph.nodes(),
               connected.size_factor(), work.factor, graph::told_seconds(seconds), work.time,
               static_cast<double>(graph::to_bytes(graph).size()) / 1e6, connected.reduce_seconds);
    for (const auto& [from, to] : transitions) {
      const auto begin = node_of(graph, from), end = node_of(graph, to);
      fmt::print(" {} |", begin && end ? fmt::format("{} frames", frames_between(graph, *begin, *end)) : "–");
    }
    fmt::print("\n");
    std::fflush(stdout);
    for (picture::Series* line : {&size, &time, &work_size, &work_time}) line->x.push_back(std::log10(work.lambda));
    size.y.push_back(connected.size_factor());
    time.y.push_back(10 * seconds);
    work_size.y.push_back(work.factor);
    work_time.y.push_back(10 * work.time);
  }
  if (pictures.empty()) return;
  picture::PlotOptions options;
  options.title = "Size and time against λ";
  options.x_label = "log λ";
  options.y_label = "";
  const picture::Series lines[] = {size, time, work_size, work_time};
  need(picture::save(picture::line_plot(lines, options), pictures + "/well-connected-lambda.svg"));
}

/// The ways of a graph again, to be reduced in other orders.
graph::WayGraph ways_of(const graph::MotionGraph& graph, double smoothness) {
  std::vector<std::uint8_t> goes_on(graph.nodes(), 0);
  std::vector<graph::Way> ways;
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    goes_on[node] = graph.goes_on(node) ? 1 : 0;
    for (const graph::Transition& transition : graph.transitions_of(node)) {
      ways.push_back({node, transition.to, transition.distance});
    }
  }
  return graph::make_way_graph(std::move(goes_on), ways, graph.sigma, smoothness);
}

/// What comes of lambda = 5 here, and by the work's own way (§4.1.4) in random orders of the recorded frames.
void print_orders() {
  constexpr int kOrders = 20;
  fmt::print(
      "\n### Nodes at lambda 5 against {} random orders of the work's own way, at 2 cm\n\n"
      "| set | recorded | lambda 1 | here | smallest of the orders | mean | largest |\n|---|---|---|---|---|---|---|\n",
      kOrders);
  for (const DataSet& set : data_sets()) {
    if (set.name != "1 steps" && set.name != "2 people" && set.name != "4 reaching" && set.name != "5 martial")
      continue;
    const auto connected = graph::connect(gathered(set), options_at(2, 1));
    if (!connected) continue;
    const graph::MotionGraph& graph = connected->built.graph;
    const graph::WayGraph ways = ways_of(graph, options_at(2, 1).smoothness);
    std::vector<std::uint32_t> ends(graph.recorded_nodes());
    for (std::uint32_t n = 0; n < ends.size(); ++n) ends[n] = n;
    const std::size_t here = need(graph::reduce(ways, ends, 5)).node_count();
    std::vector<std::size_t> sizes(kOrders);
    parallel_for(sizes.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Random random(i + 1);
        std::vector<std::uint32_t> order = ends;
        for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.index(k)]);
        sizes[i] = graph::reduce_in_order(ways, order, 5).node_count();
      }
    });
    double mean = 0;
    for (const std::size_t size : sizes) mean += static_cast<double>(size) / kOrders;
    fmt::print("| {} | {} | {} | {} | {} | {:.0f} | {} |\n", set.name, ends.size(), graph.nodes(), here,
               *std::min_element(sizes.begin(), sizes.end()), mean, *std::max_element(sizes.begin(), sizes.end()));
    std::fflush(stdout);
  }
}

void print_growth(const DataSet& set, const std::string& pictures) {
  fmt::print(
      "\n### Size, time and memory against the data (figure 4.9), at 2 cm, lambda 5\n\n"
      "| clips | frames | every pair: frames between | chosen pairs: frames between | nodes | by the clock | of "
      "processors | peak memory so far |\n|---|---|---|---|---|---|---|---|\n");
  picture::Series before{"before reduction", {}, {}, {}}, after{"after", {}, {}, {}};
  picture::Series seconds{"seconds of processors", {}, {}, {}}, memory{"megabytes", {}, {}, {}};
  for (const std::size_t clips : {5, 10, 15, 20, 25}) {
    const take::Gathered source = gathered(set, clips);
    const Stopwatch watch;
    const auto connected = graph::connect(source, options_at(2, 5));
    const double clock = watch.wall(), processors = watch.processor(), megabytes = peak_megabytes();
    graph::ConnectOptions every = options_at(2, 1);
    every.every_pair = true;
    const auto whole = graph::connect(source, every);
    if (!whole || !connected) continue;
    fmt::print("| {} | {} | {} | {} | {} | {:.1f} s | {:.1f} s | {:.0f} MB |\n", clips, connected->built.frames,
               whole->interpolated_before, connected->interpolated_before, connected->built.graph.nodes(), clock,
               processors, megabytes);
    std::fflush(stdout);
    before.x.push_back(static_cast<double>(connected->built.frames));
    before.y.push_back(static_cast<double>(whole->interpolated_before));
    after.x.push_back(before.x.back());
    after.y.push_back(static_cast<double>(connected->built.graph.nodes()));
    seconds.x.push_back(before.x.back());
    seconds.y.push_back(processors);
    memory.x.push_back(before.x.back());
    memory.y.push_back(megabytes);
  }
  if (pictures.empty()) return;
  picture::PlotOptions options;
  options.title = "Frames of a well-connected graph against the recorded ones";
  options.x_label = "recorded frames";
  options.y_label = "frames";
  const picture::Series lines[] = {before, after};
  need(picture::save(picture::line_plot(lines, options), pictures + "/well-connected-size.svg"));
  options.title = "Time and memory against the recorded frames";
  options.y_label = "seconds, megabytes";
  const picture::Series costs[] = {seconds, memory};
  need(picture::save(picture::line_plot(costs, options), pictures + "/well-connected-growth.svg"));
}

/// How far planted feet slide and poses jump in motion, on average and at most.
struct Steadiness {
  double slide = 0, jump = 0;
  std::size_t clips = 0;

  void add(const motion::Clip& clip, const motion::Contacts& contacts) {
    const measure::Measures m = measure::measure(clip, contacts);
    slide += m.foot_slide_mean_mps;
    jump = std::max(jump, m.largest_jump_m);
    ++clips;
  }
  void print(const std::string& set, const char* what, const std::string& between = "") const {
    fmt::print("| {} | {} | {:.2f} cm/s | {:.1f} cm | {} |\n", set, what, 100 * slide / static_cast<double>(clips),
               100 * jump, between);
    std::fflush(stdout);
  }
};

/// Twenty minutes of random walks, one for every seed, as they are and with their feet planted.
void print_walks(const take::Gathered& source, const char* what) {
  const auto connected = graph::connect(source, options_at(2, 5));
  if (!connected) return;
  const auto graph = std::make_shared<const graph::MotionGraph>(connected->built.graph);
  auto motion = std::make_shared<take::TakeSet>(source.motion);
  need(take::append_mixes(*motion, graph::mixes_of(graph->clips)));
  Steadiness plain, planted;
  std::size_t between = 0, frames = 0;
  constexpr std::uint64_t kMinutes = 20;
  for (std::uint64_t seed = 1; seed <= kMinutes; ++seed) {
    graph::WalkOptions options;
    options.seed = seed;
    play::SegmentPlayer player(motion, need(graph::Walk::create(graph, *motion, options)));
    const motion::Recording made = need(motion::record(player, 60));
    for (const motion::SourceFrame& from : made.sources) {
      between += from.clip >= graph->recorded_clips() ? 1 : 0;
      ++frames;
    }
    plain.add(made.clip, made.contacts);
    planted.add(need(polish::plant_feet(made.clip, made.contacts)), made.contacts);
  }
  plain.print("", what, fmt::format("{:.0f} %", 100 * static_cast<double>(between) / static_cast<double>(frames)));
  planted.print("", "… with clean-up");
}

void print_motion(const std::string& only) {
  fmt::print(
      "\n### Motion, 20 random minutes of each set at 2 cm, lambda 5\n\n"
      "| set | | foot slide | largest jump | frames between |\n|---|---|---|---|---|\n");
  for (const DataSet& set : data_sets()) {
    if (!set.name.starts_with(only)) continue;
    constexpr std::size_t kAll = ~std::size_t{0};
    for (const bool held : {false, true}) {
      const take::Gathered source = gathered(set, kAll, held);
      Steadiness recorded;
      for (std::size_t c = 0; c < source.motion.clips.size(); ++c) {
        recorded.add(source.motion.clips[c], source.motion.contacts[c]);
      }
      recorded.print(held ? "" : set.name, held ? "recordings, feet held" : "recordings");
      print_walks(source, held ? "as played" : "as played, --no-held-feet");
    }
  }
}

/// Rotations of each joint around the middle of those of the recordings: how far they go, radians.
class JointLimits {
 public:
  explicit JointLimits(std::span<const motion::Clip> recordings) : joints_(recordings.front().skeleton->size()) {
    std::vector<Quat> sums(joints_, Quat{0, 0, 0, 0});
    for (const motion::Clip& clip : recordings) {
      for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
        Quat& sum = sums[i % joints_];
        const Quat q = clip.rotations[i];
        const float side = dot(sum, q) < 0 ? -1.0f : 1.0f;
        sum = {sum.w + side * q.w, sum.x + side * q.x, sum.y + side * q.y, sum.z + side * q.z};
      }
    }
    for (const Quat& sum : sums) middle_.push_back(normalized(sum));
    limits_.resize(joints_);
    for (const motion::Clip& clip : recordings) {
      for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
        limits_[i % joints_] = std::max(limits_[i % joints_], turned(i % joints_, clip.rotations[i]));
      }
    }
  }

  /// By how much a pose goes beyond what was recorded, radians, and at which joint but the root; 0 where at none.
  struct Beyond {
    float angle = 0;
    std::size_t joint = 0;
  };
  [[nodiscard]] Beyond beyond(std::span<const Quat> pose) const {
    Beyond most;
    for (std::size_t j = 1; j < joints_; ++j) {
      const float angle = turned(j, pose[j]) - limits_[j];
      if (angle > most.angle) most = {angle, j};
    }
    return most;
  }

 private:
  [[nodiscard]] float turned(std::size_t joint, const Quat& q) const { return angle_between(middle_[joint], q); }

  std::size_t joints_;
  std::vector<Quat> middle_;
  std::vector<float> limits_;
};

bool falls_at_g(double mps2) { return std::abs(mps2 - 9.81) < 0.981; }

/// How a recording's centre of mass falls from one frame to another; none where that is too short to tell.
std::optional<double> fall_between(const motion::Clip& clip, double first, double last) {
  const auto begin = static_cast<std::ptrdiff_t>(std::round(first)),
             end = static_cast<std::ptrdiff_t>(std::round(last)) + 1;
  const auto joints = static_cast<std::ptrdiff_t>(clip.joints());
  motion::Clip piece{clip.name, clip.skeleton, clip.rate, {}, {}, {}};
  piece.roots.assign(clip.roots.begin() + begin, clip.roots.begin() + end);
  piece.rotations.assign(clip.rotations.begin() + begin * joints, clip.rotations.begin() + end * joints);
  motion::Contacts in_the_air;
  in_the_air.planted.assign(piece.frames(), 0);
  const auto flights = measure::find_flights(piece, in_the_air);
  return flights.empty() ? std::nullopt : std::optional(flights.front().mps2);
}

/// A flight of a mix: both its recordings fly, and whether both fall at g meanwhile.
struct MixedFlight {
  double mps2 = 0;
  bool of_falls = false;
};

std::vector<MixedFlight> flights_of(const take::TakeSet& motion, std::size_t clip, const take::Mix& mix) {
  motion::Contacts contacts = motion.contacts[clip];  // what either recording stands on
  for (std::size_t f = 0; f < contacts.planted.size(); ++f) {
    const take::FrameMatch at = mix.at(static_cast<double>(f));
    const auto planted = [&](std::uint32_t c, float frame) {
      return motion.contacts[c].planted[static_cast<std::size_t>(std::round(frame))];
    };
    contacts.planted[f] = static_cast<std::uint8_t>(contacts.planted[f] | planted(mix.a, at.a) | planted(mix.b, at.b));
  }
  std::vector<MixedFlight> flights;
  for (const measure::Flight& flight : measure::find_flights(motion.clips[clip], contacts)) {
    const take::FrameMatch first = mix.at(static_cast<double>(flight.begin));
    const take::FrameMatch last = mix.at(static_cast<double>(flight.end - 1));
    const auto of_a = fall_between(motion.clips[mix.a], static_cast<double>(first.a), static_cast<double>(last.a));
    const auto of_b = fall_between(motion.clips[mix.b], static_cast<double>(first.b), static_cast<double>(last.b));
    flights.push_back({flight.mps2, of_a && of_b && falls_at_g(*of_a) && falls_at_g(*of_b)});
  }
  return flights;
}

/// Zhao 2009 §4.1.1 says why such mixes look right; this measures it, over all that the graphs at 2 cm, lambda 5, hold.
void print_physics(const std::string& only) {
  constexpr double kOutside = 0.05;  // metres: as far astray as the zero-moment point goes in recordings
  fmt::print(
      "\n### What is mixed, as a body, at 2 cm, lambda 5\n\n| set | | flights | they fall at | within 10 % of g | "
      "of flights that do | zero-moment point outside by over 5 cm | joints beyond what was recorded |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const DataSet& set : data_sets()) {
    if (!set.name.starts_with(only)) continue;
    const take::Gathered source = gathered(set);
    const auto connected = graph::connect(source, options_at(2, 5));
    if (!connected) continue;
    const auto& clips = connected->built.graph.clips;
    take::TakeSet motion = source.motion;
    need(take::append_mixes(motion, graph::mixes_of(clips)));
    const std::size_t recorded = source.motion.clips.size();
    const JointLimits limits(source.motion.clips);
    std::vector<std::vector<double>> outside;
    for (std::size_t c = 0; c < motion.clips.size(); ++c) {
      outside.push_back(measure::zero_moment_outside(motion.clips[c], motion.contacts[c]));
    }
    const auto row = [&](const char* kind, std::size_t begin, std::size_t end) {
      std::size_t flights = 0, good = 0, of_falls = 0, good_of_falls = 0, judged = 0, astray = 0, frames = 0;
      double fall = 0;
      JointLimits::Beyond beyond;
      std::size_t beyond_frames = 0;
      for (std::size_t c = begin; c < end; ++c) {
        const auto add_flight = [&](double mps2, bool of) {
          ++flights;
          fall += mps2;
          good += falls_at_g(mps2) ? 1 : 0;
          of_falls += of ? 1 : 0;
          good_of_falls += of && falls_at_g(mps2) ? 1 : 0;
        };
        if (c < recorded) {
          for (const auto& one : measure::find_flights(motion.clips[c], motion.contacts[c]))
            add_flight(one.mps2, false);
        } else {
          for (const MixedFlight& one : flights_of(motion, c, *clips[c].mix)) add_flight(one.mps2, one.of_falls);
        }
        for (std::size_t f = 0; f < motion.clips[c].frames(); ++f, ++frames) {
          const JointLimits::Beyond off = limits.beyond(motion.clips[c].pose(f));
          if (off.angle > beyond.angle) beyond = off;
          beyond_frames += off.angle > 1.0f / 57.2958f ? 1 : 0;
          if (outside[c].empty() || std::isnan(outside[c][f])) continue;
          if (c >= recorded) {  // only where the zero-moment points of both recordings are inside
            const take::Mix& mix = *clips[c].mix;
            const take::FrameMatch at = mix.at(static_cast<double>(f));
            const auto inside = [&](std::uint32_t clip, double frame) {
              const auto& of = outside[clip];
              const auto i = static_cast<std::size_t>(std::max(0.0, std::round(frame)));
              return i < of.size() && of[i] <= kOutside;
            };
            if (!inside(mix.a, static_cast<double>(at.a)) || !inside(mix.b, static_cast<double>(at.b))) continue;
          }
          ++judged;
          astray += outside[c][f] > kOutside ? 1 : 0;
        }
      }
      const auto share = [](std::size_t some, std::size_t all) {
        return all == 0 ? std::string("–")
                        : fmt::format("{:.1f} %", 100.0 * static_cast<double>(some) / static_cast<double>(all));
      };
      fmt::print(
          "| {} | {} | {} | {} | {} | {} | {} of {} frames | {}, at most {:.1f}°{} |\n", begin == 0 ? set.name : "",
          kind, flights, flights == 0 ? "–" : fmt::format("{:.2f} m/s²", fall / static_cast<double>(flights)),
          share(good, flights), of_falls == 0 ? "–" : fmt::format("{} of {}", share(good_of_falls, of_falls), of_falls),
          share(astray, judged), judged, share(beyond_frames, frames), static_cast<double>(beyond.angle) * 57.2958,
          beyond.joint == 0 ? "" : " (" + motion.skeleton->joint(beyond.joint).name + ")");
      std::fflush(stdout);
    };
    row("recordings", 0, recorded);
    row("mixed", recorded, motion.clips.size());
  }
}

/// Walks with turns, jumps and stops of one person, as in Zhao 2009 §4.3.2.
void print_policies() {
  const DataSet set = {
      "", "", {{"16_11"}, {"16_13"}, {"16_17"}, {"16_19"}, {"16_21"}, {"16_01"}, {"16_03"}, {"16_33"}}};
  const take::Gathered source = gathered(set);
  fmt::print(
      "\n### Policies on both kinds of graph (table 4.6)\n\n"
      "| graph | threshold | control | transition | total | component | nodes |\n|---|---|---|---|---|---|---|\n");
  const auto row = [](const char* kind, double t, const graph::Built& built, const take::TakeSet& motion) {
    const JudgedPolicy judged = judge_policy(built.graph, motion.tracks(), {"walk", "jump", "stop"});
    fmt::print("| {} | {:g} cm | {:.2f} | {:.3f} | {:.2f} | {:.0f} % | {} |\n", kind, t, judged.score.control,
               judged.score.transition, judged.score.total, 100 * built.share_reached, built.graph.nodes());
    std::fflush(stdout);
  };
  // One unit of smoothness for all graphs: by itself, a graph measures transitions against its own threshold.
  const double sigma = graph::square_metres_of(4);
  struct Kind {
    double centimetres, lambda;
  };
  for (const Kind& kind : {Kind{1, 5}, {1.5, 5}, {2, 5}, {3, 5}, {4.5, 5}, {6, 5}, {9, 5}, {12, 5}, {3, 1}, {4.5, 1}}) {
    graph::ConnectOptions options = options_at(kind.centimetres, kind.lambda);
    options.build.sigma = sigma;
    const auto connected = graph::connect(source, options);
    if (!connected) continue;
    take::TakeSet motion = source.motion;
    need(take::append_mixes(motion, graph::mixes_of(connected->built.graph.clips)));
    row(kind.lambda > 1 ? "well-connected" : "well-connected, λ = 1", kind.centimetres, connected->built, motion);
  }
  for (const double t : {1.0, 2.0, 3.0, 4.5, 6.0, 9.0, 12.0}) {
    graph::BuildOptions options = options_at(t, 1).build;
    options.sigma = sigma;
    const auto built = graph::build(source, options);
    if (built) row("plain", t, *built, source.motion);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (capture_files({"127_"}).empty()) {
    fmt::print("There is no capture at ../shared/mocap, and these tables are about nothing else.\n");
    return 0;
  }
  const std::string_view only = argc > 1 ? argv[1] : "";
  const auto wanted = [&](std::string_view part) { return only.empty() || only == part; };
  const std::vector<DataSet> sets = data_sets();
  fmt::print("| set | content | clips |\n|---|---|---|\n");
  for (const DataSet& set : sets) {
    std::string clips;
    for (const Piece& piece : set.pieces) {
      clips += fmt::format("{}{}{}", clips.empty() ? "" : ", ", piece.clip,
                           piece.frames > 0 ? fmt::format(" [0, {})", piece.frames) : "");
    }
    fmt::print("| {} | {} | {} |\n", set.name, set.content, clips);
  }
  const std::string more = argc > 2 ? argv[2] : "";
  if (wanted("components")) {
    std::vector<double> thresholds;
    for (int i = 3; i < argc; ++i) thresholds.push_back(std::atof(argv[i]));
    print_components(more, thresholds.empty() ? kThresholds : thresholds);
  }
  if (only == "unpruned" || only == "outside") {
    std::vector<double> thresholds;
    for (int i = 3; i < argc; ++i) thresholds.push_back(std::atof(argv[i]));
    if (only == "unpruned") print_unpruned(more, thresholds);
    if (only == "outside" && !thresholds.empty()) print_outside(more, thresholds.front());
  }
  if (wanted("times")) print_times(gathered(sets[2]), more);
  if (wanted("lambda")) print_lambda(gathered(sets[2]), more);
  if (wanted("orders")) print_orders();
  if (wanted("growth")) print_growth(sets[2], more);
  if (wanted("motion")) print_motion(more);
  if (wanted("physics")) print_physics(more);
  if (wanted("policies")) print_policies();
  return 0;
}
