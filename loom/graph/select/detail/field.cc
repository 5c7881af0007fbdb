// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <loom/graph/select/detail/field.h>

namespace loom::graph::detail {
namespace {

constexpr std::uint32_t kOutside = ~std::uint32_t{0};

Steps turned_round(const Steps& steps) {
  Steps turned;
  turned.first.assign(steps.first.size(), 0);
  for (const std::uint32_t to : steps.to) ++turned.first[to + 1];
  std::partial_sum(turned.first.begin(), turned.first.end(), turned.first.begin());
  turned.to.resize(steps.to.size());
  turned.cost.resize(steps.to.size());
  std::vector<std::uint32_t> fill(turned.first.begin(), turned.first.end() - 1);
  for (std::uint32_t n = 0; n + 1 < steps.first.size(); ++n) {
    for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
      const std::uint32_t at = fill[steps.to[e]]++;
      turned.to[at] = n;
      turned.cost[at] = steps.cost[e];
    }
  }
  return turned;
}

}  // namespace

std::uint32_t Field::at(Node node) const {
  return static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
}

Field make_field(const MotionGraph& graph, std::vector<Node> nodes) {
  Field field;
  field.nodes = std::move(nodes);
  std::vector<std::uint32_t> place(graph.nodes(), kOutside);
  for (std::uint32_t i = 0; i < field.size(); ++i) place[field.nodes[i]] = i;
  Steps& steps = field.forward;
  steps.first.reserve(field.nodes.size() + 1);
  steps.first.push_back(0);
  const auto add = [&](Node to, float cost) {
    if (place[to] == kOutside) return;
    steps.to.push_back(place[to]);
    steps.cost.push_back(cost);
  };
  for (const Node n : field.nodes) {
    if (graph.goes_on(n)) add(n + 1, 0);
    for (const Transition& t : graph.transitions_of(n)) {
      if (t.to != n) add(t.to, t.cost);
    }
    steps.first.push_back(static_cast<std::uint32_t>(steps.to.size()));
  }
  field.backward = turned_round(steps);
  return field;
}

Field whole_field(const MotionGraph& graph) {
  std::vector<Node> nodes(graph.nodes());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return make_field(graph, std::move(nodes));
}

template <typename Before>
void LengthSearch::spread(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts,
                          Length most, std::span<Length> lengths, const Before& before) {
  std::fill(lengths.begin(), lengths.end(), kFar);
  if (by_length_.empty()) by_length_.resize(1);
  for (const std::uint32_t n : starts) {
    if (lengths[n] == 0) continue;
    lengths[n] = 0;
    by_length_[0].push_back(n);
  }
  // Nodes wait by the length at which they were found; one that was found nearer since is passed over.
  std::size_t waiting = by_length_[0].size();
  for (std::size_t length = 0; waiting > 0; ++length) {
    for (std::size_t i = 0; i < by_length_[length].size(); ++i) {
      const std::uint32_t n = by_length_[length][i];
      if (lengths[n] != length) continue;
      for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
        const std::size_t next = length + (length_of.empty() ? 1 : length_of[e]);
        const std::uint32_t to = steps.to[e];
        if (next >= lengths[to] || next > most) continue;
        lengths[to] = static_cast<Length>(next);
        before(to, n);
        if (next >= by_length_.size()) by_length_.resize(next + 1);
        by_length_[next].push_back(to);
        ++waiting;
      }
    }
    waiting -= by_length_[length].size();
    by_length_[length].clear();
  }
}

void LengthSearch::run(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts,
                       Length most, std::span<Length> lengths) {
  spread(steps, length_of, starts, most, lengths, [](std::uint32_t, std::uint32_t) {});
}

void LengthSearch::run(const Steps& steps, std::span<const Length> length_of, std::span<const std::uint32_t> starts,
                       Length most, std::span<Length> lengths, std::span<std::uint32_t> before) {
  std::iota(before.begin(), before.end(), std::uint32_t{0});
  spread(steps, length_of, starts, most, lengths, [&](std::uint32_t to, std::uint32_t from) { before[to] = from; });
}

}  // namespace loom::graph::detail
