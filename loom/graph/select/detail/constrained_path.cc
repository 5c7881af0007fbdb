// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/graph/select/detail/constrained_path.h>

namespace loom::graph::detail {

ConstrainedPath::ConstrainedPath(const Problem& problem) : problem_(problem), shortest_(problem.field.size(), kFar) {
  Length longest = 0;
  for (const PlacedLayer& layer : problem.layers) longest = std::max(longest, layer.longest);
  by_length_.resize(std::size_t{longest} + 1);
}

std::span<const std::uint32_t> ConstrainedPath::find(const Wish& wish, const Chosen& chosen) {
  const PlacedLayer& layer = problem_.layers[wish.layer];
  const Steps& steps = problem_.field.forward;
  const std::span<const Length> left = problem_.to(wish.layer, wish.target);
  const Length limit = layer.limit_of(wish.source, wish.target);
  found_.clear();
  labels_.clear();
  next_.clear();
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t reached = kNone;

  const auto wait = [&](std::uint32_t label) {
    const Label& l = labels_[label];
    if (shortest_[l.node] == kFar) touched_.push_back(l.node);
    shortest_[l.node] = l.length;
    by_length_[l.length].push_back(label);
  };
  labels_.push_back({layer.sources[wish.source], kNone, 0});
  if (left[labels_[0].node] <= limit) wait(0);

  while (reached == kNone) {
    for (std::size_t length = 0; length <= limit && reached == kNone; ++length) {
      for (std::size_t i = 0; i < by_length_[length].size(); ++i) {
        const std::uint32_t label = by_length_[length][i];
        const std::uint32_t n = labels_[label].node;
        if (shortest_[n] != length) continue;
        if (left[n] == 0) {
          reached = label;
          break;
        }
        for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
          const std::uint32_t to = steps.to[e];
          const std::size_t next = length + layer.step(e);
          if (next >= shortest_[to] || left[to] == kFar || next + left[to] > limit) continue;
          labels_.push_back({to, label, static_cast<Length>(next)});
          const auto made = static_cast<std::uint32_t>(labels_.size() - 1);
          if (chosen.has(to)) {
            wait(made);
          } else {
            next_.push_back(made);
          }
        }
      }
    }
    for (std::size_t length = 0; length <= limit; ++length) by_length_[length].clear();
    if (reached != kNone || next_.empty()) break;
    // Of several labels of a node with one new node more only the shortest counts.
    for (const std::uint32_t label : next_) {
      if (labels_[label].length < shortest_[labels_[label].node]) wait(label);
    }
    next_.clear();
  }
  for (const std::uint32_t node : touched_) shortest_[node] = kFar;
  touched_.clear();
  for (std::uint32_t label = reached; label != kNone; label = labels_[label].before) {
    if (!chosen.has(labels_[label].node)) found_.push_back(labels_[label].node);
  }
  return found_;
}

}  // namespace loom::graph::detail
