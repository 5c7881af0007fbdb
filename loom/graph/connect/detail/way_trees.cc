// SPDX-License-Identifier: MIT
// Shortest ways from sixteen nodes at once, compiled once for each kind of vector unit (see way_trees.h).
#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <loom/graph/connect/detail/way_trees.h>

#ifndef LOOM_GRAPH_WAY_TREES_KERNEL
#define LOOM_GRAPH_WAY_TREES_KERNEL
namespace loom::graph {

/// More than any way costs, and little enough to be added to.
inline constexpr std::uint32_t kUnreached = 1u << 30;
/// As wide as the cheapest step, so that nothing in a bucket makes anything else in it cheaper.
inline constexpr std::uint32_t kBucket = kFrameCost;
inline constexpr std::uint32_t kNotWaiting = ~std::uint32_t{0};

/// What the kernels see of WayTrees.
struct WayTreesKernel {
  explicit WayTreesKernel(WayTrees& trees)
      : graph(trees.graph_),
        into(trees.into_),
        costs(trees.costs_.front().from.data()),
        waits(trees.waits_.data()),
        buckets(trees.buckets_),
        needed(trees.needed_.data()),
        added(trees.added_.data()),
        open(trees.open_) {}

  const WayGraph& graph;
  const WaysInto& into;
  std::uint32_t* costs;
  std::uint32_t* waits;
  std::vector<std::vector<std::uint32_t>>& buckets;
  std::uint16_t *needed, *added;
  std::vector<std::uint32_t>& open;
};

}  // namespace loom::graph
#endif

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/graph/connect/detail/way_trees.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::graph::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<std::uint32_t, WayTrees::kAtOnce>;
constexpr std::size_t kWidth = hn::MaxLanes(Lanes());
constexpr std::size_t kVectors = WayTrees::kAtOnce / kWidth;

/// Empties the buckets from the first on; `waiting` nodes wait in them.
void Search(WayTreesKernel& k, std::size_t waiting) {
  const Lanes d;
  const auto ring = static_cast<std::uint32_t>(k.buckets.size());
  const auto none = hn::Set(d, kUnreached);
  std::uint32_t slot = 0;  // of bucket `now`
  for (std::uint32_t now = 0; waiting > 0; ++now, slot = slot + 1 == ring ? 0 : slot + 1) {
    hn::Vec<Lanes> here[kVectors];
    const auto reach = [&](std::uint32_t node, std::uint32_t added) HWY_ATTR {
      const auto step = hn::Set(d, added);
      std::uint32_t* there = k.costs + WayTrees::kAtOnce * node;
      auto least = none;
      bool any = false;
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto old = hn::LoadU(d, there + v * kWidth), now_costs = hn::Add(here[v], step);
        const auto less = hn::Lt(now_costs, old);
        if (hn::AllFalse(d, less)) continue;
        any = true;
        hn::StoreU(hn::Min(now_costs, old), d, there + v * kWidth);
        least = hn::Min(least, hn::IfThenElse(less, now_costs, none));
      }
      if (!any) return;
      const std::uint32_t cheapest = hn::GetLane(hn::MinOfLanes(d, least));
      const std::uint32_t to = std::clamp(cheapest / kBucket, now, now + ring - 1);
      if (to >= k.waits[node]) return;
      k.waits[node] = to;
      const std::uint32_t ahead = slot + (to - now);
      k.buckets[ahead < ring ? ahead : ahead - ring].push_back(node);
      ++waiting;
    };
    // A step shorter than a bucket is wide leads to the same one, which grows meanwhile.
    for (std::size_t i = 0; i < k.buckets[slot].size(); ++i) {
      const std::uint32_t node = k.buckets[slot][i];
      if (k.waits[node] != now) continue;
      k.waits[node] = kNotWaiting;
      for (std::size_t v = 0; v < kVectors; ++v) {
        here[v] = hn::LoadU(d, k.costs + WayTrees::kAtOnce * node + v * kWidth);
      }
      if (k.graph.goes_on[node] != 0) reach(node + 1, kFrameCost);
      for (std::uint32_t w = k.graph.first[node]; w < k.graph.first[node + 1]; ++w) {
        reach(k.graph.targets[w], k.graph.costs[w]);
      }
    }
    waiting -= k.buckets[slot].size();
    k.buckets[slot].clear();
  }
}

/// The trees in which a node comes right after another that costs `added` less, a bit each.
HWY_INLINE std::uint32_t Follows(const std::uint32_t* before, const std::uint32_t* node, std::uint32_t added) {
  const Lanes d;
  std::uint32_t bits = 0;
  for (std::size_t v = 0; v < kVectors; ++v) {
    const auto same =
        hn::Eq(hn::Add(hn::LoadU(d, before + v * kWidth), hn::Set(d, added)), hn::LoadU(d, node + v * kWidth));
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, same, bytes);
    bits |= (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) << (v * kWidth);
  }
  return bits;
}

/// Follows the trees of open nodes back to their sources, adding the ways they come by.
void Follow(WayTreesKernel& k, std::uint32_t* way_usage) {
  const auto of = [&](std::uint32_t node) { return k.costs + WayTrees::kAtOnce * node; };
  while (!k.open.empty()) {
    const std::uint32_t node = k.open.back();
    k.open.pop_back();
    // At a source nothing comes before: no step leads to what costs as little.
    std::uint32_t left = k.needed[node] & ~std::uint32_t{k.added[node]};
    k.added[node] = k.needed[node];
    const auto came_from = [&](std::uint32_t before, std::uint32_t cost) -> std::uint32_t {
      const std::uint32_t by = left & Follows(of(before), of(node), cost);
      left &= ~by;
      if ((by & ~std::uint32_t{k.needed[before]}) != 0) {
        k.needed[before] = static_cast<std::uint16_t>(k.needed[before] | by);
        k.open.push_back(before);
      }
      return by;
    };
    if (left != 0 && node > 0 && k.graph.goes_on[node - 1] != 0) came_from(node - 1, kFrameCost);
    for (std::uint32_t i = k.into.first[node]; i < k.into.first[node + 1] && left != 0; ++i) {
      const std::uint32_t way = k.into.ways[i];
      const std::uint32_t by = came_from(k.graph.sources[way], k.graph.costs[way]);
      if (by != 0) way_usage[way] += static_cast<std::uint32_t>(std::popcount(by));
    }
  }
}

}  // namespace loom::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::graph {
namespace {

HWY_EXPORT(Search);
HWY_EXPORT(Follow);

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
  WayTreesKernel kernel(*this);
  HWY_DYNAMIC_DISPATCH(Search)(kernel, waiting);
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
  WayTreesKernel kernel(*this);
  HWY_DYNAMIC_DISPATCH(Follow)(kernel, usage.ways.data());
  for (std::uint32_t node = 0; node < graph_.nodes; ++node) {
    usage.nodes[node] += static_cast<std::uint32_t>(std::popcount(needed_[node]));
  }
}

}  // namespace loom::graph
#endif  // HWY_ONCE
