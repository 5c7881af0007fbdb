// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/machine/q_values.h>

namespace loom::machine {
namespace {

using graph::MotionGraph;
using graph::Node;

/// Steps that are better by less than this share of what they cost are no better: rounding must not keep the solver
/// going round.
constexpr double kNoBetter = 1e-12;
constexpr std::size_t kMostSweeps = 100000;  ///< never reached: each round is better than the one before

/// One step a node: where it leads and what it costs.
struct Steps {
  std::vector<Node> to;
  std::vector<double> cost;
};

/// The costs of following `steps` for ever. Each node leads to one other, so every way ends in a circle: the cost of
/// one node of it is that of going round once, over 1 - discount^length, and all others follow backwards.
void evaluate(const Steps& steps, double discount, std::vector<double>& values) {
  enum : std::uint8_t { kNew, kOnWay, kKnown };
  std::vector<std::uint8_t> seen(steps.to.size(), kNew);
  std::vector<Node> way;
  for (Node start = 0; start < steps.to.size(); ++start) {
    way.clear();
    Node node = start;
    for (; seen[node] == kNew; node = steps.to[node]) {
      seen[node] = kOnWay;
      way.push_back(node);
    }
    if (seen[node] == kOnWay) {
      double round = 0, share = 1;
      Node at = node;
      do {
        round += share * steps.cost[at];
        share *= discount;
        at = steps.to[at];
      } while (at != node);
      values[node] = round / (1 - share);
      seen[node] = kKnown;
    }
    for (std::size_t i = way.size(); i-- > 0;) {
      const Node back = way[i];
      if (seen[back] == kKnown) continue;
      values[back] = steps.cost[back] + discount * values[steps.to[back]];
      seen[back] = kKnown;
    }
  }
}

/// Gives every node the step that is best by `values`; how many changed.
std::size_t improve(const MotionGraph& graph, double discount, const std::vector<double>& values, Steps& steps) {
  std::size_t changed = 0;
  for (Node n = 0; n < graph.nodes(); ++n) {
    double best = steps.cost[n] + discount * values[steps.to[n]];
    const double least = best;
    Node to = steps.to[n];
    double cost = steps.cost[n];
    const auto offer = [&](Node target, double distance) {
      const double q = distance + discount * values[target];
      if (q >= best) return;
      best = q;
      to = target;
      cost = distance;
    };
    if (graph.goes_on(n)) offer(n + 1, 0);
    for (const graph::Transition& t : graph.transitions_of(n)) offer(t.to, t.distance);
    if (least - best <= kNoBetter * std::abs(least)) continue;
    steps.to[n] = to;
    steps.cost[n] = cost;
    ++changed;
  }
  return changed;
}

}  // namespace

Result<QValues> solve_q_values(const MotionGraph& graph, double discount, const Progress& progress) {
  if (!(discount >= 0 && discount < 1)) return fail_setting({"discount"}, "a discount lies in [0, 1)");
  if (graph.nodes() == 0) return fail("the graph has no frames");
  Steps steps;
  steps.to.resize(graph.nodes());
  steps.cost.assign(graph.nodes(), 0);
  for (Node n = 0; n < graph.nodes(); ++n) {
    const auto transitions = graph.transitions_of(n);
    if (!graph.goes_on(n) && transitions.empty()) {
      return fail(fmt::format("nothing comes after frame {} of '{}' in the graph", graph.frame_of(n),
                              graph.clips[graph.clip_of(n)].title()));
    }
    steps.to[n] = graph.goes_on(n) ? n + 1 : transitions.front().to;
    if (!graph.goes_on(n)) steps.cost[n] = transitions.front().distance;
  }
  QValues values;
  values.discount = discount;
  values.least.resize(graph.nodes());
  while (values.rounds < kMostSweeps) {
    ++values.rounds;
    evaluate(steps, discount, values.least);
    if (improve(graph, discount, values.least, steps) == 0) break;
    const double share = 1 - 1 / static_cast<double>(values.rounds + 1);
    if (!progress.report(share, "weighing steps")) return fail_as(ErrorKind::kStopped, "stopped while weighing steps");
  }
  return values;
}

}  // namespace loom::machine
