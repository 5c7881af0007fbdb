// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <numeric>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/graph/select/detail/iterate.h>

namespace loom::graph::detail {
namespace {

/// The share of the nodes that are not there from the start that an iteration gives the next.
constexpr double kBranchShare = 0.1;
/// After so many iterations that made nothing smaller it ends.
constexpr std::size_t kPatience = 4;

/// The nodes that were reached, nearest first: sorted by counting.
void by_length(std::span<const Length> length, Length longest, std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> first(std::size_t{longest} + 2, 0);
  for (const Length l : length) {
    if (l != kFar) ++first[std::size_t{l} + 1];
  }
  for (std::size_t l = 0; l + 1 < first.size(); ++l) first[l + 1] += first[l];
  order.resize(first.back());
  for (std::uint32_t n = 0; n < length.size(); ++n) {
    if (length[n] != kFar) order[first[length[n]]++] = n;
  }
}

}  // namespace

std::vector<Wish> ordered_wishes(const Problem& problem, SelectOrder order, Random& random) {
  std::vector<Wish> wishes;
  std::vector<Length> best;
  for (std::uint32_t l = 0; l < problem.layers.size(); ++l) {
    const PlacedLayer& layer = problem.layers[l];
    for (std::uint32_t s = 0; s < layer.sources.size(); ++s) {
      for (std::uint32_t t = 0; t < layer.targets.size(); ++t) {
        if (layer.limit_of(s, t) == kNotAsked) continue;
        wishes.push_back({l, s, t});
        best.push_back(problem.to(l, t)[layer.sources[s]]);
      }
    }
  }
  if (order == SelectOrder::kSequential) return wishes;
  std::vector<std::uint32_t> ranks(wishes.size());
  std::iota(ranks.begin(), ranks.end(), 0u);
  if (order == SelectOrder::kRandom) {
    for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[random.index(i)]);
  } else {
    const bool down = order == SelectOrder::kDescending;
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return down ? best[a] > best[b] : best[a] < best[b]; });
  }
  std::vector<Wish> ordered;
  ordered.reserve(wishes.size());
  for (const std::uint32_t rank : ranks) ordered.push_back(wishes[rank]);
  return ordered;
}

void meet_wishes(std::span<const Wish> wishes, ConstrainedPath& paths, Chosen& chosen) {
  for (const Wish& wish : wishes) {
    if (!chosen.meets(wish)) chosen.add_for(wish, paths.find(wish, chosen));
  }
}

std::vector<std::uint32_t> count_ways(const Problem& problem, const Chosen& chosen) {
  std::vector<std::uint32_t> counts(problem.field.size(), 0);
  // The steps between chosen nodes alone, counted through: a small graph out of a large one, searched many times.
  const std::vector<std::uint32_t> nodes = chosen.nodes();
  std::vector<std::uint32_t> place(problem.field.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  const Steps& steps = problem.field.forward;
  for (const PlacedLayer& layer : problem.layers) {
    Steps within;
    std::vector<Length> length_of;
    within.first.push_back(0);
    for (const std::uint32_t n : nodes) {
      for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
        if (!chosen.has(steps.to[e])) continue;
        within.to.push_back(place[steps.to[e]]);
        if (!layer.forward_length.empty()) length_of.push_back(layer.forward_length[e]);
      }
      within.first.push_back(static_cast<std::uint32_t>(within.to.size()));
    }
    std::mutex mutex;
    parallel_for(layer.sources.size(), 16, [&](std::size_t begin, std::size_t end) {
      LengthSearch search;
      std::vector<std::uint32_t> mine(nodes.size(), 0), over(nodes.size(), 0), before(nodes.size()), order;
      std::vector<Length> length(nodes.size());
      for (std::size_t s = begin; s < end; ++s) {
        const std::uint32_t source = place[layer.sources[s]];
        search.run(within, length_of, {&source, 1}, layer.longest, length, before);
        for (std::size_t t = 0; t < layer.targets.size(); ++t) {
          if (layer.limit_of(s, t) == kNotAsked) continue;
          std::uint32_t nearest = place[layer.targets[t].front()];
          for (const std::uint32_t node : layer.targets[t]) {
            if (length[place[node]] < length[nearest]) nearest = place[node];
          }
          if (length[nearest] != kFar) ++over[nearest];
        }
        // Farthest first, each node hands on what leads over it to the one before it.
        by_length(length, layer.longest, order);
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
          mine[*at] += over[*at];
          if (before[*at] != *at) over[before[*at]] += over[*at];
          over[*at] = 0;
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < nodes.size(); ++i) counts[nodes[i]] += mine[i];
    });
  }
  return counts;
}

void remove_needless(const Problem& problem, const std::vector<char>& kept, Chosen& chosen) {
  const std::vector<std::uint32_t> counts = count_ways(problem, chosen);
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t node : chosen.nodes()) {
    if (!kept[node]) nodes.push_back(node);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) { return counts[a] < counts[b]; });
  for (const std::uint32_t node : nodes) chosen.remove_if_met({&node, 1});
}

std::vector<std::uint32_t> iterate(const Problem& problem, std::span<const std::uint32_t> start,
                                   std::span<const Wish> wishes, bool branches, const Iterated& told) {
  std::vector<char> begins(problem.field.size(), 0);
  for (const std::uint32_t node : start) begins[node] = 1;
  for (const std::uint32_t node : problem.keys) begins[node] = 1;
  std::vector<std::uint32_t> best;
  ConstrainedPath paths(problem);
  for (std::size_t since = 0; since <= kPatience; ++since) {
    std::vector<std::uint32_t> now;
    for (std::uint32_t n = 0; n < begins.size(); ++n) {
      if (begins[n]) now.push_back(n);
    }
    Chosen chosen(problem, now);
    meet_wishes(wishes, paths, chosen);
    if (best.empty() || chosen.size() < best.size()) {
      best = chosen.nodes();
      since = 0;
    }
    if (!told(chosen.size()) || !branches) break;
    const std::vector<std::uint32_t> counts = count_ways(problem, chosen);
    std::vector<std::uint32_t> fresh;
    for (const std::uint32_t node : chosen.nodes()) {
      if (!begins[node]) fresh.push_back(node);
    }
    if (fresh.empty()) break;
    std::stable_sort(fresh.begin(), fresh.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    const auto most = to_whole<std::size_t>(std::ceil(kBranchShare * static_cast<double>(fresh.size())));
    for (std::size_t i = 0; i < most; ++i) begins[fresh[i]] = 1;
  }
  return best;
}

}  // namespace loom::graph::detail
