// SPDX-License-Identifier: MIT
#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/graph/distances.h>
#include <loom/graph/select/detail/layer.h>
#include <loom/graph/select/judge.h>
#include <loom/graph/select/select.h>

namespace loom::graph {
namespace {

using detail::kFar;
using detail::kNotAsked;
using detail::Layer;
using detail::Length;

/// The length of a step as a layer counts it.
Length step_length(const Layer& layer, float cost) { return layer.lengths_of({{}, {}, {cost}}).front(); }

/// Lengths from a node by Dijkstra's algorithm; steps as eq. 5.2 weighs them.
std::vector<std::uint32_t> smooth_lengths(const MotionGraph& graph, const Layer& layer, Node source) {
  std::vector<std::uint32_t> lengths(graph.nodes(), kUnreached);
  using Entry = std::pair<std::uint32_t, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  lengths[source] = 0;
  open.emplace(0, source);
  while (!open.empty()) {
    const auto [length, node] = open.top();
    open.pop();
    if (length != lengths[node]) continue;
    const auto go = [&, from = length](Node to, float cost) {
      const std::uint32_t next = from + step_length(layer, cost);
      if (next >= lengths[to]) return;
      lengths[to] = next;
      open.emplace(next, to);
    };
    if (graph.goes_on(node)) go(node + 1, 0);
    for (const Transition& transition : graph.transitions_of(node)) go(transition.to, transition.cost);
  }
  return lengths;
}

/// The lengths of all that is asked for in a layer, sources × targets, in a graph that `place` tells where the nodes of
/// the whole are.
std::vector<Length> lengths_in(const MotionGraph& graph, const Layer& layer, const auto& place,
                               SharedProgress* progress) {
  std::vector<Length> found(layer.wanted.size(), kFar);
  const FramesFrom frames(graph);
  parallel_for(layer.sources.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      if (progress != nullptr && !progress->goes_on()) return;
      const Node source = place(layer.sources[s]);
      const auto lengths = layer.smooth ? smooth_lengths(graph, layer, source) : frames.find({&source, 1});
      for (std::size_t t = 0; t < layer.targets.size(); ++t) {
        std::uint32_t least = kFar;
        for (const Node node : layer.targets[t]) least = std::min(least, lengths[place(node)]);
        found[layer.at(s, t)] = static_cast<Length>(least);
      }
      if (progress != nullptr) progress->one_done();
    }
  });
  return found;
}

void count(std::vector<std::uint64_t>& histogram, double length) {
  const auto bin = static_cast<std::size_t>(length);
  if (bin >= histogram.size()) histogram.resize(bin + 1);
  ++histogram[bin];
}

}  // namespace

struct SelectionJudge::Parts {
  const MotionGraph& graph;
  SelectionTask task;
  std::vector<Node> keys;
  std::vector<Layer> layers;  ///< with what the whole graph can do
};

SelectionJudge::SelectionJudge(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SelectionJudge::~SelectionJudge() = default;
SelectionJudge::SelectionJudge(SelectionJudge&&) noexcept = default;
SelectionJudge& SelectionJudge::operator=(SelectionJudge&&) noexcept = default;

Result<SelectionJudge> SelectionJudge::make(const MotionGraph& graph, const SelectionTask& task,
                                            const Progress& progress) {
  auto parts = std::make_unique<Parts>(Parts{graph, task, detail::key_frames(task), detail::make_layers(task)});
  double bytes = 0;
  std::size_t searches = 0;
  for (const Layer& layer : parts->layers) {
    bytes += 3.0 * sizeof(Length) * static_cast<double>(layer.wanted.size());
    searches += layer.sources.size();
  }
  if (const auto room = require_memory(bytes, fmt::format("judging ways between {} key frames", parts->keys.size()),
                                       "name fewer or shorter key motions", {"key"});
      !room) {
    return fail_from(room);
  }
  SharedProgress shared(progress, searches, "looking what the graph can do");
  for (Layer& layer : parts->layers) {
    layer.best = lengths_in(
        graph, layer, [](Node node) { return node; }, &shared);
    layer.limit = layer.wanted;
    for (std::size_t i = 0; i < layer.limit.size(); ++i) {
      if (layer.wanted[i] != kNotAsked) layer.limit[i] = std::max(layer.wanted[i], layer.best[i]);
    }
  }
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while looking what the graph can do");
  return SelectionJudge(std::move(parts));
}

Judgement SelectionJudge::judge(std::span<const Node> nodes) const {
  std::vector<Node> all(nodes.begin(), nodes.end());
  all.insert(all.end(), parts_->keys.begin(), parts_->keys.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const MotionGraph set = sub_graph(parts_->graph, all);
  const auto place = [&](Node node) {
    return static_cast<Node>(std::lower_bound(all.begin(), all.end(), node) - all.begin());
  };
  Judgement judgement;
  judgement.key_frames = parts_->keys.size();
  judgement.frames = all.size();
  judgement.edges = set.edges();
  const std::size_t motions = parts_->task.keys.size();
  std::vector<PairJudgement> pairs(motions * motions);
  double asked = 0, connected = 0, met = 0, sum = 0, best_sum = 0;
  for (const Layer& layer : parts_->layers) {
    const std::vector<Length> lengths = lengths_in(set, layer, place, nullptr);
    for (std::size_t s = 0; s < layer.sources.size(); ++s) {
      for (std::size_t t = 0; t < layer.targets.size(); ++t) {
        const std::size_t at = layer.at(s, t);
        if (layer.wanted[at] == kNotAsked) continue;
        PairJudgement& pair = pairs[layer.source_motion[s] * motions + layer.target_motion[t]];
        pair.from = layer.source_motion[s];
        pair.to = layer.target_motion[t];
        ++asked;
        ++pair.asked;
        if (layer.best[at] != kFar) {
          const double best = layer.told(layer.best[at]);
          pair.best_frames += best;
          best_sum += best;
          count(judgement.best_histogram, best);
          if (layer.wanted[at] > 0 && layer.best[at] > layer.wanted[at]) ++judgement.beyond;
        }
        if (lengths[at] == kFar) continue;
        const double length = layer.told(lengths[at]);
        ++connected;
        ++pair.connected;
        pair.mean_frames += length;
        sum += length;
        count(judgement.histogram, length);
        if (lengths[at] > layer.limit[at]) continue;
        ++met;
        ++pair.met;
      }
    }
  }
  if (asked > 0) {
    judgement.connected_share = connected / asked;
    judgement.satisfied_share = met / asked;
    judgement.best_frames = best_sum / asked;
  }
  if (connected > 0) judgement.mean_frames = sum / connected;
  std::erase_if(pairs, [](const PairJudgement& pair) { return pair.asked == 0; });
  for (PairJudgement& pair : pairs) {
    pair.best_frames /= static_cast<double>(pair.asked);
    if (pair.connected > 0) pair.mean_frames /= static_cast<double>(pair.connected);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const PairJudgement& a, const PairJudgement& b) {
    return a.share() != b.share() ? a.share() < b.share() : a.mean_frames > b.mean_frames;
  });
  judgement.pairs = std::move(pairs);
  return judgement;
}

}  // namespace loom::graph
