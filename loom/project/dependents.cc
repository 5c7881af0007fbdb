// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_graph.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/stored_family.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/artefact_kinds.h>
#include <loom/machine/build.h>
#include <loom/policy/fragments.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/project/dependents.h>

namespace loom::project {
namespace {

using library::ArtefactInfo;

/// The clips that something was built of, each once and by name; none of what is not built of clips.
Result<std::set<std::string>> clips_in(const library::Library& library, const ArtefactInfo& info) {
  std::set<std::string> names;
  const auto take = [&](const auto& clips) {
    for (const auto& clip : clips) names.insert(clip.name);
  };
  const bool built_of_clips = info.kind == graph::kGraphKind || info.kind == behavior::kStatesKind ||
                              info.kind == policy::kFragmentsKind || info.kind == blend::kFamilyKind ||
                              info.kind == machine::kBuiltMachineKind;
  if (!built_of_clips) return names;
  const auto artefact = library.get_artefact(info.kind, info.name);
  if (!artefact) return names;  // whoever has to remove damage is not to fail on other damage
  if (info.kind == graph::kGraphKind) {
    if (const auto graph = graph::graph_from_bytes(artefact->data)) take(graph->clips);
  } else if (info.kind == behavior::kStatesKind) {
    if (const auto states = behavior::state_graph_from_bytes(artefact->data)) take(states->graph.clips);
  } else if (info.kind == policy::kFragmentsKind) {
    if (const auto set = policy::fragments_from_bytes(artefact->data)) take(set->clips);
  } else if (info.kind == machine::kBuiltMachineKind) {
    if (const auto built = machine::built_machine_from_bytes(artefact->data)) {
      names.insert(built->clips.begin(), built->clips.end());
    }
  } else if (const auto family = blend::family_from_bytes(artefact->data)) {
    take(family->members);
  }
  return names;
}

/// The artefact that another was built of, as "kind 'name'"; empty for what is built of clips.
std::string built_of(const ArtefactInfo& info) {
  const library::ArtefactKind* kind = library::find_artefact_kind(info.kind);
  if (kind == nullptr || kind->built_of.empty()) return {};
  // Its parameters name what it was built of under the kind of that; where they do not, the two have one name.
  const auto parameters = parse_json(info.parameters);
  const std::string key(kind->built_of);
  const bool named =
      !kind->goes_along && parameters.is_object() && parameters.contains(key) && parameters[key].is_string();
  return fmt::format("{} '{}'", key, named ? parameters[key].get<std::string>() : info.name);
}

bool is_among(const ArtefactInfo& info, const std::vector<ArtefactInfo>& those) {
  return std::any_of(those.begin(), those.end(),
                     [&](const ArtefactInfo& other) { return other.kind == info.kind && other.name == info.name; });
}

}  // namespace

Result<std::vector<Dependent>> find_dependents(const library::Library& library, const Removal& removal) {
  const auto all = library.artefacts();
  if (!all) return fail_from(all);
  std::set<std::string> lost;  // "kind 'name'" of what goes or depends on it
  for (const ArtefactInfo& info : removal.artefacts) lost.insert(fmt::format("{} '{}'", info.kind, info.name));
  std::vector<Dependent> dependents;
  // What is built of clips comes before what is trained on it.
  for (const ArtefactInfo& info : *all) {
    if (removal.clips.empty() || is_among(info, removal.artefacts)) continue;
    const auto clips = clips_in(library, info);
    if (!clips) return fail_from(clips);
    Dependent dependent{info, {}};
    for (const library::ClipInfo& clip : removal.clips) {
      if (clips->contains(clip.name)) dependent.needs.push_back(fmt::format("clip '{}'", clip.name));
    }
    if (dependent.needs.empty()) continue;
    lost.insert(fmt::format("{} '{}'", info.kind, info.name));
    dependents.push_back(std::move(dependent));
  }
  for (const ArtefactInfo& info : *all) {
    const std::string ground = built_of(info);
    if (info.kind == graph::kPairsKind) continue;  // nobody uses them but with their graph
    if (is_among(info, removal.artefacts) || ground.empty() || !lost.contains(ground)) continue;
    dependents.push_back({info, {ground}});
  }
  return dependents;
}

Result<void> add_what_goes_along(const library::Library& library, Removal& removal) {
  const auto all = library.artefacts();
  if (!all) return fail_from(all);
  const std::vector<ArtefactInfo> named = removal.artefacts;
  for (const ArtefactInfo& info : *all) {
    const library::ArtefactKind* kind = library::find_artefact_kind(info.kind);
    if (kind == nullptr || !kind->goes_along || is_among(info, named)) continue;
    const bool goes = std::any_of(named.begin(), named.end(), [&](const ArtefactInfo& other) {
      return other.kind == kind->built_of && other.name == info.name;
    });
    if (goes) removal.artefacts.push_back(info);
  }
  return {};
}

Result<void> remove(library::Library& library, const Removal& removal) {
  return library.transact([&]() -> Result<void> {
    for (const library::ClipInfo& clip : removal.clips) {
      if (auto gone = library.remove_clip(clip.name); !gone) return gone;
    }
    for (const ArtefactInfo& info : removal.artefacts) {
      if (auto gone = library.remove_artefact(info.kind, info.name); !gone) return gone;
    }
    return {};
  });
}

Result<void> remove_artefact(library::Library& library, const std::string& kind, const std::string& name) {
  return library.transact([&]() -> Result<void> {
    Removal removal;
    removal.artefacts.push_back({kind, name, 0, {}, {}, {}, 0});
    if (auto added = add_what_goes_along(library, removal); !added) return added;
    return remove(library, removal);
  });
}

}  // namespace loom::project
