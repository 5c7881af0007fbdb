// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
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

void add(const Tally& from, Tally& to) {
  to.frames += from.frames;
  to.pairs += from.pairs;
  if (to.by_frames.size() < from.by_frames.size()) to.by_frames.resize(from.by_frames.size());
  for (std::size_t i = 0; i < from.by_frames.size(); ++i) to.by_frames[i] += from.by_frames[i];
  for (std::size_t i = 0; i < from.between_frames.size(); ++i) {
    to.between_frames[i] += from.between_frames[i];
    to.between_pairs[i] += from.between_pairs[i];
  }
}

/// Nodes of each behavior, and behaviors of each node as bits of a row.
struct Behaviors {
  std::vector<std::string> names;
  std::vector<std::vector<Node>> nodes;
  std::vector<std::vector<bool>> has;
};

Behaviors find_behaviors(const MotionGraph& graph) {
  Behaviors behaviors{graph.labels(), {}, {}};
  for (const std::string& name : behaviors.names) {
    behaviors.nodes.push_back(graph.nodes_labelled(name));
    behaviors.has.emplace_back(graph.nodes());
    for (const Node n : behaviors.nodes.back()) behaviors.has.back()[n] = true;
  }
  return behaviors;
}

Tally search_from(const FramesFrom& edges, const Behaviors& behaviors, Node source) {
  const std::size_t count = behaviors.names.size();
  Tally tally{0, 0, {}, std::vector<double>(count * count), std::vector<std::uint64_t>(count * count)};
  const Node sources[] = {source};
  const std::vector<std::uint32_t> frames = edges.find(sources);
  for (Node n = 0; n < frames.size(); ++n) {
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

/// Evenly spaced nodes; and of every behavior too small to be met that way, some of its own.
std::vector<Node> choose_sources(const MotionGraph& graph, const Behaviors& behaviors, std::size_t most) {
  std::vector<Node> sources;
  const auto take_evenly = [&](std::size_t count, std::size_t wanted, const auto& node_at) {
    const std::size_t step = std::max<std::size_t>(1, (count + wanted - 1) / std::max<std::size_t>(1, wanted));
    for (std::size_t i = 0; i < count; i += step) sources.push_back(node_at(i));
  };
  take_evenly(graph.nodes(), most, [](std::size_t i) { return static_cast<Node>(i); });
  constexpr std::size_t kOfEachBehavior = 16;
  for (const auto& nodes : behaviors.nodes) {
    take_evenly(nodes.size(), kOfEachBehavior, [&](std::size_t i) { return nodes[i]; });
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

/// The runs of nodes between two places where a walk may choose, as [first, last].
std::vector<std::pair<Node, Node>> segments_of(const MotionGraph& graph) {
  std::vector<std::pair<Node, Node>> segments;
  for (Node n = 0, begin = 0; n < graph.nodes(); ++n) {
    if (graph.goes_on(n) && graph.transitions_of(n).empty()) continue;
    segments.emplace_back(begin, n);
    begin = n + 1;
  }
  return segments;
}

}  // namespace

GraphMeasures measure(const MotionGraph& graph, const MeasureOptions& options, const Progress& progress) {
  GraphMeasures result;
  for (const GraphClip& clip : graph.clips) result.frames += clip.frames;
  result.nodes = graph.nodes();
  result.edges = graph.edges();
  result.transitions = graph.transitions.size();
  result.component_share =
      result.frames > 0 ? static_cast<double>(result.nodes) / static_cast<double>(result.frames) : 0;
  result.memory_bytes = graph.memory();
  result.mean_transition_s = result.local_maneuverability_s = kUndefined;
  if (graph.nodes() == 0) return result;

  const Behaviors behaviors = find_behaviors(graph);
  const std::size_t count = behaviors.names.size();
  const std::vector<Node> sources = choose_sources(graph, behaviors, options.max_sources);
  std::vector<std::optional<Tally>> tallies(sources.size());
  const FramesFrom edges(graph);
  SharedProgress telling(progress, sources.size(), "measuring the graph");
  parallel_for(sources.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && telling.goes_on(); ++i) {
      tallies[i] = search_from(edges, behaviors, sources[i]);
      telling.one_done();
    }
  });
  Tally total{0, 0, {}, std::vector<double>(count * count), std::vector<std::uint64_t>(count * count)};
  for (const auto& tally : tallies) {
    if (!tally) continue;
    add(*tally, total);
    ++result.sources;
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

  const FramesTo frames_to_targets(graph);
  const auto segments = segments_of(graph);
  for (const auto& nodes : behaviors.nodes) {
    const std::vector<std::uint32_t> frames = frames_to_targets.find(nodes);
    double sum = 0;
    for (const auto& [begin, end] : segments) {
      sum += frames[end] == kUnreached ? kUndefined : 0.5 * (end - begin + 1) + frames[end];
    }
    result.maneuverability_s.push_back(mean(sum, segments.size()) / graph.rate);
  }
  const double sum = std::accumulate(result.maneuverability_s.begin(), result.maneuverability_s.end(), 0.0);
  result.local_maneuverability_s = mean(sum, count);
  return result;
}

std::string told_seconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.2f}", seconds) : std::string("undefined");
}

std::vector<std::uint8_t> closure_picture(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                          std::size_t size) {
  const FrameNumbers numbers(graph.clips);
  const FrameGraph edges = frame_graph(numbers, pairs, graph.threshold);
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
