// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/graph/connect/detail/way_graph.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kSixteenth = 16;  ///< of a factor

}  // namespace

std::uint32_t cost_of(float distance, double sigma, double smoothness) {
  const double rough = 1 - std::exp(-static_cast<double>(distance) / sigma);
  return to_whole<std::uint32_t>(std::round(kFrameCost * (1 + smoothness * rough)));
}

WayGraph make_way_graph(std::vector<std::uint8_t> goes_on, std::span<const Way> ways, double sigma, double smoothness) {
  WayGraph graph;
  graph.nodes = static_cast<std::uint32_t>(goes_on.size());
  graph.goes_on = std::move(goes_on);
  graph.first.assign(graph.nodes + std::size_t{1}, 0);
  graph.sources.resize(ways.size());
  graph.targets.resize(ways.size());
  graph.costs.resize(ways.size());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    ++graph.first[ways[w].from + std::size_t{1}];
    graph.sources[w] = ways[w].from;
    graph.targets[w] = ways[w].to;
    graph.costs[w] = cost_of(ways[w].distance, sigma, smoothness);
  }
  for (std::size_t n = 1; n < graph.first.size(); ++n) graph.first[n] += graph.first[n - 1];
  return graph;
}

WaySearch::WaySearch(const WayGraph& graph) : graph_(graph), reached_(graph.nodes) {
  for (const std::uint32_t cost : graph.costs) dearest_ = std::max(dearest_, cost);
}

template <typename Step>
void WaySearch::search(std::uint32_t source, const Step& step) {
  std::fill(reached_.begin(), reached_.end(), Reached{});
  const auto count = static_cast<std::uint32_t>(buckets_.size());
  reached_[source].cost = 0;
  buckets_[0].push_back(source);
  std::size_t waiting = 1;
  std::uint32_t at = 0;  // the bucket of cost `now`
  for (std::uint32_t now = 0; waiting > 0; ++now, at = at + 1 == count ? 0 : at + 1) {
    auto& bucket = buckets_[at];
    const auto reach = [&](std::uint32_t node, std::uint32_t by, std::uint32_t added) {
      const std::uint32_t cost = now + added;
      if (cost >= reached_[node].cost) return;
      reached_[node] = {cost, by};
      buckets_[at + added < count ? at + added : at + added - count].push_back(node);
      ++waiting;
    };
    for (const std::uint32_t node : bucket) {  // which grows by nothing: every step costs something
      if (reached_[node].cost != now) continue;
      if (graph_.goes_on[node] != 0) reach(node + 1, kWentOn, step(node + 1, kFrameCost));
      for (std::uint32_t w = graph_.first[node]; w < graph_.first[node + 1]; ++w) {
        reach(graph_.targets[w], w, step(graph_.targets[w], graph_.costs[w]));
      }
    }
    waiting -= bucket.size();
    bucket.clear();
  }
}

void WaySearch::run(std::uint32_t source, std::span<const std::uint8_t> kept, std::uint32_t factor) {
  const std::uint32_t dearest = kept.empty() ? dearest_ : dearest_ * factor / kSixteenth;
  buckets_.resize(std::max<std::size_t>(buckets_.size(), dearest + std::size_t{1}));
  if (kept.empty()) {
    search(source, [](std::uint32_t /*node*/, std::uint32_t cost) { return cost; });
  } else {
    search(source,
           [&](std::uint32_t node, std::uint32_t cost) { return kept[node] != 0 ? cost : cost * factor / kSixteenth; });
  }
}

}  // namespace loom::graph
