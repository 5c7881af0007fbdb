// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/graph/prune.h>

namespace loom::graph {
namespace {

constexpr std::size_t kLadder = 24;  ///< thresholds tried when asking at which a lost clip would be in

/// Calls `visit(from, to, pair)` for the two transitions of every pair under the threshold that lead somewhere.
template <typename Visit>
void for_each_transition(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold,
                         const Visit& visit) {
  for (const SimilarPair& pair : pairs) {
    if (static_cast<double>(pair.distance) > threshold) continue;
    if (numbers.goes_on(pair.b)) visit(pair.a, pair.b + 1, pair, false);
    if (numbers.goes_on(pair.a)) visit(pair.b, pair.a + 1, pair, true);
  }
}

/// Which frames are in the largest component; none when it is a single frame, which is no cycle.
std::vector<bool> largest_component(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold) {
  const FrameGraph edges = frame_graph(numbers, pairs, threshold);
  const Components components = find_components(edges.view());
  std::vector<bool> inside(numbers.total());
  if (inside.empty() || components.size[components.largest] < 2) return inside;
  for (std::uint32_t f = 0; f < numbers.total(); ++f) inside[f] = components.of[f] == components.largest;
  return inside;
}

}  // namespace

FrameNumbers::FrameNumbers(std::span<const GraphClip> clips) : first_{0} {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    first_.push_back(first_.back() + clips[c].frames);
    clip_of_.insert(clip_of_.end(), clips[c].frames, static_cast<std::uint32_t>(c));
  }
}

FrameGraph frame_graph(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold) {
  FrameGraph graph;
  graph.first.assign(numbers.total() + 1, 0);
  for (std::uint32_t f = 0; f < numbers.total(); ++f) graph.first[f + 1] = numbers.goes_on(f) ? 1 : 0;
  for_each_transition(numbers, pairs, threshold,
                      [&](std::uint32_t from, std::uint32_t, const SimilarPair&, bool) { ++graph.first[from + 1]; });
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.targets.resize(graph.first.back());
  std::vector<std::uint32_t> fill(graph.first.begin(), graph.first.end() - 1);
  for (std::uint32_t f = 0; f < numbers.total(); ++f) {
    if (numbers.goes_on(f)) graph.targets[fill[f]++] = f + 1;
  }
  for_each_transition(numbers, pairs, threshold, [&](std::uint32_t from, std::uint32_t to, const SimilarPair&, bool) {
    graph.targets[fill[from]++] = to;
  });
  return graph;
}

FrameGraph reversed(EdgesView edges) {
  const std::size_t count = edges.first.size() - 1;
  FrameGraph result{std::vector<std::uint32_t>(count + 1), std::vector<std::uint32_t>(edges.targets.size())};
  for (const std::uint32_t t : edges.targets) ++result.first[t + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  std::vector<std::uint32_t> fill(result.first.begin(), result.first.end() - 1);
  for (std::uint32_t f = 0; f < count; ++f) {
    for (std::uint32_t e = edges.first[f]; e < edges.first[f + 1]; ++e) result.targets[fill[edges.targets[e]]++] = f;
  }
  return result;
}

FrameGraph condensed(EdgesView edges, const Components& components) {
  FrameGraph result{std::vector<std::uint32_t>(components.size.size() + 1), {}};
  const auto for_each_edge = [&](const auto& visit) {
    for (std::uint32_t f = 0; f + 1 < edges.first.size(); ++f) {
      for (std::uint32_t e = edges.first[f]; e < edges.first[f + 1]; ++e) {
        const std::uint32_t from = components.of[f], to = components.of[edges.targets[e]];
        if (from != to) visit(from, to);
      }
    }
  };
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++result.first[from + 1]; });
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.targets.resize(result.first.back());
  std::vector<std::uint32_t> fill(result.first.begin(), result.first.end() - 1);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) { result.targets[fill[from]++] = to; });
  return result;
}

std::vector<bool> reachable(EdgesView edges, std::vector<std::uint32_t> start) {
  std::vector<bool> seen(edges.first.size() - 1);
  for (const std::uint32_t f : start) seen[f] = true;
  while (!start.empty()) {
    const std::uint32_t f = start.back();
    start.pop_back();
    for (std::uint32_t e = edges.first[f]; e < edges.first[f + 1]; ++e) {
      if (seen[edges.targets[e]]) continue;
      seen[edges.targets[e]] = true;
      start.push_back(edges.targets[e]);
    }
  }
  return seen;
}

double component_share(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold) {
  if (numbers.total() == 0) return 0;
  const std::vector<bool> inside = largest_component(numbers, pairs, threshold);
  return static_cast<double>(std::count(inside.begin(), inside.end(), true)) / numbers.total();
}

std::vector<double> component_shares(const FrameNumbers& numbers, std::span<const SimilarPair> pairs,
                                     std::span<const double> thresholds, const Progress& progress) {
  std::vector<double> shares(thresholds.size());
  SharedProgress telling(progress, thresholds.size(), "trying other thresholds");
  parallel_for(thresholds.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && telling.goes_on(); ++i) {
      shares[i] = component_share(numbers, pairs, thresholds[i]);
      telling.one_done();
    }
  });
  return shares;
}

double threshold_for_share(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double share) {
  std::vector<float> distances;
  distances.reserve(pairs.size());
  for (const SimilarPair& pair : pairs) distances.push_back(pair.distance);
  std::sort(distances.begin(), distances.end());
  distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
  if (distances.empty()) return 0;
  // The share grows with the threshold, so that the smallest sufficient one is found by halving.
  std::size_t low = 0, high = distances.size() - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (component_share(numbers, pairs, static_cast<double>(distances[middle])) >= share) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<double>(distances[low]);
}

MotionGraph prune(std::vector<GraphClip> clips, std::span<const SimilarPair> pairs, double threshold, double sigma,
                  double rate, const std::function<motion::GroundFrame(std::uint32_t a, std::uint32_t b)>& align) {
  const FrameNumbers numbers(clips);
  const std::vector<bool> inside = largest_component(numbers, pairs, threshold);
  MotionGraph graph{rate, threshold, sigma, std::move(clips), {}, {}, {}, {}};
  for (std::uint32_t c = 0; c < graph.clips.size(); ++c) {
    const auto begin = inside.begin() + numbers.first(c), end = begin + graph.clips[c].frames;
    const auto from = std::find(begin, end, true);
    graph.add_run(c, static_cast<std::uint32_t>(from - begin),
                  static_cast<std::uint32_t>(std::find(from, end, false) - begin));
  }
  const auto node_of = [&](std::uint32_t frame) {  // one run a clip, so that they have the same numbers
    const std::uint32_t clip = numbers.clip_of(frame);
    return graph.runs[clip].node_at(frame - numbers.first(clip));
  };
  struct Found {
    Node from;
    Transition transition;
  };
  std::vector<Found> found;
  for_each_transition(numbers, pairs, threshold,
                      [&](std::uint32_t from, std::uint32_t to, const SimilarPair& pair, bool backwards) {
                        if (!inside[from] || !inside[to]) return;
                        const auto distance = static_cast<double>(pair.distance);
                        const auto cost = static_cast<float>(1 - std::exp(-distance / sigma));
                        const motion::GroundFrame frame = backwards ? align(pair.b, pair.a) : align(pair.a, pair.b);
                        found.push_back({node_of(from), {node_of(to), pair.distance, cost, frame}});
                      });
  std::sort(found.begin(), found.end(), [](const Found& x, const Found& y) {
    return std::tie(x.from, x.transition.distance, x.transition.to) <
           std::tie(y.from, y.transition.distance, y.transition.to);
  });
  graph.first.assign(graph.nodes() + 1, 0);
  for (const Found& f : found) {
    ++graph.first[f.from + 1];
    graph.transitions.push_back(f.transition);
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  return graph;
}

std::vector<LostClip> explain_losses(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                     const Progress& progress) {
  const FrameNumbers numbers(graph.clips);
  const FrameGraph forwards = frame_graph(numbers, pairs, graph.threshold), backwards = reversed(forwards.view());
  std::vector<std::uint32_t> core;
  for (const Run& run : graph.runs) {
    for (std::uint32_t f = run.begin; f < run.end; ++f) core.push_back(numbers.first(run.clip) + f);
  }
  const std::vector<bool> entered = reachable(forwards.view(), core), left = reachable(backwards.view(), core);

  std::vector<LostClip> lost;
  for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
    const GraphClip& clip = graph.clips[c];
    const std::span<const Run> runs = graph.runs_of(c);
    std::uint32_t kept = 0;
    for (const Run& run : runs) kept += run.frames();
    if (kept == clip.frames) continue;
    LostClip entry{c, clip.frames - kept, {}, -1};
    if (kept > 0) {
      entry.joins_at = graph.threshold;
      entry.reason =
          fmt::format("only frames {} to {} can be both reached and left", runs.front().begin, runs.back().end);
    } else {
      bool can_enter = false, can_leave = false;
      for (std::uint32_t f = numbers.first(c); f < numbers.first(c) + clip.frames; ++f) {
        can_enter = can_enter || entered[f];
        can_leave = can_leave || left[f];
      }
      entry.reason = can_enter && can_leave ? "it can be entered only after the last frame from which it can be left"
                     : can_enter            ? "it can be entered but not left"
                     : can_leave            ? "it can be left but not entered"
                                            : "no frame of it is similar enough to any of the graph";
    }
    lost.push_back(std::move(entry));
  }

  double farthest = graph.threshold;
  for (const SimilarPair& pair : pairs) farthest = std::max(farthest, static_cast<double>(pair.distance));
  const std::size_t steps = farthest > graph.threshold ? kLadder : 0;
  const auto threshold_at = [&](std::size_t step) {
    return graph.threshold *
           std::pow(farthest / std::max(graph.threshold, 1e-9), static_cast<double>(step + 1) / kLadder);
  };
  std::vector<std::vector<bool>> inside(steps);  // which frames are in the graph, at each threshold
  SharedProgress telling(progress, steps, "looking for lost motion");
  parallel_for(steps, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && telling.goes_on(); ++i) {
      inside[i] = largest_component(numbers, pairs, threshold_at(i));
      telling.one_done();
    }
  });
  for (LostClip& entry : lost) {
    for (std::size_t i = 0; i < steps && entry.joins_at < 0; ++i) {
      if (inside[i].empty()) continue;
      const auto begin = inside[i].begin() + numbers.first(entry.clip);
      const auto end = begin + graph.clips[entry.clip].frames;
      if (std::find(begin, end, true) != end) entry.joins_at = threshold_at(i);
    }
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [](const LostClip& x, const LostClip& y) { return x.frames_lost > y.frames_lost; });
  return lost;
}

}  // namespace loom::graph
