// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <loom/graph/connect/detail/way_trees.h>

namespace loom::graph {
namespace {

/// More than any way costs, and little enough to be added to.
constexpr std::uint32_t kUnreached = 1u << 30;
/// As wide as the cheapest step.
constexpr std::uint32_t kBucket = kFrameCost;
constexpr std::uint32_t kNotWaiting = ~std::uint32_t{0};
/// Frames that sources may be apart to be taken for one after the other.
constexpr std::uint32_t kFarApart = 4096;

}  // namespace

WaysInto::WaysInto(const WayGraph& graph) : first(graph.nodes + std::size_t{1}, 0), ways(graph.targets.size()) {
  std::iota(ways.begin(), ways.end(), 0u);
  std::sort(ways.begin(), ways.end(), [&](std::uint32_t x, std::uint32_t y) {
    return std::tie(graph.targets[x], graph.costs[x], x) < std::tie(graph.targets[y], graph.costs[y], y);
  });
  for (const std::uint32_t target : graph.targets) ++first[target + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
}

WayTrees::WayTrees(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted)
    : graph_(graph),
      into_(into),
      wanted_(wanted),
      costs_(std::max<std::size_t>(1, graph.nodes)),
      waits_(graph.nodes, kNotWaiting),
      needed_(graph.nodes),
      added_(graph.nodes) {
  for (const std::uint32_t cost : graph.costs) dearest_ = std::max(dearest_, cost);
}

void WayTrees::run(std::span<const std::uint32_t> sources) {
  sources_.assign(sources.begin(), sources.end());
  for (Costs& costs : costs_) costs.from.fill(kUnreached);
  late_.fill(0);
  std::uint32_t goes_on_to = sources.empty() ? 0 : sources[0], latest = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    while (goes_on_to < sources[s] && graph_.goes_on[goes_on_to] != 0) ++goes_on_to;
    const std::uint32_t apart = sources[s] - sources[0];
    if (goes_on_to == sources[s] && apart <= kFarApart) late_[s] = apart * kFrameCost;
    latest = std::max(latest, late_[s]);
  }
  buckets_.resize(std::max<std::size_t>(buckets_.size(), std::max(dearest_, latest) / kBucket + 2));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    costs_[sources[s]].from[s] = late_[s];
    const std::uint32_t to = late_[s] / kBucket;
    if (to >= waits_[sources[s]]) continue;
    waits_[sources[s]] = to;
    buckets_[to].push_back(sources[s]);
  }
  std::size_t waiting = 0;
  for (const auto& bucket : buckets_) waiting += bucket.size();
  search(waiting);
}

/// Empties the buckets from the first on; `waiting` nodes wait in them. What is done for all lanes is a plain loop over
/// them, which the compiler makes vector instructions of.
void WayTrees::search(std::size_t waiting) {
  const auto ring = static_cast<std::uint32_t>(buckets_.size());
  std::uint32_t slot = 0;  // of bucket `now`
  for (std::uint32_t now = 0; waiting > 0; ++now, slot = slot + 1 == ring ? 0 : slot + 1) {
    std::array<std::uint32_t, kAtOnce> here{};
    const auto reach = [&](std::uint32_t node, std::uint32_t added) {
      std::array<std::uint32_t, kAtOnce>& there = costs_[node].from;
      std::uint32_t least = kUnreached;
      for (std::size_t lane = 0; lane < kAtOnce; ++lane) {
        const std::uint32_t cost = here[lane] + added;
        least = std::min(least, cost < there[lane] ? cost : kUnreached);
        there[lane] = std::min(there[lane], cost);
      }
      if (least == kUnreached) return;
      const std::uint32_t to = std::clamp(least / kBucket, now, now + ring - 1);
      if (to >= waits_[node]) return;
      waits_[node] = to;
      const std::uint32_t ahead = slot + (to - now);
      buckets_[ahead < ring ? ahead : ahead - ring].push_back(node);
      ++waiting;
    };
    // By number, since a bucket may grow while it is emptied.
    for (std::size_t i = 0; i < buckets_[slot].size(); ++i) {
      const std::uint32_t node = buckets_[slot][i];
      if (waits_[node] != now) continue;
      waits_[node] = kNotWaiting;
      here = costs_[node].from;
      if (graph_.goes_on[node] != 0) reach(node + 1, kFrameCost);
      for (std::uint32_t w = graph_.first[node]; w < graph_.first[node + 1]; ++w) {
        reach(graph_.targets[w], graph_.costs[w]);
      }
    }
    waiting -= buckets_[slot].size();
    buckets_[slot].clear();
  }
}

/// Follows the trees of open nodes back to their sources, adding the ways they come by.
void WayTrees::follow(std::uint32_t* way_usage) {
  while (!open_.empty()) {
    const std::uint32_t node = open_.back();
    open_.pop_back();
    // At a source nothing comes before: no step leads to what costs as little.
    std::uint32_t left = needed_[node] & ~std::uint32_t{added_[node]};
    added_[node] = needed_[node];
    const auto came_from = [&](std::uint32_t before, std::uint32_t cost) -> std::uint32_t {
      std::uint32_t by = 0;
      for (std::size_t lane = 0; lane < kAtOnce; ++lane) {
        const bool comes = costs_[before].from[lane] + cost == costs_[node].from[lane];
        by |= (comes ? 1u : 0u) << lane;
      }
      by &= left;
      left &= ~by;
      if ((by & ~std::uint32_t{needed_[before]}) != 0) {
        needed_[before] = static_cast<std::uint16_t>(needed_[before] | by);
        open_.push_back(before);
      }
      return by;
    };
    if (left != 0 && node > 0 && graph_.goes_on[node - 1] != 0) came_from(node - 1, kFrameCost);
    for (std::uint32_t i = into_.first[node]; i < into_.first[node + 1] && left != 0; ++i) {
      const std::uint32_t way = into_.ways[i];
      const std::uint32_t by = came_from(graph_.sources[way], graph_.costs[way]);
      if (by != 0) way_usage[way] += static_cast<std::uint32_t>(std::popcount(by));
    }
  }
}

std::uint32_t WayTrees::cost(std::size_t source, std::uint32_t node) const {
  const std::uint32_t cost = costs_[node].from[source];
  return cost >= kUnreached ? kNoWay : cost - late_[source];
}

void WayTrees::add_to(Usage& usage) {
  std::fill(added_.begin(), added_.end(), std::uint16_t{0});
  open_.clear();
  for (std::uint32_t node = 0; node < graph_.nodes; ++node) {
    needed_[node] = 0;
    if (!wanted_.empty() && wanted_[node] == 0) continue;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const bool reached = costs_[node].from[s] < kUnreached;
      needed_[node] = static_cast<std::uint16_t>(needed_[node] | (reached ? 1u << s : 0u));
    }
    if (needed_[node] != 0) open_.push_back(node);
  }
  follow(usage.ways.data());
  for (std::uint32_t node = 0; node < graph_.nodes; ++node) {
    usage.nodes[node] += static_cast<std::uint32_t>(std::popcount(needed_[node]));
  }
}

}  // namespace loom::graph
