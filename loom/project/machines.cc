// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
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

/// Metres, metres a second or radians a second by which examples must differ for it to be felt.
constexpr double kFelt = 0.2;

/// What of a state a family could be made of.
Result<blend::FamilyOptions> family_options(const behavior::MachineState& state) {
  blend::FamilyOptions options;
  options.leave_out_strangers = true;
  for (const behavior::TakenMotion& taken : state.takes.front()) {
    if (taken.holding == behavior::Holding::kClip) options.clips.push_back(taken.name);
    if (taken.holding == behavior::Holding::kLabel) options.label = taken.name;
  }
  if (state.takes.front().size() > 1 && !options.label.empty()) {
    return fail("a family is made of one label, or of clips");
  }
  options.kind = blend::guess_kind(options.label.empty() ? state.name : options.label);
  if (!options.kind) return fail("its name does not say what its motions vary in");
  return options;
}

Result<blend::Family> family_of(const library::Library& library, const behavior::MachineState& state) {
  const behavior::TakenMotion& first = state.takes.front().front();
  if (first.holding == behavior::Holding::kFamily) {
    auto stored = blend::load_family(library, first.name);
    if (!stored) return fail_from(stored);
    return *stored->family;
  }
  const auto options = family_options(state);
  if (!options) return fail_from(options);
  auto built = blend::build_family(library, *options);
  if (!built) return fail_from(built);
  return std::move(built->family);
}

/// The range of each parameter, where it can be felt.
std::vector<StateParameter> varying(const blend::Family& family) {
  std::vector<StateParameter> varies;
  const std::size_t size = family.space.size();
  for (std::size_t p = 0; p < size; ++p) {
    const blend::FamilyParameter& parameter = family.space.parameters[p];
    StateParameter range{parameter.name, parameter.unit, family.values[p], family.values[p]};
    for (std::size_t m = 0; m < family.members.size(); ++m) {
      range.least = std::min(range.least, family.values[m * size + p]);
      range.most = std::max(range.most, family.values[m * size + p]);
    }
    if ((range.most - range.least) * std::abs(family.space.scales[p]) >= kFelt) varies.push_back(std::move(range));
  }
  return varies;
}

}  // namespace

StateFamily look_for_family(const library::Library& library, const behavior::MachineState& state) {
  StateFamily found;
  const auto family = family_of(library, state);
  if (!family) {
    found.why_not = family.error().message;
    return found;
  }
  found.kind = blend::to_string(family->space.kind);
  found.examples = family->members.size();
  found.varies = varying(*family);
  return found;
}

Result<MinedMachine> mine_machine(library::Library& library, const std::string& name, const std::string& graph,
                                  const machine::MineOptions& options, const behavior::StateMachine* hand,
                                  bool families, const Progress& progress) {
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
  auto mined = machine::mine(told->graph, state_of, states.size(), options, part_of(progress, 0, families ? 0.2 : 0.9));
  if (!mined) return fail_from(mined);
  MinedMachine result;
  for (std::size_t s = 0; families && s < states.size(); ++s) {
    const double share = 0.2 + 0.7 * static_cast<double>(s) / static_cast<double>(states.size());
    if (!progress.report(share, "looking for families")) return fail_as(ErrorKind::kStopped, "stopped while mining");
    result.families.push_back(look_for_family(library, states[s]));
  }
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
