// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/base/whole.h>
#include <loom/graph/distances.h>
#include <loom/graph/measures.h>

namespace loom::graph {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double mean(double sum, std::uint64_t count) { return count > 0 ? sum / static_cast<double>(count) : kUndefined; }

/// What searches from some sources found, to be added up.
struct Tally {
  double frames = 0;
  std::uint64_t pairs = 0;
  std::vector<std::uint64_t> by_frames;  ///< pairs by shortest time in frames
  std::vector<double> between_frames;    ///< behaviors × behaviors
  std::vector<std::uint64_t> between_pairs;
};

/// Adds what was found from a source: to the times between all frames only where it stands for them evenly.
void add(const Tally& from, bool evenly, Tally& to) {
  for (std::size_t i = 0; i < from.between_frames.size(); ++i) {
    to.between_frames[i] += from.between_frames[i];
    to.between_pairs[i] += from.between_pairs[i];
  }
  if (!evenly) return;
  to.frames += from.frames;
  to.pairs += from.pairs;
  if (to.by_frames.size() < from.by_frames.size()) to.by_frames.resize(from.by_frames.size());
  for (std::size_t i = 0; i < from.by_frames.size(); ++i) to.by_frames[i] += from.by_frames[i];
}

/// Recorded nodes of each behavior, and behaviors of each of them as bits of a row. What lies between recorded motions
/// is there to be passed through: times are between what was recorded (Zhao 2009 §4.2.4).
struct Behaviors {
  Node recorded = 0;  ///< nodes
  std::vector<std::string> names;
  std::vector<std::vector<Node>> nodes;
  std::vector<std::vector<bool>> has;
};

Behaviors find_behaviors(const MotionGraph& graph) {
  Behaviors behaviors{graph.recorded_nodes(), graph.labels(), {}, {}};
  for (const std::string& name : behaviors.names) {
    behaviors.nodes.push_back(graph.nodes_labelled(name));
    std::erase_if(behaviors.nodes.back(), [&](Node n) { return n >= behaviors.recorded; });
    behaviors.has.emplace_back(behaviors.recorded);
    for (const Node n : behaviors.nodes.back()) behaviors.has.back()[n] = true;
  }
  return behaviors;
}

Tally search_from(const FramesFrom& edges, const Behaviors& behaviors, Node source) {
  const std::size_t count = behaviors.names.size();
  Tally tally{0, 0, {}, std::vector<double>(count * count), std::vector<std::uint64_t>(count * count)};
  const Node sources[] = {source};
  const std::vector<std::uint32_t> frames = edges.find(sources);
  for (Node n = 0; n < behaviors.recorded; ++n) {
    if (n == source || frames[n] == kUnreached) continue;
    tally.frames += frames[n];
    ++tally.pairs;
    if (tally.by_frames.size() <= frames[n]) tally.by_frames.resize(frames[n] + 1);
    ++tally.by_frames[frames[n]];
  }
  for (std::size_t row = 0; row < count; ++row) {
    if (!behaviors.has[row][source]) continue;
    for (std::size_t column = 0; column < count; ++column) {
      for (const Node n : behaviors.nodes[column]) {
        if (frames[n] == kUnreached) continue;
        tally.between_frames[row * count + column] += frames[n];
        ++tally.between_pairs[row * count + column];
      }
    }
  }
  return tally;
}

/// A node to search from.
struct Source {
  Node node = 0;
  bool evenly = false;  ///< chosen for its place among all nodes, and not for what it does
};

/// Evenly spaced nodes; and of every behavior too small to be met that way, some of its own.
std::vector<Source> choose_sources(const Behaviors& behaviors, std::size_t most) {
  std::vector<Source> sources;
  bool evenly = true;
  const auto take_evenly = [&](std::size_t count, std::size_t wanted, const auto& node_at) {
    const std::size_t step = std::max<std::size_t>(1, (count + wanted - 1) / std::max<std::size_t>(1, wanted));
    for (std::size_t i = 0; i < count; i += step) sources.push_back({node_at(i), evenly});
  };
  take_evenly(behaviors.recorded, most, [](std::size_t i) { return static_cast<Node>(i); });
  evenly = false;
  constexpr std::size_t kOfEachBehavior = 16;
  for (const auto& nodes : behaviors.nodes) {
    take_evenly(nodes.size(), kOfEachBehavior, [&](std::size_t i) { return nodes[i]; });
  }
  std::sort(sources.begin(), sources.end(),
            [](Source a, Source b) { return a.node != b.node ? a.node < b.node : a.evenly && !b.evenly; });
  const auto same = [](Source a, Source b) { return a.node == b.node; };
  sources.erase(std::unique(sources.begin(), sources.end(), same), sources.end());
  return sources;
}

/// The runs of recorded nodes between two places where a walk may choose, as [first, last].
std::vector<std::pair<Node, Node>> segments_of(const MotionGraph& graph) {
  std::vector<std::pair<Node, Node>> segments;
  const Node recorded = graph.recorded_nodes();
  for (Node n = 0, begin = 0; n < recorded; ++n) {
    if (graph.goes_on(n) && graph.transitions_of(n).empty()) continue;
    segments.emplace_back(begin, n);
    begin = n + 1;
  }
  return segments;
}

/// The labels of all clips a graph was built from, less those in it.
std::vector<std::string> missing_behaviors(const MotionGraph& graph, const std::vector<std::string>& in_it) {
  std::set<std::string> names;
  for (const GraphClip& clip : graph.clips) {
    for (const motion::Label& label : clip.labels) names.insert(label.name);
  }
  for (const std::string& name : in_it) names.erase(name);
  return {names.begin(), names.end()};
}

/// Eq. 4.1 and 4.2, over all segments and over those that end in each behavior.
void measure_maneuverability(const MotionGraph& graph, const Behaviors& behaviors, GraphMeasures& result) {
  const FramesTo frames_to_targets(graph);
  const auto segments = segments_of(graph);
  const std::size_t count = behaviors.names.size();
  result.maneuverability_between_s.assign(count * count, kUndefined);
  for (std::size_t column = 0; column < count; ++column) {
    const std::vector<std::uint32_t> frames = frames_to_targets.find(behaviors.nodes[column]);
    double sum = 0;
    std::vector<double> from_sum(count);
    std::vector<std::uint64_t> from_segments(count);
    for (const auto& [begin, end] : segments) {
      const double waits = frames[end] == kUnreached ? kUndefined : 0.5 * (end - begin + 1) + frames[end];
      sum += waits;
      for (std::size_t row = 0; row < count; ++row) {
        if (!behaviors.has[row][end]) continue;
        from_sum[row] += waits;
        ++from_segments[row];
      }
    }
    result.maneuverability_s.push_back(mean(sum, segments.size()) / graph.rate);
    for (std::size_t row = 0; row < count; ++row) {
      const double seconds = mean(from_sum[row], from_segments[row]) / graph.rate;
      result.maneuverability_between_s[row * count + column] = seconds;
      if (row == column || !std::isfinite(seconds)) continue;
      const auto bin = to_whole<std::size_t>(std::floor(seconds / GraphMeasures::kHistogramBin));
      if (result.maneuverability_histogram.size() <= bin) result.maneuverability_histogram.resize(bin + 1);
      ++result.maneuverability_histogram[bin];
    }
  }
  const double sum = std::accumulate(result.maneuverability_s.begin(), result.maneuverability_s.end(), 0.0);
  result.local_maneuverability_s = result.missing.empty() ? mean(sum, count) : kUndefined;
}

/// Edges that say that recorded frames of a graph reach each other, which may be by motion between them; beside those
/// there are.
FrameGraph with_component(const FrameGraph& edges, const MotionGraph& graph, const FrameNumbers& numbers) {
  if (graph.recorded_clips() == graph.clips.size()) return edges;
  std::vector<std::uint32_t> inside;
  for (Node n = 0; n < graph.recorded_nodes(); ++n) {
    inside.push_back(numbers.first(graph.clip_of(n)) + graph.frame_of(n));
  }
  std::vector<std::uint32_t> next(numbers.total(), kUnreached);
  for (std::size_t i = 0; i < inside.size(); ++i) next[inside[i]] = inside[(i + 1) % inside.size()];
  FrameGraph all{{0}, {}};
  for (std::uint32_t f = 0; f < numbers.total(); ++f) {
    all.targets.insert(all.targets.end(), edges.targets.begin() + edges.first[f],
                       edges.targets.begin() + edges.first[f + 1]);
    if (next[f] != kUnreached) all.targets.push_back(next[f]);
    all.first.push_back(static_cast<std::uint32_t>(all.targets.size()));
  }
  return all;
}

}  // namespace

GraphMeasures measure(const MotionGraph& graph, const MeasureOptions& options, const Progress& progress) {
  GraphMeasures result;
  for (const GraphClip& clip : graph.clips) result.frames += clip.mix ? 0 : clip.frames;
  result.nodes = graph.nodes();
  result.recorded_nodes = graph.recorded_nodes();
  result.edges = graph.edges();
  result.transitions = graph.transitions.size();
  result.component_share =
      result.frames > 0 ? static_cast<double>(result.recorded_nodes) / static_cast<double>(result.frames) : 0;
  result.memory_bytes = graph.memory();
  result.mean_transition_s = result.local_maneuverability_s = kUndefined;
  if (graph.nodes() == 0) return result;

  const Behaviors behaviors = find_behaviors(graph);
  const std::size_t count = behaviors.names.size();
  const std::vector<Source> sources = choose_sources(behaviors, options.max_sources);
  std::vector<std::optional<Tally>> tallies(sources.size());
  const FramesFrom edges(graph);
  SharedProgress telling(progress, sources.size(), "measuring the graph");
  parallel_for(sources.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && telling.goes_on(); ++i) {
      tallies[i] = search_from(edges, behaviors, sources[i].node);
      telling.one_done();
    }
  });
  Tally total{0, 0, {}, std::vector<double>(count * count), std::vector<std::uint64_t>(count * count)};
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    if (!tallies[i]) continue;
    add(*tallies[i], sources[i].evenly, total);
    if (sources[i].evenly) ++result.sources;
  }
  result.mean_transition_s = mean(total.frames, total.pairs) / graph.rate;
  for (std::size_t frames = 0; frames < total.by_frames.size(); ++frames) {
    const auto bin = static_cast<std::size_t>(static_cast<double>(frames) / graph.rate / GraphMeasures::kHistogramBin);
    if (result.histogram.size() <= bin) result.histogram.resize(bin + 1);
    result.histogram[bin] += total.by_frames[frames];
  }
  result.behaviors = behaviors.names;
  result.between_s.assign(count * count, 0);
  for (std::size_t i = 0; i < count * count; ++i) {
    const bool same = i / count == i % count;  // staying where one is takes no time (table 4.4)
    if (!same) result.between_s[i] = mean(total.between_frames[i], total.between_pairs[i]) / graph.rate;
  }

  result.missing = missing_behaviors(graph, behaviors.names);
  measure_maneuverability(graph, behaviors, result);
  return result;
}

std::string told_seconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.2f}", seconds) : std::string("undefined");
}

std::vector<std::uint8_t> closure_picture(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                          std::size_t size) {
  const FrameNumbers numbers(std::span(graph.clips).first(graph.recorded_clips()));
  const FrameGraph edges = with_component(frame_graph(numbers, pairs, graph.threshold), graph, numbers);
  const std::size_t side = std::min<std::size_t>(size, numbers.total());
  std::vector<std::uint8_t> pixels(side * side);
  const auto frame_at = [&](std::size_t i) { return static_cast<std::uint32_t>(i * numbers.total() / side); };
  const Components components = find_components(edges.view());
  const FrameGraph between = condensed(edges.view(), components);
  parallel_for(side, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::vector<bool> reached = reachable(between.view(), {components.of[frame_at(row)]});
      for (std::size_t column = 0; column < side; ++column) {
        pixels[row * side + column] = reached[components.of[frame_at(column)]] ? 255 : 0;
      }
    }
  });
  return pixels;
}

}  // namespace loom::graph
