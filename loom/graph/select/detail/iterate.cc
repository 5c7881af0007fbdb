// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <numeric>

#include <loom/base/parallel.h>
#include <loom/graph/select/detail/iterate.h>

namespace loom::graph::detail {
namespace {

/// The share of the nodes that are not there from the start that an iteration gives the next.
constexpr double kBranchShare = 0.04;
/// After so many iterations that made nothing smaller it ends.
constexpr std::size_t kPatience = 4;

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
    if (!chosen.meets(wish)) chosen.add(paths.find(wish, chosen));
  }
}

std::vector<std::uint32_t> count_ways(const Problem& problem, const Chosen& chosen) {
  std::vector<std::uint32_t> counts(problem.field.size(), 0);
  std::mutex mutex;
  const Steps& steps = problem.field.forward;
  for (const PlacedLayer& layer : problem.layers) {
    parallel_for(layer.sources.size(), 16, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> mine(counts.size(), 0), over(counts.size(), 0), before(counts.size()), queue;
      std::vector<Length> length(counts.size());
      for (std::size_t s = begin; s < end; ++s) {
        std::fill(length.begin(), length.end(), kFar);
        queue.assign(1, layer.sources[s]);
        length[queue[0]] = 0;
        before[queue[0]] = queue[0];
        for (std::size_t i = 0; i < queue.size(); ++i) {
          const std::uint32_t n = queue[i];
          for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
            const std::uint32_t to = steps.to[e];
            const std::uint32_t next = length[n] + std::uint32_t{layer.step(e)};
            if (!chosen.has(to) || next >= length[to] || next > layer.longest) continue;
            length[to] = static_cast<Length>(next);
            before[to] = n;
            queue.push_back(to);
          }
        }
        for (std::size_t t = 0; t < layer.targets.size(); ++t) {
          if (layer.limit_of(s, t) == kNotAsked) continue;
          const auto& nodes = layer.targets[t];
          const std::uint32_t nearest = *std::min_element(
              nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) { return length[a] < length[b]; });
          if (length[nearest] != kFar) ++over[nearest];
        }
        // Farthest first, each node hands on what leads over it to the one before it. Steps of one length leave the
        // queue in order; otherwise a node may be in it several times.
        if (!layer.forward_length.empty()) {
          std::sort(queue.begin(), queue.end(), [&](std::uint32_t a, std::uint32_t b) {
            return length[a] != length[b] ? length[a] < length[b] : a < b;
          });
          queue.erase(std::unique(queue.begin(), queue.end()), queue.end());
        }
        for (auto at = queue.rbegin(); at != queue.rend(); ++at) {
          const std::uint32_t n = *at;
          mine[n] += over[n];
          if (before[n] != n) over[before[n]] += over[n];
          over[n] = 0;
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t n = 0; n < counts.size(); ++n) counts[n] += mine[n];
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
    const auto most = static_cast<std::size_t>(std::ceil(kBranchShare * static_cast<double>(fresh.size())));
    for (std::size_t i = 0; i < most; ++i) begins[fresh[i]] = 1;
  }
  return best;
}

}  // namespace loom::graph::detail
