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

constexpr const char* kStyle = R"(<style>
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #dde2e8; text-align: right; }
th:first-child, td:first-child, td.text { text-align: left; }
svg { max-width: 100%; height: auto; } img { image-rendering: pixelated; border: 1px solid #dde2e8; max-width: 100%; }
p.note { color: #6b7785; }
</style>)";

std::string row(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, picture::escape_markup(cell));
  return out + "</tr>\n";
}

std::string summary(const graph::MotionGraph& graph, const graph::GraphMeasures& m) {
  std::string out = "<table>\n";
  const auto add = [&](const char* name, const std::string& value) { out += row({name, value}); };
  add("frames",
      fmt::format("{} ({:.1f} s at {:g} Hz)", m.frames, static_cast<double>(m.frames) / graph.rate, graph.rate));
  add("nodes", fmt::format("{}", m.nodes));
  add("edges", fmt::format("{}", m.edges));
  add("transitions", fmt::format("{}", m.transitions));
  add("largest component", fmt::format("{:.1f} % of the frames", 100 * m.component_share));
  add("threshold", fmt::format("{:.4g}", graph.threshold));
  add("mean seconds between frames", graph::told_seconds(m.mean_transition_s));
  add("local maneuverability, seconds", graph::told_seconds(m.local_maneuverability_s));
  add("memory", fmt::format("{:.2f} MB", static_cast<double>(m.memory_bytes) / 1e6));
  return out + "</table>\n";
}

std::string connectivity(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                         const Progress& progress) {
  const graph::FrameNumbers numbers(graph.clips);
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

std::string times(const graph::GraphMeasures& m) {
  // Thin bars over time are drawn as a line: there may be hundreds of bins.
  picture::Series pairs;
  std::uint64_t total = 0;
  for (const std::uint64_t count : m.histogram) total += count;
  for (std::size_t bin = 0; bin < m.histogram.size(); ++bin) {
    pairs.x.push_back((static_cast<double>(bin) + 0.5) * graph::GraphMeasures::kHistogramBin);
    pairs.y.push_back(100 * static_cast<double>(m.histogram[bin]) /
                      static_cast<double>(std::max<std::uint64_t>(1, total)));
  }
  picture::PlotOptions options;
  options.title = fmt::format("Time from a frame to another, from {} frames", m.sources);
  options.x_label = "seconds";
  options.y_label = "% of pairs";
  return picture::to_svg(picture::line_plot(std::span(&pairs, 1), options));
}

/// Figure 4.8 of Zhao 2009.
std::string waits(const graph::GraphMeasures& m) {
  if (m.maneuverability_histogram.empty()) return {};
  picture::Series pairs;
  for (std::size_t bin = 0; bin < m.maneuverability_histogram.size(); ++bin) {
    pairs.x.push_back((static_cast<double>(bin) + 0.5) * graph::GraphMeasures::kHistogramBin);
    pairs.y.push_back(static_cast<double>(m.maneuverability_histogram[bin]));
  }
  picture::PlotOptions options;
  options.title = "How long a wish for another behavior waits";
  options.x_label = "seconds";
  options.y_label = "pairs of behaviors";
  return picture::to_svg(picture::line_plot(std::span(&pairs, 1), options));
}

std::string behaviors(const graph::GraphMeasures& m) {
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
  return out + "</table>\n" + waits(m);
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

}  // namespace

Result<std::string> report_page(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                                const graph::GraphMeasures& measures, const std::string& title,
                                const Progress& progress) {
  const auto closure_image = closure(graph, pairs);
  if (!closure_image) return fail_from(closure_image);
  const std::string name = picture::escape_markup(title);
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>{0}</title>\n{1}</head><body>\n<h1>{0}</h1>\n",
      name, kStyle);
  const auto section = [&](const char* heading, const char* note, const std::string& body) {
    page += fmt::format("<section><h2>{}</h2>\n<p class=\"note\">{}</p>\n{}</section>\n", heading, note, body);
  };
  section("The graph", "Every node reaches every other, so that a walk never has to end.", summary(graph, measures));
  section("Connectivity", "What other thresholds would keep of the motion. A higher one connects more and jumps more.",
          connectivity(graph, pairs, part_of(progress, 0, 0.5)));
  section("Time between frames", "How long the shortest way from one frame to another takes.", times(measures));
  section("Time between behaviors",
          "Seconds from a frame of the row to a frame of the column, on average; and how long a request for the row's "
          "behavior takes to be met.",
          behaviors(measures));
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
