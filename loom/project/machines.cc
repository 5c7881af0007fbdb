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
#include <loom/graph/stored_graph.h>
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

/// The labels of a graph that stretches carry of which a state can be made.
std::vector<std::string> labels_of_stretches(const graph::MotionGraph& graph) {
  std::vector<std::string> labels = graph.labels();
  std::erase_if(labels, [&](const std::string& name) {
    const auto lasts = [&](const motion::Label& label) {
      return label.name == name && label.end - label.begin >= machine::kShortestState;
    };
    return std::none_of(graph.clips.begin(), graph.clips.end(), [&](const graph::GraphClip& clip) {
      return std::any_of(clip.labels.begin(), clip.labels.end(), lasts);
    });
  });
  return labels;
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

/// The states that are mined, and which of them each node of the graph belongs to.
struct StatesInGraph {
  std::vector<behavior::MachineState> states;
  std::vector<std::uint32_t> of_nodes;
};
Result<StatesInGraph> states_in(const library::Library& library, const std::string& name,
                                const graph::MotionGraph& graph, const behavior::StateMachine* hand) {
  if (hand != nullptr) {
    auto found = machine::states_of_nodes(library, graph, *hand);
    if (!found) return fail_from(found);
    return StatesInGraph{hand->states, std::move(*found)};
  }
  const std::vector<std::string> labels = labels_of_stretches(graph);
  if (labels.size() < 2) {
    return fail(fmt::format("a machine has states between which one goes, and graph '{}' has {}", name,
                            labels.empty() ? "no labels" : "one label, '" + labels.front() + "'"));
  }
  return StatesInGraph{label_states(labels), machine::states_by_label(graph, labels)};
}

/// Options out of what `parameters_of` wrote; what is not there, or of another kind, is as usual.
machine::MineOptions options_in(const json& parameters) {
  machine::MineOptions options;
  const auto number = [&](const char* name, double& value) {
    const auto found = parameters.find(name);
    if (found != parameters.end() && found->is_number()) value = found->get<double>();
  };
  number("discount", options.discount);
  number("delta", options.delta);
  number("window_seconds", options.window_seconds);
  number("least_probability", options.least_probability);
  number("longest_cycle_seconds", options.longest_cycle_s);
  return options;
}

json parameters_of(const machine::BuildOptions& options, double rate) {
  return {{"rate", rate},
          {"rate_given", options.rate > 0},
          {"transition_seconds", options.transition_seconds},
          {"shortest_cycle_seconds", options.shortest_cycle},
          {"longest_cycle_seconds", options.longest_cycle},
          {"patience", options.patience},
          {"longest_wait_seconds", options.longest_wait},
          {"most_cycle_cost", options.most_cycle_cost},
          {"body", options.body},
          {"parametric", options.parametric}};
}

/// Options out of what the one above wrote; what is not there, or of another kind, is as usual.
machine::BuildOptions build_options_in(const json& parameters) {
  machine::BuildOptions options;
  const auto read = [&](const char* name, auto& value, bool (json::*is)() const noexcept) {
    const auto found = parameters.find(name);
    if (found != parameters.end() && ((*found).*is)()) found->get_to(value);
  };
  bool rate_given = false;
  read("rate_given", rate_given, &json::is_boolean);
  if (rate_given) read("rate", options.rate, &json::is_number);
  read("transition_seconds", options.transition_seconds, &json::is_number);
  read("shortest_cycle_seconds", options.shortest_cycle, &json::is_number);
  read("longest_cycle_seconds", options.longest_cycle, &json::is_number);
  read("patience", options.patience, &json::is_number);
  read("longest_wait_seconds", options.longest_wait, &json::is_number);
  read("most_cycle_cost", options.most_cycle_cost, &json::is_number);
  read("body", options.body, &json::is_string);
  read("parametric", options.parametric, &json::is_boolean);
  return options;
}

/// The transitions of `wanted` between states that `states` have too, by their names.
behavior::StateMachine in_terms_of(const behavior::StateMachine& wanted,
                                   const std::vector<behavior::MachineState>& states) {
  behavior::StateMachine same;
  same.name = wanted.name;
  same.states = states;
  for (const behavior::MachineTransition& t : wanted.transitions) {
    const auto from = same.find_state(wanted.states[t.from].name), to = same.find_state(wanted.states[t.to].name);
    if (!from || !to) continue;
    same.transitions.push_back(t);
    same.transitions.back().from = *from;
    same.transitions.back().to = *to;
  }
  return same;
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
  auto states = states_in(library, graph, told->graph, hand);
  if (!states) return fail_from(states);
  auto mined = machine::mine(told->graph, states->of_nodes, states->states.size(), options,
                             part_of(progress, 0, families ? 0.2 : 0.9));
  if (!mined) return fail_from(mined);
  MinedMachine result;
  for (std::size_t s = 0; families && s < states->states.size(); ++s) {
    const double share = 0.2 + 0.7 * static_cast<double>(s) / static_cast<double>(states->states.size());
    if (!progress.report(share, "looking for families")) return fail_as(ErrorKind::kStopped, "stopped while mining");
    result.families.push_back(look_for_family(library, states->states[s]));
  }
  result.machine = machine::to_machine(*mined, name, std::move(states->states));
  result.missing = machine::find_missing(*mined, told->graph, states->of_nodes, told->pairs, hand);
  if (hand != nullptr) {
    auto likeness = machine::compare_with(*mined, *hand);
    if (!likeness) return fail_from(likeness);
    result.likeness = *likeness;
    result.machine.default_state = hand->default_state;
  }
  result.mined = std::move(*mined);
  result.graph = std::move(told->graph);
  const auto stored = put_machine(library, name, result.machine, json_text(parameters_of(graph, options, hand)));
  if (!stored) return fail_from(stored);
  return result;
}

ClipFrame clip_frame(const graph::MotionGraph& graph, const graph::FrameNumbers& numbers, std::uint32_t frame) {
  const graph::GraphClip& clip = graph.clips[numbers.clip_of(frame)];
  return {clip.title(), clip.begin + frame - numbers.first(numbers.clip_of(frame))};
}

Result<MachineGaps> find_gaps(const library::Library& library, const std::string& name,
                              const behavior::StateMachine* wanted, const Progress& progress) {
  const auto stored = machine::load_machine(library, name);
  if (!stored) return fail_from(stored);
  const json parameters = parse_json(stored->parameters);
  const auto graph = parameters.is_object() ? parameters.find("graph") : parameters.end();
  const auto graphs = library.artefacts(graph::kGraphKind);
  if (!graphs) return fail_from(graphs);
  const auto is_it = [&](const library::ArtefactInfo& info) { return info.name == graph->get<std::string>(); };
  MachineGaps gaps;
  if (graph == parameters.end() || !graph->is_string() || std::none_of(graphs->begin(), graphs->end(), is_it)) {
    return gaps;
  }
  auto told = graph::load_told(library, graph->get<std::string>());
  if (!told) return fail_from(told);
  const auto states_of = parameters.find("states_of");
  const bool by_label = states_of == parameters.end() || states_of->is_null();
  auto states =
      states_in(library, graph->get<std::string>(), told->graph, by_label ? nullptr : &stored->machine.machine);
  if (!states) return fail_from(states);
  const auto mined =
      machine::mine(told->graph, states->of_nodes, states->states.size(), options_in(parameters), progress);
  if (!mined) return fail_from(mined);
  behavior::StateMachine asked;
  if (wanted != nullptr) asked = in_terms_of(*wanted, states->states);
  gaps.mined = true;
  gaps.missing =
      machine::find_missing(*mined, told->graph, states->of_nodes, told->pairs, wanted != nullptr ? &asked : nullptr);
  gaps.graph = std::move(told->graph);
  return gaps;
}

Result<void> put_machine(library::Library& library, const std::string& name, const behavior::StateMachine& machine,
                         const std::string& parameters) {
  return library.transact([&]() -> Result<void> {
    const auto built = library.artefacts(machine::kBuiltMachineKind);
    if (!built) return fail_from(built);
    const bool there =
        std::any_of(built->begin(), built->end(), [&](const library::ArtefactInfo& info) { return info.name == name; });
    if (there) {
      if (auto gone = library.remove_artefact(machine::kBuiltMachineKind, name); !gone) return gone;
    }
    return machine::store_machine(library, name, {machine, {}}, parameters);
  });
}

Result<machine::BuiltMachine> build_machine(library::Library& library, const std::string& name,
                                            const machine::BuildOptions& options, const Progress& progress) {
  auto stored = machine::load_machine(library, name);
  if (!stored) return fail_from(stored);
  auto built = machine::build(library, stored->machine.machine, options, progress);
  if (!built) return fail_from(built);
  machine::BehaviorMachine& kept = stored->machine;
  kept.machine = built->machine;
  const auto done = library.transact([&]() -> Result<void> {
    if (auto put = machine::store_machine(library, name, kept, stored->parameters); !put) return put;
    return machine::store_built_machine(library, name, *built, json_text(parameters_of(options, built->rate())));
  });
  if (!done) return fail_from(done);
  return built;
}

Result<machine::BuildOptions> built_with(const library::Library& library, const std::string& name) {
  const auto built = library.artefacts(machine::kBuiltMachineKind);
  if (!built) return fail_from(built);
  for (const library::ArtefactInfo& info : *built) {
    if (info.name == name) return build_options_in(parse_json(info.parameters));
  }
  return machine::BuildOptions{};
}

Result<void> change_warps(library::Library& library, const std::string& name, std::size_t from, std::size_t to,
                          std::vector<behavior::MachineWarp> warps, const Progress& progress) {
  auto stored = machine::load_machine(library, name);
  if (!stored) return fail_from(stored);
  const auto options = built_with(library, name);
  if (!options) return fail_from(options);
  behavior::StateMachine& machine = stored->machine.machine;
  if (from == to) {
    std::erase_if(machine.warps, [&](const auto& warp) { return warp.from == from && warp.to == to; });
    machine.warps.insert(machine.warps.end(), warps.begin(), warps.end());
    return library.transact([&]() -> Result<void> {
      if (auto put = machine::store_machine(library, name, stored->machine, stored->parameters); !put) return put;
      const auto built = build_machine(library, name, *options, progress);
      if (!built) return fail_from(built);
      return {};
    });
  }
  const auto built = machine::load_built_machine(library, name);
  if (!built) return fail_from(built);
  machine::BuiltMachine now = **built;
  now.machine = machine;  // ways may have been preferred since it was built
  const auto changed = machine::change_warps(now, from, to, std::move(warps), *options);
  if (!changed) return fail_from(changed);
  machine = changed->machine;
  return library.transact([&]() -> Result<void> {
    if (auto put = machine::store_machine(library, name, stored->machine, stored->parameters); !put) return put;
    return machine::store_built_machine(library, name, *changed, json_text(parameters_of(*options, changed->rate())));
  });
}

}  // namespace loom::project
