// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/picture/base64.h>
#include <loom/picture/plot.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>
#include <loom/picture/svg.h>
#include <loom/report/graph_report.h>

namespace loom::report {
namespace {

constexpr int kThresholds = 16;            ///< on the curve of connectivity
constexpr std::size_t kClosureSize = 320;  ///< pixels a side
constexpr std::size_t kLostShown = 40;

constexpr const char* kReportStyle = R"(<style>
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #dde2e8; text-align: right; }
th:first-child, td:first-child, td.text { text-align: left; }
svg { max-width: 100%; height: auto; } img { image-rendering: pixelated; border: 1px solid #dde2e8; max-width: 100%; }
p.note { color: #6b7785; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } .two > div { min-width: 0; }
</style>)";

std::string row(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, picture::escape_markup(cell));
  return out + "</tr>\n";
}

/// What there is to say in a word or two about a graph, with what it says.
std::vector<std::pair<std::string, std::string>> facts(const graph::MotionGraph& graph, const graph::GraphMeasures& m) {
  return {{"frames",
           fmt::format("{} ({:.1f} s at {:g} Hz)", m.frames, static_cast<double>(m.frames) / graph.rate, graph.rate)},
          {"nodes", fmt::format("{}", m.nodes)},
          {"of them recorded", fmt::format("{}", m.recorded_nodes)},
          {"edges", fmt::format("{}", m.edges)},
          {"transitions", fmt::format("{}", m.transitions)},
          {"largest component", fmt::format("{:.1f} % of the frames", 100 * m.component_share)},
          {"threshold", fmt::format("{:.4g}", graph.threshold)},
          {"mean seconds between frames", graph::told_seconds(m.mean_transition_s)},
          {"local maneuverability, seconds", graph::told_seconds(m.local_maneuverability_s)},
          {"memory", fmt::format("{:.2f} MB", static_cast<double>(m.memory_bytes) / 1e6)}};
}

std::string summary(const graph::MotionGraph& graph, const graph::GraphMeasures& m) {
  std::string out = "<table>\n";
  for (const auto& [name, value] : facts(graph, m)) out += row({name, value});
  return out + "</table>\n";
}

std::string connectivity(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                         const Progress& progress) {
  const graph::FrameNumbers numbers(std::span(graph.clips).first(graph.recorded_clips()));
  double farthest = graph.threshold;
  for (const graph::SimilarPair& pair : pairs) farthest = std::max(farthest, static_cast<double>(pair.distance));
  picture::Series share;
  std::string table = "<table>\n" + row({"threshold", "largest component"}, "th");
  for (int i = 1; i <= kThresholds; ++i) {
    share.x.push_back(farthest * std::pow(static_cast<double>(i) / kThresholds, 2));
  }
  share.y = graph::component_shares(numbers, pairs, share.x, progress);
  for (std::size_t i = 0; i < share.x.size(); ++i) {
    share.y[i] *= 100;
    if (i % 2 == 1) table += row({fmt::format("{:.4g}", share.x[i]), fmt::format("{:.1f} %", share.y[i])});
  }
  picture::PlotOptions options;
  options.title = "Share of all frames in the largest component";
  options.x_label = "threshold";
  options.y_label = "%";
  options.y = picture::Range{0, 100};
  return picture::to_svg(picture::line_plot(std::span(&share, 1), options)) + table + "</table>\n";
}

/// A histogram as a line, for thin bars: there may be hundreds of bins. In percent where asked for.
picture::Series line_of(std::span<const std::uint64_t> histogram, bool percent, std::string name) {
  picture::Series line;
  line.name = std::move(name);
  std::uint64_t total = 0;
  for (const std::uint64_t count : histogram) total += count;
  const double unit = percent ? 100.0 / static_cast<double>(std::max<std::uint64_t>(1, total)) : 1.0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    line.x.push_back((static_cast<double>(bin) + 0.5) * graph::GraphMeasures::kHistogramBin);
    line.y.push_back(unit * static_cast<double>(histogram[bin]));
  }
  return line;
}

std::string drawn(std::span<const picture::Series> lines, const std::string& title, const char* y_label) {
  picture::PlotOptions options;
  options.title = title;
  options.x_label = "seconds";
  options.y_label = y_label;
  return picture::to_svg(picture::line_plot(lines, options));
}

constexpr const char* kWaits = "How long a wish for another behavior waits";

std::string times(const graph::GraphMeasures& m) {
  const picture::Series pairs = line_of(m.histogram, true, "");
  return drawn(std::span(&pairs, 1), fmt::format("Time from a frame to another, from {} frames", m.sources),
               "% of pairs");
}

/// Figure 4.8 of Zhao 2009.
std::string waits(const graph::GraphMeasures& m) {
  if (m.maneuverability_histogram.empty()) return {};
  const picture::Series pairs = line_of(m.maneuverability_histogram, false, "");
  return drawn(std::span(&pairs, 1), kWaits, "pairs of behaviors");
}

std::string behavior_table(const graph::GraphMeasures& m) {
  const std::size_t count = m.behaviors.size();
  if (count == 0) return "<p class=\"note\">Nothing in this graph is labelled.</p>\n";
  std::vector<std::string> header{"from \\ to"};
  header.insert(header.end(), m.behaviors.begin(), m.behaviors.end());
  header.emplace_back("maneuverability");
  std::string out = "<table>\n" + row(header, "th");
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<std::string> cells{m.behaviors[r]};
    for (std::size_t c = 0; c < count; ++c) cells.push_back(graph::told_seconds(m.between_s[r * count + c]));
    cells.push_back(graph::told_seconds(m.maneuverability_s[r]));
    out += row(cells);
  }
  return out + "</table>\n";
}

Result<std::string> closure(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs) {
  const std::vector<std::uint8_t> pixels = graph::closure_picture(graph, pairs, kClosureSize);
  picture::Raster raster;
  raster.width = raster.height = to_whole<std::size_t>(std::round(std::sqrt(static_cast<double>(pixels.size()))));
  for (const std::uint8_t p : pixels) raster.rgba.insert(raster.rgba.end(), {p, p, p, 255});
  const auto png = picture::to_png(raster);
  if (!png) return fail_from(png);
  return fmt::format("<img alt=\"transitive closure\" width=\"480\" src=\"data:image/png;base64,{}\">\n",
                     picture::to_base64(*png));
}

std::string losses(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                   const Progress& progress) {
  const std::vector<graph::LostClip> lost = graph::explain_losses(graph, pairs, progress);
  if (lost.empty()) return "<p>Nothing was lost.</p>\n";
  std::string out = "<table>\n" + row({"clip", "frames lost", "joins at threshold", "why"}, "th");
  for (std::size_t i = 0; i < std::min(lost.size(), kLostShown); ++i) {
    const graph::LostClip& entry = lost[i];
    const graph::GraphClip& clip = graph.clips[entry.clip];
    out += row({clip.title(), fmt::format("{} of {}", entry.frames_lost, clip.frames),
                entry.joins_at < 0 ? "beyond what was compared" : fmt::format("{:.4g}", entry.joins_at), entry.reason});
  }
  out += "</table>\n";
  if (lost.size() > kLostShown) out += fmt::format("<p class=\"note\">and {} more</p>\n", lost.size() - kLostShown);
  return out;
}

std::string beginning(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>{0}</title>\n{1}</head><body>\n<h1>{0}</h1>\n",
      picture::escape_markup(title), kReportStyle);
}

std::string section_of(const char* heading, const char* note, const std::string& body) {
  return fmt::format("<section><h2>{}</h2>\n<p class=\"note\">{}</p>\n{}</section>\n", heading, note, body);
}

/// Two pieces of a page beside each other, each under its name.
std::string beside(const ComparedGraph& a, const std::string& of_a, const ComparedGraph& b, const std::string& of_b) {
  std::string out = "<div class=\"two\">";
  for (const auto& [name, body] : {std::pair{a.name, of_a}, std::pair{b.name, of_b}}) {
    out += fmt::format("<div><h3>{}</h3>\n{}</div>", picture::escape_markup(name), body);
  }
  return out + "</div>\n";
}

}  // namespace

Result<std::string> comparison_page(const ComparedGraph& a, const ComparedGraph& b) {
  const auto closure_a = closure(a.graph, a.pairs), closure_b = closure(b.graph, b.pairs);
  if (!closure_a) return fail_from(closure_a);
  if (!closure_b) return fail_from(closure_b);
  std::string table = "<table>\n" + row({"", a.name, b.name}, "th");
  const auto of_a = facts(a.graph, a.measures), of_b = facts(b.graph, b.measures);
  for (std::size_t i = 0; i < of_a.size(); ++i) table += row({of_a[i].first, of_a[i].second, of_b[i].second});
  const auto both = [&](const auto& histogram, bool percent, const std::string& title, const char* y_label) {
    const picture::Series lines[] = {line_of(a.measures.*histogram, percent, a.name),
                                     line_of(b.measures.*histogram, percent, b.name)};
    return drawn(lines, title, y_label);
  };
  const auto& waits_of = &graph::GraphMeasures::maneuverability_histogram;
  const bool any_waits = !(a.measures.*waits_of).empty() || !(b.measures.*waits_of).empty();
  return beginning(fmt::format("Motion graphs '{}' and '{}'", a.name, b.name)) +
         section_of("The graphs", "Times are between recorded frames, over whatever lies between them.",
                    table + "</table>\n") +
         section_of("Time between frames", "How long the shortest way from one frame to another takes.",
                    both(&graph::GraphMeasures::histogram, true, "Time from a frame to another", "% of pairs")) +
         section_of("Time between behaviors", "Seconds from a frame of the row to a frame of the column, on average.",
                    beside(a, behavior_table(a.measures), b, behavior_table(b.measures)) +
                        (any_waits ? both(waits_of, false, kWaits, "pairs of behaviors") : std::string{})) +
         section_of("Who reaches whom", "White where the frame of the row reaches the frame of the column.",
                    beside(a, *closure_a, b, *closure_b)) +
         "</body></html>\n";
}

Result<std::string> report_page(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                                const graph::GraphMeasures& measures, const std::string& title,
                                const Progress& progress) {
  const auto closure_image = closure(graph, pairs);
  if (!closure_image) return fail_from(closure_image);
  std::string page = beginning(title);
  const auto section = [&](const char* heading, const char* note, const std::string& body) {
    page += section_of(heading, note, body);
  };
  section("The graph", "Every node reaches every other, so that a walk never has to end.", summary(graph, measures));
  section("Connectivity", "What other thresholds would keep of the motion. A higher one connects more and jumps more.",
          connectivity(graph, pairs, part_of(progress, 0, 0.5)));
  section("Time between frames", "How long the shortest way from one frame to another takes.", times(measures));
  section("Time between behaviors",
          "Seconds from a frame of the row to a frame of the column, on average; and how long a request for the row's "
          "behavior takes to be met.",
          behavior_table(measures) + waits(measures));
  section("Who reaches whom",
          "White where the frame of the row reaches the frame of the column, before pruning. All white would be ideal.",
          *closure_image);
  section("Lost to pruning", "Motion that is in no cycle of the graph, and what it would take to have it in.",
          losses(graph, pairs, part_of(progress, 0.5, 1)));
  if (!progress.report(1, "writing the report"))
    return fail_as(ErrorKind::kStopped, "stopped while writing the report");
  return page + "</body></html>\n";
}

}  // namespace loom::report
