// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <tuple>

#include <loom/base/parallel.h>
#include <loom/graph/connect/detail/crossings.h>

namespace loom::graph {
namespace {

std::uint32_t penalised(std::uint32_t cost, std::uint32_t node, const Penalty& penalty) {
  return penalty.kept.empty() || penalty.kept[node] != 0 ? cost : cost * penalty.factor / 16;
}

}  // namespace

/// Shortest ways from one stop through one group, to the stops it leads to. Puts back what it touched: a search costs
/// what it looks at.
class Crossings::Search {
 public:
  explicit Search(const Crossings& all) : all_(all), reached_(all.graph_.nodes) {}

  /// Searches from the ends of `entries`, which begin at one stop and lead into one group.
  void run(std::span<const Entry> entries, const Penalty& penalty) {
    for (const std::uint32_t node : touched_) reached_[node] = {};
    touched_.clear();
    exits_.clear();
    const WayGraph& graph = all_.graph_;
    waiting_ = 0;
    now_ = 0;
    for (const Entry& entry : entries) {
      reach(entry.to, entry.by, penalised(entry.by == kWentOn ? kFrameCost : graph.costs[entry.by], entry.to, penalty));
    }
    for (; waiting_ > 0; ++now_) {
      for (std::size_t k = 0; k < buckets_[now_].size(); ++k) {
        const std::uint32_t node = buckets_[now_][k];
        if (reached_[node].cost != now_) continue;
        if (all_.number_[node] != kNoWay) {  // a stop: here the group is left
          exits_.push_back(node);
          continue;
        }
        if (graph.goes_on[node] != 0) reach(node + 1, kWentOn, penalised(kFrameCost, node + 1, penalty));
        for (std::uint32_t w = graph.first[node]; w < graph.first[node + 1]; ++w) {
          reach(graph.targets[w], w, penalised(graph.costs[w], graph.targets[w], penalty));
        }
      }
      waiting_ -= buckets_[now_].size();
      buckets_[now_].clear();
    }
  }

  /// The stops that were reached.
  [[nodiscard]] std::span<const std::uint32_t> exits() const { return exits_; }
  [[nodiscard]] std::uint32_t cost(std::uint32_t node) const { return reached_[node].cost; }
  [[nodiscard]] std::uint32_t came_by(std::uint32_t node) const { return reached_[node].by; }

 private:
  void reach(std::uint32_t node, std::uint32_t by, std::uint32_t added) {
    const std::uint32_t cost = now_ + added;
    if (cost >= reached_[node].cost) return;
    if (reached_[node].cost == kNoWay) touched_.push_back(node);
    reached_[node] = {cost, by};
    if (buckets_.size() <= cost) buckets_.resize(cost + std::size_t{1});
    buckets_[cost].push_back(node);
    ++waiting_;
  }

  struct Reached {
    std::uint32_t cost = kNoWay, by = kNoWay;
  };
  const Crossings& all_;
  std::vector<Reached> reached_;
  std::vector<std::uint32_t> touched_, exits_;
  std::vector<std::vector<std::uint32_t>> buckets_;  ///< nodes by cost: crossings are short
  std::uint32_t now_ = 0;
  std::size_t waiting_ = 0;
};

Crossings::Crossings(const WayGraph& graph, std::span<const std::uint32_t> stops)
    : graph_(graph), stops_(stops), number_(graph.nodes, kNoWay) {
  for (std::uint32_t i = 0; i < stops.size(); ++i) number_[stops[i]] = i;
  find_groups();
  find_entries();
}

void Crossings::find_groups() {
  // Nodes that are no stops and that a way joins belong together (union-find with path halving).
  std::vector<std::uint32_t> parent(graph_.nodes);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (number_[a] != kNoWay || number_[b] != kNoWay) return;
    const std::uint32_t of_a = root(a), of_b = root(b);
    parent[std::max(of_a, of_b)] = std::min(of_a, of_b);
  };
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (graph_.goes_on[n] != 0) join(n, n + 1);
    for (std::uint32_t w = graph_.first[n]; w < graph_.first[n + 1]; ++w) join(n, graph_.targets[w]);
  }
  group_.assign(graph_.nodes, kNoWay);
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (number_[n] != kNoWay) continue;
    const std::uint32_t first = root(n);
    if (first == n) group_[n] = static_cast<std::uint32_t>(groups_++);
    group_[n] = group_[first];
  }
}

void Crossings::find_entries() {
  for (const std::uint32_t stop : stops_) {
    const auto add = [&](std::uint32_t to, std::uint32_t by) {
      if (number_[to] == kNoWay) entries_.push_back({group_[to], stop, to, by});
    };
    if (graph_.goes_on[stop] != 0) add(stop + 1, kWentOn);
    for (std::uint32_t w = graph_.first[stop]; w < graph_.first[stop + 1]; ++w) add(graph_.targets[w], w);
  }
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& x, const Entry& y) {
    return std::tie(x.group, x.from) < std::tie(y.group, y.from);
  });
  first_entry_.assign(groups_ + 1, 0);
  for (const Entry& entry : entries_) ++first_entry_[entry.group + std::size_t{1}];
  std::partial_sum(first_entry_.begin(), first_entry_.end(), first_entry_.begin());
}

std::vector<Crossings::Crossing> Crossings::cross(std::size_t group, Search& search, const Penalty& penalty) const {
  std::vector<Crossing> all;
  const std::span<const Entry> entries = entries_of(group);
  for (std::size_t e = 0; e < entries.size();) {
    std::size_t end = e;
    while (end < entries.size() && entries[end].from == entries[e].from) ++end;
    search.run(entries.subspan(e, end - e), penalty);
    const std::size_t first = all.size();
    for (const std::uint32_t exit : search.exits()) {
      if (exit != entries[e].from) all.push_back({entries[e].from, exit, search.cost(exit)});
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
              [](const Crossing& x, const Crossing& y) { return x.to < y.to; });
    e = end;
  }
  // Where it costs as little to go on first, or to leave earlier and then go on, a crossing is not needed: there is
  // another of the same group that is shorter.
  const auto cost_of_crossing = [&](std::uint32_t from, std::uint32_t to) {
    if (from == to) return 0u;
    const auto found = std::lower_bound(
        all.begin(), all.end(), Crossing{from, to, 0},
        [](const Crossing& x, const Crossing& y) { return std::tie(x.from, x.to) < std::tie(y.from, y.to); });
    return found != all.end() && found->from == from && found->to == to ? found->cost : kNoWay;
  };
  const auto is_stop = [&](std::uint32_t node) { return node < graph_.nodes && number_[node] != kNoWay; };
  std::vector<Crossing> needed;
  for (const Crossing& crossing : all) {
    const bool later = graph_.goes_on[crossing.from] != 0 && is_stop(crossing.from + 1);
    const bool earlier = crossing.to > 0 && is_stop(crossing.to - 1) && graph_.goes_on[crossing.to - 1] != 0;
    const std::uint32_t after = later ? cost_of_crossing(crossing.from + 1, crossing.to) : kNoWay;
    const std::uint32_t before = earlier ? cost_of_crossing(crossing.from, crossing.to - 1) : kNoWay;
    const auto step_to = [&](std::uint32_t node) { return penalised(kFrameCost, node, penalty); };
    const bool needless = (after != kNoWay && after + step_to(crossing.from + 1) <= crossing.cost) ||
                          (before != kNoWay && before + step_to(crossing.to) <= crossing.cost);
    if (!needless) needed.push_back(crossing);
  }
  return needed;
}

void Crossings::cross_changed(const Penalty& penalty) {
  std::vector<std::uint8_t> changed(groups_, 0);
  bool all = last_factor_ != penalty.factor || last_kept_.size() != penalty.kept.size();
  for (std::size_t n = 0; n < penalty.kept.size() && !all; ++n) {
    if (penalty.kept[n] == last_kept_[n]) continue;
    if (number_[n] != kNoWay)
      all = true;
    else
      changed[group_[n]] = 1;
  }
  if (all) std::fill(changed.begin(), changed.end(), std::uint8_t{1});
  crossings_.resize(groups_);
  const std::size_t grain = groups_ / (8 * thread_count()) + 1;
  parallel_for(groups_, grain, [&](std::size_t begin, std::size_t end) {
    Search search(*this);
    for (std::size_t g = begin; g < end; ++g) {
      if (changed[g] != 0) crossings_[g] = cross(g, search, penalty);
    }
  });
  last_kept_.assign(penalty.kept.begin(), penalty.kept.end());
  last_factor_ = penalty.factor;
}

bool Crossings::goes_on_dearer(std::uint32_t stop, const Penalty& penalty) const {
  return graph_.goes_on[stop] != 0 && number_[stop + std::size_t{1}] != kNoWay &&
         penalised(kFrameCost, stop + 1, penalty) != kFrameCost;
}

Overlay Crossings::overlay(const Penalty& penalty) {
  cross_changed(penalty);
  struct OverlayWay {
    std::uint32_t from = 0, to = 0, cost = 0, stands_for = kNoWay, group = kNoWay;
  };
  std::vector<OverlayWay> ways;
  for (const std::uint32_t stop : stops_) {
    for (std::uint32_t w = graph_.first[stop]; w < graph_.first[stop + 1]; ++w) {
      const std::uint32_t target = graph_.targets[w], to = number_[target];
      if (to != kNoWay) ways.push_back({number_[stop], to, penalised(graph_.costs[w], target, penalty), w, kNoWay});
    }
    if (goes_on_dearer(stop, penalty)) {
      ways.push_back(
          {number_[stop], number_[stop + std::size_t{1}], penalised(kFrameCost, stop + 1, penalty), kWentOn, kNoWay});
    }
  }
  for (std::size_t g = 0; g < groups_; ++g) {
    for (const Crossing& crossing : crossings_[g]) {
      ways.push_back(
          {number_[crossing.from], number_[crossing.to], crossing.cost, kNoWay, static_cast<std::uint32_t>(g)});
    }
  }
  // Of ways between the same two stops the cheapest is enough, and of equals the first.
  std::stable_sort(ways.begin(), ways.end(), [](const OverlayWay& x, const OverlayWay& y) {
    return std::tie(x.from, x.to, x.cost) < std::tie(y.from, y.to, y.cost);
  });
  ways.erase(std::unique(ways.begin(), ways.end(),
                         [](const OverlayWay& x, const OverlayWay& y) { return x.from == y.from && x.to == y.to; }),
             ways.end());
  Overlay overlay;
  overlay.graph.nodes = static_cast<std::uint32_t>(stops_.size());
  overlay.graph.first.assign(stops_.size() + 1, 0);
  for (const std::uint32_t stop : stops_) {
    const bool goes_on =
        graph_.goes_on[stop] != 0 && number_[stop + std::size_t{1}] != kNoWay && !goes_on_dearer(stop, penalty);
    overlay.graph.goes_on.push_back(goes_on ? 1 : 0);
  }
  for (const OverlayWay& way : ways) {
    ++overlay.graph.first[way.from + std::size_t{1}];
    overlay.graph.sources.push_back(way.from);
    overlay.graph.targets.push_back(way.to);
    overlay.graph.costs.push_back(way.cost);
    overlay.stands_for.push_back(way.stands_for);
    overlay.group.push_back(way.group);
  }
  std::partial_sum(overlay.graph.first.begin(), overlay.graph.first.end(), overlay.graph.first.begin());
  return overlay;
}

void Crossings::add_usage(const Overlay& overlay, const Usage& needed, const Penalty& penalty, Usage& usage) const {
  struct Used {
    std::uint32_t group, from, to, times;
  };
  std::vector<Used> crossed;
  for (std::size_t n = 0; n < stops_.size(); ++n) usage.nodes[stops_[n]] += needed.nodes[n];
  for (std::size_t w = 0; w < overlay.stands_for.size(); ++w) {
    if (needed.ways[w] == 0) continue;
    if (overlay.stands_for[w] == kWentOn) continue;
    if (overlay.stands_for[w] != kNoWay) {
      usage.ways[overlay.stands_for[w]] += needed.ways[w];
    } else {
      crossed.push_back(
          {overlay.group[w], stops_[overlay.graph.sources[w]], stops_[overlay.graph.targets[w]], needed.ways[w]});
    }
  }
  std::stable_sort(crossed.begin(), crossed.end(),
                   [](const Used& x, const Used& y) { return std::tie(x.group, x.from) < std::tie(y.group, y.from); });
  // Nodes and ways of a group are no other's, so that groups can be added side by side.
  std::vector<std::size_t> group_begins;
  for (std::size_t c = 0; c < crossed.size(); ++c) {
    if (c == 0 || crossed[c].group != crossed[c - 1].group) group_begins.push_back(c);
  }
  group_begins.push_back(crossed.size());
  const std::size_t grain = group_begins.size() / (8 * thread_count()) + 1;
  parallel_for(group_begins.size() - 1, grain, [&](std::size_t begin, std::size_t end) {
    Search search(*this);
    for (std::size_t c = group_begins[begin]; c < group_begins[end];) {
      const Used first = crossed[c];
      const auto entries = entries_of(first.group);
      const auto entry = std::lower_bound(entries.begin(), entries.end(), first.from,
                                          [](const Entry& x, std::uint32_t from) { return x.from < from; });
      const auto after = std::upper_bound(entry, entries.end(), first.from,
                                          [](std::uint32_t from, const Entry& x) { return from < x.from; });
      search.run({entry, after}, penalty);
      for (; c < group_begins[end] && crossed[c].group == first.group && crossed[c].from == first.from; ++c) {
        for (std::uint32_t node = crossed[c].to; node != crossed[c].from;) {
          const std::uint32_t by = search.came_by(node);
          if (node != crossed[c].to) usage.nodes[node] += crossed[c].times;
          if (by != kWentOn) usage.ways[by] += crossed[c].times;
          node = by == kWentOn ? node - 1 : graph_.sources[by];
        }
      }
    }
  });
}

}  // namespace loom::graph
