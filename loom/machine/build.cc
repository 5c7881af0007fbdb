// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <loom/base/progress_part.h>
#include <loom/machine/build.h>
#include <loom/machine/detail/fill_states.h>
#include <loom/machine/detail/find_transitions.h>
#include <loom/machine/stored_machine.h>
#include <loom/machine/ways.h>

namespace loom::machine {
namespace {

Result<void> check(const BuildOptions& options) {
  if (!(options.rate >= 10 && options.rate <= 240)) return fail_setting({"rate"}, "a rate lies in [10, 240] a second");
  if (!(options.transition_seconds >= 0.05 && options.transition_seconds <= 2)) {
    return fail_setting({"seconds"}, "a transition takes 0.05 to 2 seconds");
  }
  if (!(options.patience >= 0 && options.longest_wait > 0 && options.most_cycle_cost > 0)) {
    return fail("patience is not negative, and a wait and a cost are positive");
  }
  if (!(options.shortest_cycle >= 0.2 && options.longest_cycle <= 30 &&
        options.shortest_cycle < options.longest_cycle)) {
    return fail_setting({"cycle"}, "a cycle takes 0.2 to 30 seconds");
  }
  return {};
}

/// What follows a motion that ends: what the machine says, the default state, or what is likeliest.
std::optional<std::size_t> after(const behavior::StateMachine& machine, std::size_t state) {
  if (machine.states[state].after) return machine.states[state].after;
  if (state != machine.default_state && machine.allows(state, machine.default_state)) return machine.default_state;
  std::optional<std::size_t> likeliest;
  double probability = 0;
  for (const Edge& edge : edges_of(machine)) {
    if (edge.from == state && edge.probability > probability) likeliest = edge.to, probability = edge.probability;
  }
  return likeliest;
}

}  // namespace

Result<BuiltMachine> build(const library::Library& library, const behavior::StateMachine& machine,
                           const BuildOptions& wanted, const Progress& progress) {
  BuildOptions options = wanted;
  if (options.rate == 0) {
    const auto rate = usual_rate(library, machine);
    if (!rate) return fail_from(rate);
    options.rate = *rate;
  }
  if (const auto sound = check(options); !sound) return fail_from(sound);
  if (const auto connected = behavior::check_connected(machine); !connected) return fail_from(connected);
  BuiltMachine built;
  built.machine = machine;
  auto filled = fill_states(library, built.machine, options, part_of(progress, 0, 0.6));
  if (!filled) return fail_from(filled);
  built.states = std::move(filled->states);
  built.clips.assign(filled->clips.begin(), filled->clips.end());
  for (std::size_t s = 0; s < built.states.size(); ++s) {
    if (!built.states[s].cyclic) built.states[s].after = after(machine, s);
  }
  auto transitions = find_transitions(built.states, built.machine, options, part_of(progress, 0.6, 1));
  if (!transitions) return fail_from(transitions);
  built.transitions = std::move(*transitions);
  return built;
}

Result<BuiltMachine> change_warps(const BuiltMachine& built, std::size_t from, std::size_t to,
                                  std::vector<behavior::MachineWarp> warps, const BuildOptions& wanted) {
  BuildOptions options = wanted;
  options.rate = built.rate();
  if (const auto sound = check(options); !sound) return fail_from(sound);
  if (from == to || !built.machine.allows(from, to)) return fail("there is no such transition between two states");
  BuiltMachine changed = built;
  const auto between = [&](const auto& one) { return one.from == from && one.to == to; };
  std::erase_if(changed.machine.warps, between);
  for (behavior::MachineWarp& warp : warps) {
    warp.from = from;
    warp.to = to;
    if (warp.pinned || warp.out) changed.machine.warps.push_back(std::move(warp));
  }
  auto found = find_transitions_between(from, to, changed.states, changed.machine, options);
  if (!found) return fail_from(found);
  std::erase_if(changed.transitions, between);
  const auto place = std::find_if(changed.transitions.begin(), changed.transitions.end(),
                                  [&](const auto& one) { return one.from != from ? one.from > from : one.to > to; });
  changed.transitions.insert(place, found->begin(), found->end());
  return changed;
}

Result<void> store_built_machine(library::Library& library, const std::string& name, const BuiltMachine& built,
                                 const std::string& parameters) {
  return library.put_artefact({kBuiltMachineKind, name, 0, parameters, {}, {}, 0}, to_bytes(built));
}

Result<std::shared_ptr<const BuiltMachine>> load_built_machine(const library::Library& library,
                                                               const std::string& name) {
  const auto built = library.artefacts(kBuiltMachineKind);
  if (!built) return fail_from(built);
  const bool there =
      std::any_of(built->begin(), built->end(), [&](const library::ArtefactInfo& info) { return info.name == name; });
  if (!there) {
    const auto machines = library.get_artefact(kMachineKind, name);
    if (!machines) return fail_from(machines);
    return fail_as(ErrorKind::kNotFound, fmt::format("machine '{}' has no motion yet; build it first", name));
  }
  const auto artefact = library.get_artefact(kBuiltMachineKind, name);
  if (!artefact) return fail_from(artefact);
  auto read = built_machine_from_bytes(artefact->data);
  if (!read) {
    return fail_because(read.error(), fmt::format("machine '{}': {}", name, read.error().message), library.path());
  }
  return std::make_shared<const BuiltMachine>(std::move(*read));
}

}  // namespace loom::machine
