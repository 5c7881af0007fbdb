// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/behavior/state_table.h>

namespace loom::behavior {
namespace {

/// Mean over the nodes of a state of the time between each one's end and the beginning of `target`.
double mean_time_to(const StateGraph& states, const std::vector<std::uint32_t>& sources, std::uint32_t target) {
  double sum = 0;
  for (const std::uint32_t n : sources) {
    const std::uint16_t frames = states.routes.to(target, states.nodes[n].end - 1).frames;
    sum += frames > 0 ? frames - 1 : 0;
  }
  return sources.empty() ? 0 : sum / static_cast<double>(sources.size()) / states.graph.rate;
}

void measure_each(const StateGraph& states, StatePairTime& time) {
  const std::vector<std::uint32_t> sources = states.nodes_of_state(time.from), targets = states.nodes_of_state(time.to);
  double sum = 0, within = 0;
  time.worst_to_each_s = 0;
  for (const std::uint32_t target : targets) {
    const double mean = mean_time_to(states, sources, target);
    sum += mean;
    within += mean <= kPromptSeconds ? 1 : 0;
    time.worst_to_each_s = std::max(time.worst_to_each_s, mean);
  }
  time.mean_to_each_s = sum / static_cast<double>(targets.size());
  time.share_within = within / static_cast<double>(targets.size());
}

void measure_nearest(const StateGraph& states, StatePairTime& time) {
  double sum = 0;
  std::size_t count = 0;
  for (graph::Node n = 0; n < states.graph.nodes(); ++n) {
    if (states.state_of[n] != time.from) continue;
    const double seconds = states.routes.towards(time.to, n).frames / states.graph.rate;
    sum += seconds;
    time.worst_to_nearest_s = std::max(time.worst_to_nearest_s, seconds);
    ++count;
  }
  time.mean_to_nearest_s = sum / static_cast<double>(count);
}

}  // namespace

StateTable measure_states(const StateGraph& states) {
  StateTable table;
  for (const MachineState& state : states.machine.states) table.states.push_back({state.name, 0, 0, 0});
  for (const StateNode& node : states.nodes) {
    StateRow& row = table.states[node.state];
    row.nodes += 1;
    row.frames += node.end - node.begin;
  }
  for (StateRow& row : table.states) {
    if (row.nodes > 0)
      row.mean_length_s = static_cast<double>(row.frames) / states.graph.rate / static_cast<double>(row.nodes);
  }
  const auto count = static_cast<std::uint32_t>(table.states.size());
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = 0; to < count; ++to) {
      if (from == to || table.states[from].nodes == 0 || table.states[to].nodes == 0) continue;
      StatePairTime time;
      time.from = from;
      time.to = to;
      const MachineTransition* transition = states.machine.find_transition(from, to);
      time.direct = transition != nullptr;
      if (transition != nullptr) time.link = transition->link;
      if (time.link == Link::kFull) measure_each(states, time);
      measure_nearest(states, time);
      table.times.push_back(time);
    }
  }
  return table;
}

}  // namespace loom::behavior
