// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/behavior/state_graph.h>
#include <loom/behavior/state_routes.h>
#include <loom/graph/distances.h>

namespace loom::behavior {
namespace {

constexpr std::uint32_t kLongestWay = 0xfffe;  ///< frames: what a step can say

/// The step from every frame towards the goals that lie `away` frames off. False when a way is too long to say.
bool make_steps(const graph::MotionGraph& graph, const std::vector<std::uint32_t>& away, Step* steps) {
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (away[n] > kLongestWay) return false;
    steps[n] = {static_cast<std::uint16_t>(away[n]), kGoOn};
    if (away[n] == 0 || (graph.goes_on(n) && away[n + 1] + 1 == away[n])) continue;
    const auto transitions = graph.transitions_of(n);
    for (std::size_t t = 0; t < transitions.size(); ++t) {
      if (away[transitions[t].to] + 1 != away[n]) continue;
      steps[n].hop = static_cast<std::uint16_t>(t);
      break;
    }
  }
  return true;
}

std::vector<std::uint32_t> choose_targets(const StateGraph& states) {
  std::vector<bool> wanted(states.machine.states.size());
  for (const MachineTransition& t : states.machine.transitions) {
    if (t.link == Link::kFull) wanted[t.to] = true;
  }
  std::vector<std::uint32_t> targets;
  for (std::uint32_t n = 0; n < states.nodes.size(); ++n) {
    if (wanted[states.nodes[n].state]) targets.push_back(n);
  }
  return targets;
}

std::vector<std::uint32_t> places_of(const StateGraph& states, const std::vector<std::uint32_t>& targets) {
  std::vector<std::uint32_t> places(states.nodes.size(), StateRoutes::kNoTarget);
  for (std::uint32_t t = 0; t < targets.size(); ++t) places[targets[t]] = t;
  return places;
}

std::vector<graph::Node> frames_of_state(const StateGraph& states, std::uint32_t state) {
  std::vector<graph::Node> frames;
  for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
    if (states.state_of[n] == state) frames.push_back(n);
  }
  return frames;
}

/// Whether a step from a frame is possible and leads to a frame that is one nearer.
bool step_holds(const graph::MotionGraph& graph, graph::Node frame, const Step* steps) {
  const Step step = steps[frame];
  if (step.frames == 0) return true;
  const bool possible = step.hop == kGoOn ? graph.goes_on(frame) : step.hop < graph.transitions_of(frame).size();
  return possible && steps[follow(graph, frame, step)].frames + 1 == step.frames;
}

}  // namespace

Result<StateRoutes> find_routes(const StateGraph& states) {
  const graph::MotionGraph& graph = states.graph;
  StateRoutes routes;
  routes.frames = graph.nodes();
  routes.targets = choose_targets(states);
  routes.target_of = places_of(states, routes.targets);
  const std::size_t state_count = states.machine.states.size(), goals = routes.targets.size() + state_count;
  if (goals * routes.frames > kMostRouteBytes / sizeof(Step)) {
    return fail(
        fmt::format("the fully connected transitions ask for the ways from {} frames to {} nodes, too many to "
                    "keep; make fewer of them full",
                    routes.frames, routes.targets.size()));
  }
  const auto room =
      require_memory(static_cast<double>(goals) * static_cast<double>(routes.frames) * sizeof(Step),
                     fmt::format("keeping the quickest ways from {} frames to {} goals", routes.frames, goals),
                     "make fewer transitions full, or label less motion");
  if (!room) return fail_from(room);
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (graph.transitions_of(n).size() >= kGoOn)
      return fail("a frame has more transitions than a route can tell apart");
  }
  routes.to_node.resize(routes.targets.size() * routes.frames);
  routes.to_state.resize(state_count * routes.frames);
  const graph::FramesTo frames_to(graph);
  std::vector<char> found(goals, 1);
  parallel_for(goals, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      const bool node = g < routes.targets.size();
      const std::size_t row = node ? g : g - routes.targets.size();
      const auto away = frames_to.find(node ? states.entries_of(routes.targets[row])
                                            : frames_of_state(states, static_cast<std::uint32_t>(row)));
      Step* steps = (node ? routes.to_node : routes.to_state).data() + row * routes.frames;
      // A state that lost all its motion has no frames to go to; nobody is sent there.
      const bool lost = !node && std::all_of(away.begin(), away.end(), [](auto d) { return d == graph::kUnreached; });
      found[g] = lost || make_steps(graph, away, steps) ? 1 : 0;
    }
  });
  if (std::count(found.begin(), found.end(), 0) > 0) {
    return fail(fmt::format("a way through the graph is longer than {} frames", kLongestWay));
  }
  return routes;
}

std::string find_route_fault(const StateGraph& states) {
  const StateRoutes& routes = states.routes;
  const std::size_t frames = states.graph.nodes();
  if (routes.frames != frames || routes.targets != choose_targets(states) ||
      routes.target_of != places_of(states, routes.targets) ||
      routes.to_node.size() != routes.targets.size() * frames ||
      routes.to_state.size() != states.machine.states.size() * frames) {
    return "its routes do not match its nodes";
  }
  const auto holds = [&](const Step* steps, const auto& is_goal) {
    for (graph::Node n = 0; n < frames; ++n) {
      if (!step_holds(states.graph, n, steps) || (steps[n].frames == 0) != is_goal(n)) return false;
    }
    return true;
  };
  for (std::size_t t = 0; t < routes.targets.size(); ++t) {
    const std::vector<graph::Node> entries = states.entries_of(routes.targets[t]);
    const auto is_goal = [&](graph::Node n) { return std::binary_search(entries.begin(), entries.end(), n); };
    if (!holds(routes.to_node.data() + t * frames, is_goal)) return "a route does not lead to its goal";
  }
  for (std::uint32_t s = 0; s < states.machine.states.size(); ++s) {
    if (std::find(states.state_of.begin(), states.state_of.end(), s) == states.state_of.end()) continue;
    const auto is_goal = [&](graph::Node n) { return states.state_of[n] == s; };
    if (!holds(routes.to_state.data() + s * frames, is_goal)) return "a route does not lead to its state";
  }
  return {};
}

}  // namespace loom::behavior
