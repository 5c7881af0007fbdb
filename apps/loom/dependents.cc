// SPDX-License-Identifier: MIT
#include "loom/dependents.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_graph.h>
#include <loom/blend/family/family.h>
#include <loom/graph/stored_graph.h>
#include <loom/policy/fragments.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/policy.h>

namespace loom::app {
namespace {

using library::ArtefactInfo;

/// The clips that something was built of, each once and by name; none of what is not built of clips.
Result<std::set<std::string>> clips_in(const library::Library& library, const ArtefactInfo& info) {
  std::set<std::string> names;
  const auto take = [&](const auto& clips) {
    for (const auto& clip : clips) names.insert(clip.name);
  };
  const bool built_of_clips = info.kind == graph::kGraphKind || info.kind == behavior::kStatesKind ||
                              info.kind == policy::kFragmentsKind || info.kind == blend::kFamilyKind;
  if (!built_of_clips) return names;
  const auto artefact = library.get_artefact(info.kind, info.name);
  if (!artefact) return names;  // whoever has to remove damage is not to fail on other damage
  if (info.kind == graph::kGraphKind) {
    if (const auto graph = graph::graph_from_bytes(artefact->data)) take(graph->clips);
  } else if (info.kind == behavior::kStatesKind) {
    if (const auto states = behavior::state_graph_from_bytes(artefact->data)) take(states->graph.clips);
  } else if (info.kind == policy::kFragmentsKind) {
    if (const auto set = policy::fragments_from_bytes(artefact->data)) take(set->clips);
  } else if (const auto family = blend::family_from_bytes(artefact->data)) {
    take(family->members);
  }
  return names;
}

/// What a policy was trained on, as "kind 'name'"; empty for all else.
std::string trained_on(const ArtefactInfo& info) {
  const auto told = [](const char* kind, const std::string& name) { return fmt::format("{} '{}'", kind, name); };
  if (info.kind == policy::kGraphPolicyKind) return told(graph::kGraphKind, info.name);
  if (info.kind != policy::kPolicyKind) return {};
  const auto parameters = parse_json(info.parameters);
  const bool named = parameters.is_object() && parameters.contains("fragments") && parameters["fragments"].is_string();
  return told(policy::kFragmentsKind, named ? parameters["fragments"].get<std::string>() : info.name);
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
    const std::string ground = trained_on(info);
    if (is_among(info, removal.artefacts) || ground.empty() || !lost.contains(ground)) continue;
    dependents.push_back({info, {ground}});
  }
  return dependents;
}

}  // namespace loom::app
