// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include <loom/machine/ways.h>

namespace loom::machine {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

std::vector<Edge> edges_of(const behavior::StateMachine& machine) {
  std::vector<double> sums(machine.states.size());
  std::vector<Edge> edges;
  for (std::size_t t = 0; t < machine.transitions.size(); ++t) {
    const behavior::MachineTransition& transition = machine.transitions[t];
    if (transition.from == transition.to) continue;
    sums[transition.from] += static_cast<double>(transition.weight);
    edges.push_back({transition.from, transition.to, t, static_cast<double>(transition.weight), 0});
  }
  for (Edge& edge : edges) {
    edge.probability /= sums[edge.from];
    edge.cost = std::max(0.0, -std::log(edge.probability));
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  return edges;
}

Ways::Ways(std::size_t nodes, std::span<const Edge> edges) : edges_(edges.begin(), edges.end()), out_(nodes) {
  for (std::size_t e = 0; e < edges_.size(); ++e) out_[edges_[e].from].push_back(e);
}

std::optional<std::size_t> Ways::find(std::size_t from, std::size_t to) const {
  for (const std::size_t e : out_[from]) {
    if (edges_[e].to == to) return e;
  }
  return std::nullopt;
}

std::optional<std::vector<std::size_t>> Ways::cheapest(std::size_t from, std::size_t to, std::span<const double> costs,
                                                       std::size_t without) const {
  using Reached = std::tuple<double, std::size_t, std::size_t>;  // cost, edges, node
  std::vector<std::pair<double, std::size_t>> best(out_.size(), {std::numeric_limits<double>::infinity(), kNone});
  std::vector<std::size_t> by(out_.size(), kNone);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  best[from] = {0, 0};
  open.emplace(0.0, 0, from);
  while (!open.empty()) {
    const auto [cost, length, node] = open.top();
    open.pop();
    if (std::pair(cost, length) > best[node]) continue;
    if (node == to) break;
    for (const std::size_t e : out_[node]) {
      if (e == without) continue;
      const std::pair reached(cost + costs[e], length + 1);
      const std::size_t target = edges_[e].to;
      if (!(reached < best[target])) continue;
      best[target] = reached;
      by[target] = e;
      open.emplace(reached.first, reached.second, target);
    }
  }
  if (best[to].second == kNone) return std::nullopt;
  std::vector<std::size_t> way;
  for (std::size_t node = to; node != from; node = edges_[by[node]].from) way.push_back(by[node]);
  std::reverse(way.begin(), way.end());
  return way;
}

std::optional<std::vector<std::size_t>> Ways::cheapest_other(std::span<const std::size_t> way,
                                                             std::span<const double> costs) const {
  std::optional<std::vector<std::size_t>> best;
  if (way.empty()) return best;
  const std::size_t from = edges_[way.front()].from, to = edges_[way.back()].to;
  for (const std::size_t e : way) {
    auto other = cheapest(from, to, costs, e);
    if (other && (!best || cost_of(*other, costs) < cost_of(*best, costs))) best = std::move(other);
  }
  return best;
}

double cost_of(std::span<const std::size_t> way, std::span<const double> costs) {
  double sum = 0;
  for (const std::size_t e : way) sum += costs[e];
  return sum;
}

}  // namespace loom::machine
