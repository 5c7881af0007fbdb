// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/graph/labels.h>
#include <loom/graph/told_graph.h>
#include <loom/machine/state_nodes.h>
#include <loom/machine/stored_machine.h>
#include <loom/project/machines.h>

namespace loom::project {
namespace {

using nlohmann::json;

json parameters_of(const std::string& graph, const machine::MineOptions& options, const behavior::StateMachine* hand) {
  return {{"graph", graph},
          {"states_of", hand == nullptr ? json(nullptr) : json(hand->name)},
          {"discount", options.discount},
          {"delta", options.delta},
          {"window_seconds", options.window_seconds},
          {"least_probability", options.least_probability},
          {"longest_cycle_seconds", options.longest_cycle_s}};
}

/// A state for each label of a graph.
std::vector<behavior::MachineState> label_states(const std::vector<std::string>& labels) {
  std::vector<behavior::MachineState> states;
  for (const std::string& label : labels) {
    behavior::MachineState state;
    state.name = label;
    state.takes = {{{label, behavior::Holding::kLabel, false, {}}}};
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace

Result<MinedMachine> mine_machine(library::Library& library, const std::string& name, const std::string& graph,
                                  const machine::MineOptions& options, const behavior::StateMachine* hand,
                                  const Progress& progress) {
  auto told = graph::load_told(library, graph);
  if (!told) return fail_from(told);
  std::vector<std::uint32_t> state_of;
  std::vector<behavior::MachineState> states;
  if (hand != nullptr) {
    auto found = machine::states_of_nodes(library, told->graph, *hand);
    if (!found) return fail_from(found);
    state_of = std::move(*found);
    states = hand->states;
  } else {
    const std::vector<std::string> labels = told->graph.labels();
    if (labels.size() < 2) {
      return fail(fmt::format("a machine has states between which one goes, and graph '{}' has {}", graph,
                              labels.empty() ? "no labels" : "one label, '" + labels.front() + "'"));
    }
    state_of = machine::states_by_label(told->graph, labels);
    states = label_states(labels);
  }
  auto mined = machine::mine(told->graph, state_of, states.size(), options, part_of(progress, 0, 0.9));
  if (!mined) return fail_from(mined);
  MinedMachine result;
  result.machine = machine::to_machine(*mined, name, std::move(states));
  result.missing = machine::find_missing(*mined, told->graph, state_of, told->pairs, hand);
  if (hand != nullptr) {
    auto likeness = machine::compare_with(*mined, *hand);
    if (!likeness) return fail_from(likeness);
    result.likeness = *likeness;
    result.machine.default_state = hand->default_state;
  }
  result.mined = std::move(*mined);
  result.graph = std::move(told->graph);
  const auto stored =
      machine::store_machine(library, name, {result.machine, {}}, json_text(parameters_of(graph, options, hand)));
  if (!stored) return fail_from(stored);
  return result;
}

}  // namespace loom::project
