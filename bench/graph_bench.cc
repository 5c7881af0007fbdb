// SPDX-License-Identifier: MIT
//
// Motion graphs on real capture: prints the tables of docs/results/motion-graphs.md.
//
//     build/bin/bench_graph            needs ../shared/mocap; without it the sample motions are used and the output
//     says so
//     build/bin/bench_graph connectivity         only the builds and what each threshold gives
//     build/bin/bench_graph behaviors PICTURES   only Zhao 2009 table 4.4 and figures 4.6 to 4.8, drawn into a folder
//
// Figures of time are of this machine and this run; connectivity and error are the same everywhere.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include <loom/base/file.h>
#include <loom/base/parallel.h>
#include <loom/graph/build.h>
#include <loom/graph/follow.h>
#include <loom/graph/measures.h>
#include <loom/graph/walk.h>
#include <loom/measure/measure.h>
#include <loom/picture/plot.h>
#include <loom/picture/png.h>
#include <loom/picture/save.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "bench_support.h"
#include "close_looks.h"

namespace {

using namespace loom;
using namespace loom::bench;

/// Some of the capture: a name for the table, and its files.
struct DataSet {
  std::string name;
  std::vector<std::string> files;  ///< none: the sample motions
};

take::Gathered read(library::Library& library, const DataSet& set) {
  if (set.files.empty()) {
    add_samples(library);
  } else {
    import_capture(library, set.files);
  }
  return need(take::gather(library, {}));
}

graph::MotionGraph at_threshold(const take::Gathered& source, const graph::Built& built, double threshold) {
  return graph::prune(graph::clips_of(source.motion), built.pairs, threshold, threshold, built.graph.rate,
                      [](std::uint32_t, std::uint32_t) { return motion::GroundFrame{}; });
}

/// Zhao 2009 tables 4.2, 4.3 and 4.5 in one: what each threshold gives.
void print_connectivity(const std::string& name, const take::Gathered& source, const graph::Built& built) {
  fmt::print("\n### {}: {} clips, {} frames\n\n", name, source.motion.clips.size(), built.frames);
  fmt::print("| threshold m² | markers apart | component | transitions | mean time between frames | LM |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const double apart : {0.01, 0.015, 0.02, 0.03, 0.04, 0.05}) {
    const double threshold = apart * apart;
    const graph::MotionGraph graph = at_threshold(source, built, threshold);
    const graph::GraphMeasures m = graph::measure(graph, {200});
    if (graph.nodes() == 0) {
      fmt::print("| {:.2g} | {:.1f} cm | 0 % | 0 | – | – |\n", threshold, 100 * apart);
      continue;
    }
    const std::string wait =
        std::isfinite(m.local_maneuverability_s)
            ? fmt::format("{:.2f} s", m.local_maneuverability_s)
            : fmt::format("{} of {} behaviors lost", m.missing.size(), m.missing.size() + m.behaviors.size());
    fmt::print("| {:.2g} | {:.1f} cm | {:.1f} % | {} | {:.2f} s | {} |\n", threshold, 100 * apart,
               100 * m.component_share, m.transitions, m.mean_transition_s, wait);
  }
}

/// Zhao 2009 table 4.4: mean seconds from a frame of the row to one of the column.
void print_between(const graph::GraphMeasures& m) {
  fmt::print("| from \\ to |");
  for (const std::string& name : m.behaviors) fmt::print(" {} |", name);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < m.behaviors.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (std::size_t r = 0; r < m.behaviors.size(); ++r) {
    fmt::print("| {} |", m.behaviors[r]);
    for (std::size_t c = 0; c < m.behaviors.size(); ++c) {
      fmt::print(" {} |", graph::told_seconds(m.between_s[r * m.behaviors.size() + c]));
    }
    fmt::print("\n");
  }
}

/// A histogram as a line, in percent of its sum.
picture::Series as_line(const std::string& name, const std::vector<std::uint64_t>& counts) {
  picture::Series line;
  line.name = name;
  double sum = 0;
  for (const std::uint64_t count : counts) sum += static_cast<double>(count);
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    line.x.push_back((static_cast<double>(bin) + 0.5) * graph::GraphMeasures::kHistogramBin);
    line.y.push_back(100 * static_cast<double>(counts[bin]) / std::max(sum, 1.0));
  }
  return line;
}

void save_closure(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs, const fs::path& path) {
  const std::vector<std::uint8_t> pixels = graph::closure_picture(graph, pairs, 400);
  picture::Raster raster;
  raster.width = raster.height = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels.size()))));
  for (const std::uint8_t p : pixels) raster.rgba.insert(raster.rgba.end(), {p, p, p, 255});
  const auto png = need(picture::to_png(raster));
  need(save_file(path.string(), {reinterpret_cast<const char*>(png.data()), png.size()}));
}

/// What a graph of several behaviors is like at some thresholds: Zhao 2009 table 4.4, figures 4.6, 4.7 and 4.8.
void print_behaviors(const DataSet& set, const fs::path& pictures) {
  TemporaryLibrary library;
  const take::Gathered source = read(*library, set);
  graph::BuildOptions options;
  options.connect = 0.9;
  const graph::Built built = need(graph::build(source, options));
  fs::create_directories(pictures);
  std::vector<picture::Series> times, waits;
  for (const double apart : {0.03, 0.05, 0.08}) {
    const graph::MotionGraph graph = at_threshold(source, built, apart * apart);
    const graph::GraphMeasures m = graph::measure(graph);
    const std::string name = fmt::format("{:.0f} cm", 100 * apart);
    fmt::print("\n### {}, markers {} apart: {:.1f} % of the frames, lost behaviors: {}\n\n", set.name, name,
               100 * m.component_share, m.missing.empty() ? "none" : fmt::format("{}", fmt::join(m.missing, ", ")));
    fmt::print("Mean time between frames {:.2f} s, from {} frames; local maneuverability {}.\n\n", m.mean_transition_s,
               m.sources, graph::told_seconds(m.local_maneuverability_s));
    print_between(m);
    times.push_back(as_line(name, m.histogram));
    waits.push_back(as_line(name, m.maneuverability_histogram));
    save_closure(graph, built.pairs, pictures / fmt::format("graph_closure_{:.0f}cm.png", 100 * apart));
  }
  picture::PlotOptions plot;
  plot.x_label = "seconds";
  plot.title = "Time from a frame to another";
  plot.y_label = "% of pairs";
  need(picture::save(picture::line_plot(times, plot), (pictures / "graph_times.png").string()));
  plot.title = "How long a wish for another behavior waits (pairs of behaviors)";
  need(picture::save(picture::line_plot(waits, plot), (pictures / "graph_waits.png").string()));
}

/// A line that winds over the floor: the sum of two waves, `length` metres of it.
graph::FloorPath winding_path(double length) {
  graph::FloorPath path;
  path.points.push_back({});
  double gone = 0, along = 0;
  while (gone < length) {
    along += 0.1;
    const Vec3 next{static_cast<float>(5 * std::sin(along / 5) + 2 * std::sin(along / 3)), 0,
                    static_cast<float>(along)};
    gone += static_cast<double>(distance(next, path.points.back()));
    path.points.push_back(next);
  }
  return path;
}

void print_follow(const graph::Built& built, const take::Gathered& source) {
  fmt::print(
      "\n### Following a path\n\n| path | motion | search, of processors | off the path: mean | worst "
      "|\n|---|---|---|---|---|\n");
  for (const double length : {20.0, 55.0, 75.0}) {
    const Stopwatch watch;
    const auto followed = need(graph::follow(built.graph, source.motion, winding_path(length)));
    fmt::print("| {:.0f} m | {:.1f} s | {:.2f} s | {:.1f} cm | {:.1f} cm |\n", followed.length_m, followed.seconds,
               watch.processor(), 100 * followed.mean_error_m, 100 * followed.max_error_m);
  }
}

struct Quality {
  double slide = 0, jump = 0;
};

/// Of the recordings themselves: mean slide, and the largest jump of any.
Quality of_recordings(const take::Gathered& source) {
  Quality total;
  double seconds = 0;
  for (std::size_t c = 0; c < source.motion.clips.size(); ++c) {
    const measure::Measures m = measure::measure(source.motion.clips[c], source.motion.contacts[c]);
    total.slide += m.foot_slide_mean_mps * source.motion.clips[c].duration();
    seconds += source.motion.clips[c].duration();
    total.jump = std::max(total.jump, m.largest_jump_m);
  }
  total.slide /= seconds;
  return total;
}

void print_quality(const graph::Built& built, const take::Gathered& source) {
  const auto graph = std::make_shared<graph::MotionGraph>(built.graph);
  const auto motion = std::make_shared<take::TakeSet>(source.motion);
  const Quality recorded = of_recordings(source);
  CloseLooks looks;
  for (const motion::Clip& clip : source.motion.clips) looks.add("the recordings", clip);
  fmt::print("\n### Walks of 60 s, three seeds\n\n| motion | foot slide | largest jump |\n|---|---|---|\n");
  fmt::print("| the recordings | {:.1f} cm/s | {:.1f} cm |\n", 100 * recorded.slide, 100 * recorded.jump);
  for (const bool polished : {false, true}) {
    Quality mean;
    for (const std::uint64_t seed : {1, 2, 3}) {
      graph::WalkOptions options;
      options.seed = seed;
      play::SegmentPlayer player(motion, need(graph::Walk::create(graph, *motion, options)));
      motion::Recording recording = need(motion::record(player, 60));
      motion::Clip clip =
          polished ? need(polish::plant_feet(recording.clip, recording.contacts)) : std::move(recording.clip);
      const measure::Measures m = measure::measure(clip, recording.contacts);
      looks.add(polished ? "walks, feet planted" : "walks as blended", clip);
      mean.slide += m.foot_slide_mean_mps / 3;
      mean.jump = std::max(mean.jump, m.largest_jump_m);
    }
    fmt::print("| walks{} | {:.1f} cm/s | {:.1f} cm |\n", polished ? ", feet planted" : " as blended", 100 * mean.slide,
               100 * mean.jump);
  }
  looks.print();
}

/// `processor_seconds`: what the build took of all cores together, whatever else the machine was doing.
void print_build(const std::string& name, const graph::Built& built, double processor_seconds) {
  const auto bytes = graph::to_bytes(built.graph);
  const Stopwatch watch;
  const graph::MotionGraph loaded = need(graph::graph_from_bytes(bytes));
  const double load_seconds = watch.thread();
  fmt::print("\n### {}: the build\n\n", name);
  fmt::print(
      "| frames | build, by the clock | of processors | peak memory | share | threshold | nodes | transitions | graph "
      "| loads in |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  fmt::print("| {} | {:.1f} s | {:.2f} s | {:.0f} MB | {:.1f} % | {:.3g} | {} | {} | {:.1f} MB | {:.1f} ms |\n",
             built.frames, built.seconds, processor_seconds, static_cast<double>(built.peak_memory_bytes) / 1e6,
             100 * built.share_reached, loaded.threshold, loaded.nodes(), loaded.transitions.size(),
             static_cast<double>(bytes.size()) / 1e6, 1e3 * load_seconds);
}

void run(const DataSet& set, bool in_full) {
  TemporaryLibrary library;
  const take::Gathered source = read(*library, set);
  graph::BuildOptions options;
  options.connect = 0.9;
  const Stopwatch watch;
  const graph::Built built = need(graph::build(source, options));
  print_build(set.name, built, watch.processor());
  print_connectivity(set.name, source, built);
  if (!in_full) return;
  print_follow(built, source);
  print_quality(built, source);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "behaviors") {
    print_behaviors({"performer 16 (real capture)", capture_files({"16_"})}, argv[2]);
    return 0;
  }
  const bool in_full = argc < 2 || std::string_view(argv[1]) != "connectivity";
  fmt::print("{} threads\n", thread_count());
  run({"sample motions", {}}, in_full);
  if (!fs::exists(kMocap)) {
    fmt::print("\nReal capture is not there ({}): only the sample motions were measured.\n", kMocap.string());
    return 0;
  }
  run({"performer 16: walk, jog, run, turn, jump (real capture)", capture_files({"16_"})}, in_full);
  run({"walks of four performers (real capture)", capture_files({"02_01", "07_0", "08_0", "35_0"})}, false);
  run({"performer 144: martial arts and reaching (real capture)", capture_files({"144_"})}, false);
  run({"set of 87k frames (real capture)", files_listed(kMocap / "set-87k.txt")}, in_full);
}
