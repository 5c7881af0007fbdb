// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/behavior/state_graph.h>

namespace loom::behavior {
namespace {

constexpr std::uint32_t kMagic = 0x54534d4c;  ///< "LMST"
constexpr std::uint32_t kVersion = 1;

/// Whether some edge from outside [begin, end) leads to each frame: counted once over all transitions.
std::vector<bool> entered_from_outside(const StateGraph& states) {
  const graph::MotionGraph& graph = states.graph;
  std::vector<bool> entered(graph.nodes());
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (graph.goes_on(n) && states.node_of[n + 1] != states.node_of[n]) entered[n + 1] = true;
    for (const graph::Transition& t : graph.transitions_of(n)) {
      if (states.node_of[t.to] != states.node_of[n] || t.to <= n) entered[t.to] = true;
    }
  }
  return entered;
}

void cut_into_nodes(StateGraph& states, std::span<const graph::Node> action_begins) {
  const graph::MotionGraph& graph = states.graph;
  std::vector<bool> begins(graph.nodes() + 1);
  for (const graph::Node n : action_begins) begins[n] = true;
  const auto whole = [&](graph::Node n) { return states.machine.states[states.state_of[n]].whole; };
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (n == 0 || !graph.goes_on(n - 1) || states.state_of[n] != states.state_of[n - 1]) begins[n] = true;
    for (const graph::Transition& t : graph.transitions_of(n)) {
      if (!whole(n)) begins[n + 1] = true;
      if (!whole(t.to)) begins[t.to] = true;
    }
  }
  states.nodes.clear();
  states.node_of.assign(graph.nodes(), 0);
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (begins[n]) states.nodes.push_back({n, n, states.state_of[n]});
    states.nodes.back().end = n + 1;
    states.node_of[n] = static_cast<std::uint32_t>(states.nodes.size() - 1);
  }
}

/// What a state graph promises to those who play it, routes apart; empty when it holds.
std::string find_fault(const StateGraph& states) {
  const graph::MotionGraph& graph = states.graph;
  if (graph.recorded_clips() != graph.clips.size()) return "it has motion between clips";
  if (states.state_of.size() != graph.nodes()) return "its states do not match its frames";
  for (const std::uint32_t s : states.state_of) {
    if (s >= states.machine.states.size()) return "a frame has a state the machine has not";
  }
  const auto allowed = [&](graph::Node from, graph::Node to) {
    return states.machine.allows(states.state_of[from], states.state_of[to]);
  };
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (graph.goes_on(n) && states.state_of[n] != states.state_of[n + 1] && !allowed(n, n + 1)) {
      return "a recording goes on where the machine does not";
    }
    for (const graph::Transition& t : graph.transitions_of(n)) {
      if (!allowed(n, t.to)) return "a transition is not allowed by the machine";
    }
  }
  graph::Node at = 0;
  for (const StateNode& node : states.nodes) {
    if (node.begin != at || node.end <= at || node.end > graph.nodes()) return "its nodes are not in order";
    for (; at < node.end; ++at) {
      if (states.state_of[at] != node.state || graph.run_of[at] != graph.run_of[node.begin]) {
        return "a node reaches over two states or clips";
      }
    }
  }
  return at == graph.nodes() ? std::string{} : "its nodes are not in order";
}

void number_nodes(StateGraph& states) {
  states.node_of.assign(states.graph.nodes(), 0);
  for (std::uint32_t n = 0; n < states.nodes.size(); ++n) {
    std::fill(states.node_of.begin() + states.nodes[n].begin, states.node_of.begin() + states.nodes[n].end, n);
  }
}

}  // namespace

std::vector<std::uint32_t> StateGraph::nodes_of_state(std::uint32_t state) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].state == state) found.push_back(n);
  }
  return found;
}

std::vector<graph::Node> StateGraph::entries_of(std::uint32_t node) const {
  std::vector<graph::Node> entries;
  for (graph::Node n = nodes[node].begin; n < nodes[node].end; ++n) {
    if (entered[n]) entries.push_back(n);
  }
  return entries;
}

std::size_t StateGraph::memory() const {
  return graph.memory() + (state_of.size() + node_of.size()) * sizeof(std::uint32_t) +
         nodes.size() * sizeof(StateNode) + (routes.to_node.size() + routes.to_state.size()) * sizeof(Step);
}

Result<void> finish_state_graph(StateGraph& states, std::span<const graph::Node> action_begins) {
  cut_into_nodes(states, action_begins);
  states.entered = entered_from_outside(states);
  auto routes = find_routes(states);
  if (!routes) return fail_from(routes);
  states.routes = std::move(*routes);
  return {};
}

std::vector<std::byte> to_bytes(const StateGraph& states) {
  ByteWriter out;
  out.value(kMagic);
  out.value(kVersion);
  out.string(format_machine(states.machine));
  const std::vector<std::byte> graph = graph::to_bytes(states.graph);
  out.array(std::span(graph));
  out.array(std::span(states.state_of));
  out.array(std::span(states.nodes));
  out.array(std::span(states.routes.targets));
  out.array(std::span(states.routes.to_node));
  out.array(std::span(states.routes.to_state));
  return out.take();
}

Result<StateGraph> state_graph_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail("this is not a state graph");
  if (const auto version = in.value<std::uint32_t>(); version != kVersion) {
    return fail_as(
        version > kVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("this state graph is of version {}, and this program reads version {}", version, kVersion));
  }
  StateGraph states;
  const std::string machine = in.string();
  const auto graph = in.array<std::byte>();
  states.state_of = in.array<std::uint32_t>();
  states.nodes = in.array<StateNode>();
  states.routes.targets = in.array<std::uint32_t>();
  states.routes.to_node = in.array<Step>();
  states.routes.to_state = in.array<Step>();
  if (!in.finished()) return fail_as(ErrorKind::kDamaged, "the state graph is damaged: it ends too soon or too late");
  auto parsed = parse_machine(machine, "machine");
  if (!parsed) return fail_as(ErrorKind::kDamaged, "the state graph is damaged: " + parsed.error().to_string());
  states.machine = std::move(*parsed);
  auto frames = graph::graph_from_bytes(graph);
  if (!frames) return fail_from(frames);
  states.graph = std::move(*frames);
  if (const std::string fault = find_fault(states); !fault.empty())
    return fail_as(ErrorKind::kDamaged, "the state graph is damaged: " + fault);
  number_nodes(states);
  states.entered = entered_from_outside(states);
  states.routes.frames = states.graph.nodes();
  states.routes.target_of.assign(states.nodes.size(), StateRoutes::kNoTarget);
  for (std::uint32_t t = 0; t < states.routes.targets.size(); ++t) {
    if (states.routes.targets[t] >= states.nodes.size())
      return fail_as(ErrorKind::kDamaged, "the state graph is damaged: a route leads nowhere");
    states.routes.target_of[states.routes.targets[t]] = t;
  }
  if (const std::string fault = find_route_fault(states); !fault.empty()) {
    return fail_as(ErrorKind::kDamaged, "the state graph is damaged: " + fault);
  }
  return states;
}

}  // namespace loom::behavior
