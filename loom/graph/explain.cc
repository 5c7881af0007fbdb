// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/graph/distances.h>
#include <loom/graph/explain.h>

namespace loom::graph {
namespace {

/// The frames that carry a label or belong to a clip, over all clips, pruned ones too.
std::vector<bool> select(const MotionGraph& graph, const FrameNumbers& numbers, const std::string& name) {
  std::vector<bool> selected(numbers.total());
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    const GraphClip& clip = graph.clips[c];
    const auto mark = [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < std::min<std::size_t>(end, clip.frames); ++f)
        selected[numbers.first(c) + f] = true;
    };
    if (clip.name == name || clip.title() == name) mark(0, clip.frames);
    for (const motion::Label& label : clip.labels) {
      if (label.name == name) mark(label.begin, label.end);
    }
  }
  return selected;
}

std::vector<std::string> all_labels(const MotionGraph& graph) {
  std::vector<std::string> names;
  for (const GraphClip& clip : graph.clips) {
    for (const motion::Label& label : clip.labels) names.push_back(label.name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::uint32_t> indices(const std::vector<bool>& selected) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < selected.size(); ++i) {
    if (selected[i]) result.push_back(i);
  }
  return result;
}

/// All steps there may be, recorded ones at distance 0, in compressed rows.
struct WeightedEdges {
  std::vector<std::uint32_t> first;
  std::vector<std::pair<std::uint32_t, float>> steps;  ///< where to, and how far
};

WeightedEdges all_steps(const FrameNumbers& numbers, std::span<const SimilarPair> pairs) {
  WeightedEdges edges{std::vector<std::uint32_t>(numbers.total() + 1), {}};
  const auto for_each_step = [&](const auto& visit) {
    for (std::uint32_t f = 0; f < numbers.total(); ++f) {
      if (numbers.goes_on(f)) visit(f, f + 1, 0.0f);
    }
    for (const SimilarPair& pair : pairs) {
      if (numbers.goes_on(pair.b)) visit(pair.a, pair.b + 1, pair.distance);
      if (numbers.goes_on(pair.a)) visit(pair.b, pair.a + 1, pair.distance);
    }
  };
  for_each_step([&](std::uint32_t from, std::uint32_t, float) { ++edges.first[from + 1]; });
  std::partial_sum(edges.first.begin(), edges.first.end(), edges.first.begin());
  edges.steps.resize(edges.first.back());
  std::vector<std::uint32_t> fill(edges.first.begin(), edges.first.end() - 1);
  for_each_step([&](std::uint32_t from, std::uint32_t to, float far) { edges.steps[fill[from]++] = {to, far}; });
  return edges;
}

class Explainer {
 public:
  Explainer(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::vector<bool>& from,
            const std::vector<bool>& to)
      : graph_(graph), numbers_(graph.clips), pairs_(pairs), from_(from), to_(to) {}

  void list_best(const ExplainOptions& options, Explanation& result) const;
  void find_quickest(Explanation& result) const;
  [[nodiscard]] double connects_at() const;

 private:
  [[nodiscard]] std::vector<RouteStretch> route(Node from, std::span<const std::uint32_t> frames) const;
  [[nodiscard]] bool is_node(std::uint32_t frame) const {
    const std::uint32_t clip = numbers_.clip_of(frame);
    return graph_.node_at(clip, frame - numbers_.first(clip)).has_value();
  }
  [[nodiscard]] std::vector<Node> nodes(const std::vector<bool>& selected) const;

  const MotionGraph& graph_;
  FrameNumbers numbers_;
  std::span<const SimilarPair> pairs_;
  const std::vector<bool>&from_, &to_;
};

void Explainer::list_best(const ExplainOptions& options, Explanation& result) const {
  std::vector<PossibleTransition> all;
  const auto consider = [&](std::uint32_t a, std::uint32_t b, float distance) {
    if (!numbers_.goes_on(b) || !from_[a] || !to_[b + 1]) return;
    const std::uint32_t from_clip = numbers_.clip_of(a), to_clip = numbers_.clip_of(b);
    const auto s = static_cast<double>(distance);
    all.push_back({from_clip, a - numbers_.first(from_clip), to_clip, b + 1 - numbers_.first(to_clip), s,
                   1 - std::exp(-s / graph_.sigma), s <= graph_.threshold && is_node(a) && is_node(b + 1)});
  };
  for (const SimilarPair& pair : pairs_) {
    consider(pair.a, pair.b, pair.distance);
    consider(pair.b, pair.a, pair.distance);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.distance < y.distance; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> listed;
  for (const PossibleTransition& t : all) {
    if (result.best.size() == options.best) break;
    if (++listed[{t.from_clip, t.to_clip}] <= options.of_one_pair) result.best.push_back(t);
  }
}

std::vector<Node> Explainer::nodes(const std::vector<bool>& selected) const {
  std::vector<Node> result;
  for (Node n = 0; n < graph_.nodes(); ++n) {
    if (selected[numbers_.first(graph_.clip_of(n)) + graph_.frame_of(n)]) result.push_back(n);
  }
  return result;
}

void Explainer::find_quickest(Explanation& result) const {
  const std::vector<Node> from = nodes(from_), to = nodes(to_);
  if (from.empty() || to.empty()) return;
  const std::vector<std::uint32_t> frames = frames_to(graph_, to);
  std::uint32_t quickest = kUnreached;
  double sum = 0;
  Node nearest = from.front();
  for (const Node n : from) {
    if (frames[n] < frames[nearest]) nearest = n;
    quickest = std::min(quickest, frames[n]);
    sum += frames[n];
  }
  result.connected = quickest != kUnreached;
  result.quickest_s = quickest / graph_.rate;
  result.mean_s = sum / static_cast<double>(from.size()) / graph_.rate;
  if (result.connected) result.route = route(nearest, frames);
}

/// Goes from node to node, each a frame nearer than the one before, by what was recorded where that is as near.
std::vector<RouteStretch> Explainer::route(Node from, std::span<const std::uint32_t> frames) const {
  std::vector<RouteStretch> stretches = {{graph_.clip_of(from), graph_.frame_of(from), graph_.frame_of(from)}};
  for (Node at = from; frames[at] > 0;) {
    const std::uint32_t wanted = frames[at] - 1;
    if (graph_.goes_on(at) && frames[at + 1] == wanted) {
      ++at;
      ++stretches.back().to;
      continue;
    }
    const auto ways = graph_.transitions_of(at);
    const auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& t) { return frames[t.to] == wanted; });
    if (way == ways.end()) break;  // cannot be: something makes it one frame nearer
    at = way->to;
    stretches.push_back({graph_.clip_of(at), graph_.frame_of(at), graph_.frame_of(at)});
  }
  return stretches;
}

/// The smallest worst step of all ways from `from` to `to`: as Dijkstra's search, with the worst step so far in place
/// of the sum. One pass over the edges instead of one for every threshold tried.
double Explainer::connects_at() const {
  const WeightedEdges edges = all_steps(numbers_, pairs_);
  std::vector<float> worst(numbers_.total(), std::numeric_limits<float>::infinity());
  using Entry = std::pair<float, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const std::uint32_t f : indices(from_)) {
    worst[f] = 0;
    open.emplace(0.0f, f);
  }
  while (!open.empty()) {
    const auto [at, f] = open.top();
    open.pop();
    if (at > worst[f]) continue;
    if (to_[f]) return static_cast<double>(at);
    for (std::uint32_t e = edges.first[f]; e < edges.first[f + 1]; ++e) {
      const auto [target, distance] = edges.steps[e];
      const float through = std::max(at, distance);
      if (through >= worst[target]) continue;
      worst[target] = through;
      open.emplace(through, target);
    }
  }
  return -1;
}

}  // namespace

Result<Explanation> explain(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& from,
                            const std::string& to, const ExplainOptions& options) {
  const FrameNumbers numbers(graph.clips);
  const std::vector<bool> from_frames = select(graph, numbers, from), to_frames = select(graph, numbers, to);
  for (const auto& [name, frames] : {std::pair{from, &from_frames}, std::pair{to, &to_frames}}) {
    if (std::find(frames->begin(), frames->end(), true) != frames->end()) continue;
    const std::vector<std::string> known = all_labels(graph);
    return fail(fmt::format("'{}' is neither a label nor a clip of this graph; its labels are: {}", name,
                            known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
  Explanation result;
  result.from = from;
  result.to = to;
  const Explainer explainer(graph, pairs, from_frames, to_frames);
  explainer.list_best(options, result);
  explainer.find_quickest(result);
  result.connects_at = explainer.connects_at();
  return result;
}

}  // namespace loom::graph
