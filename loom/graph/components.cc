// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/graph/components.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

struct Visit {
  std::uint32_t node;
  std::uint32_t next_edge;
};

}  // namespace

Components find_components(EdgesView edges) {
  const auto count = static_cast<std::uint32_t>(edges.first.size() - 1);
  Components result;
  result.of.assign(count, kUnseen);
  std::vector<std::uint32_t> order(count, kUnseen), low(count), pending;
  std::vector<Visit> visits;
  std::uint32_t clock = 0;
  for (std::uint32_t start = 0; start < count; ++start) {
    if (order[start] != kUnseen) continue;
    visits.push_back({start, edges.first[start]});
    while (!visits.empty()) {
      auto& [node, edge] = visits.back();
      if (order[node] == kUnseen) {
        order[node] = low[node] = clock++;
        pending.push_back(node);
      }
      if (edge < edges.first[node + 1]) {
        const std::uint32_t target = edges.targets[edge++];
        if (order[target] == kUnseen) {
          visits.push_back({target, edges.first[target]});
        } else if (result.of[target] == kUnseen) {
          low[node] = std::min(low[node], order[target]);
        }
        continue;
      }
      const std::uint32_t done = node;
      visits.pop_back();
      if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[done]);
      if (low[done] != order[done]) continue;
      const auto component = static_cast<std::uint32_t>(result.size.size());
      result.size.push_back(0);
      for (std::uint32_t member = kUnseen; member != done;) {
        member = pending.back();
        pending.pop_back();
        result.of[member] = component;
        ++result.size[component];
      }
    }
  }
  std::uint32_t best = 0;
  for (std::uint32_t node = 0; node < count; ++node) {
    const std::uint32_t component = result.of[node];
    if (result.size[component] > best) {
      best = result.size[component];
      result.largest = component;
    }
  }
  return result;
}

}  // namespace loom::graph
