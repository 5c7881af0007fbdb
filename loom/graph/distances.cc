// SPDX-License-Identifier: MIT
#include <numeric>

#include <loom/graph/distances.h>

namespace loom::graph {
namespace {

/// Breadth first: `for_each_next(node, visit)` calls `visit` with every node one step on.
template <typename ForEachNext>
std::vector<std::uint32_t> spread(std::size_t nodes, std::span<const Node> start, const ForEachNext& for_each_next) {
  std::vector<std::uint32_t> frames(nodes, kUnreached);
  std::vector<Node> now, later;
  for (const Node n : start) {
    if (frames[n] == 0) continue;
    frames[n] = 0;
    now.push_back(n);
  }
  for (std::uint32_t step = 1; !now.empty(); ++step) {
    later.clear();
    for (const Node n : now) {
      for_each_next(n, [&](Node next) {
        if (frames[next] != kUnreached) return;
        frames[next] = step;
        later.push_back(next);
      });
    }
    now.swap(later);
  }
  return frames;
}

template <typename Visit>
void for_each_step(const MotionGraph& graph, Node n, const Visit& visit) {
  if (graph.goes_on(n)) visit(n + 1);
  for (const Transition& t : graph.transitions_of(n)) visit(t.to);
}

}  // namespace

std::vector<std::uint32_t> frames_to(const MotionGraph& graph, std::span<const Node> targets) {
  return FramesTo(graph).find(targets);
}

FramesFrom::FramesFrom(const MotionGraph& graph) : first_{0} {
  first_.reserve(graph.nodes() + 1);
  targets_.reserve(graph.edges());
  for (Node n = 0; n < graph.nodes(); ++n) {
    for_each_step(graph, n, [&](Node to) { targets_.push_back(to); });
    first_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
}

std::vector<std::uint32_t> FramesFrom::find(std::span<const Node> sources) const {
  return spread(first_.size() - 1, sources, [&](Node n, const auto& visit) {
    for (std::uint32_t e = first_[n]; e < first_[n + 1]; ++e) visit(targets_[e]);
  });
}

FramesTo::FramesTo(const MotionGraph& graph) : first_(graph.nodes() + 1) {
  for (Node n = 0; n < graph.nodes(); ++n) for_each_step(graph, n, [&](Node to) { ++first_[to + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  sources_.resize(first_.back());
  std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
  for (Node n = 0; n < graph.nodes(); ++n) for_each_step(graph, n, [&](Node to) { sources_[fill[to]++] = n; });
}

std::vector<std::uint32_t> FramesTo::find(std::span<const Node> targets) const {
  return spread(first_.size() - 1, targets, [&](Node n, const auto& visit) {
    for (std::uint32_t e = first_[n]; e < first_[n + 1]; ++e) visit(sources_[e]);
  });
}

}  // namespace loom::graph
