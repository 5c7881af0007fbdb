// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/graph/build.h>
#include <loom/graph/components.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/told_graph.h>
#include <loom/project/select_graph.h>
#include <loom/take/gather.h>

namespace loom::project {
namespace {

using nlohmann::json;

json requirement_json(const graph::Requirement& requirement) {
  return {{"requirement", static_cast<int>(requirement.need)},
          {"within", requirement.within},
          {"roughness", requirement.roughness},
          {"frame", requirement.frame}};
}

graph::Requirement requirement_from(const json& told) {
  graph::Requirement requirement;
  const auto number = [&](const char* key, double otherwise) {
    return told.is_object() && told.contains(key) && told[key].is_number() ? told[key].get<double>() : otherwise;
  };
  const double need = number("requirement", 1);
  for (const graph::Need known :
       {graph::Need::kWithin, graph::Need::kQuickest, graph::Need::kMotionEnd, graph::Need::kSmooth}) {
    if (need == static_cast<int>(known)) requirement.need = known;
  }
  requirement.within = number("within", requirement.within);
  requirement.roughness = number("roughness", requirement.roughness);
  requirement.frame = number("frame", requirement.frame);
  return requirement;
}

/// The whole graph's parameters, and what was selected of it.
std::string parameters_of(const std::string& whole, const SelectSettings& settings) {
  json parameters = parse_json(whole);
  if (!parameters.is_object()) parameters = json::object();
  json between = json::array();
  for (const graph::RequirementBetween& entry : settings.between) {
    json told = requirement_json(entry.requirement);
    told["from"] = entry.from;
    told["to"] = entry.to;
    between.push_back(std::move(told));
  }
  parameters["selected_from"] = settings.graph;
  parameters["keys"] = settings.keys;
  parameters["picked"] = settings.picked;
  parameters["asked"] = requirement_json(settings.usual);
  parameters["asked_between"] = std::move(between);
  return json_text(parameters);
}

/// The pairs between clips that are left, counted through these.
std::vector<graph::SimilarPair> pairs_left(const graph::MotionGraph& whole, const graph::MotionGraph& part,
                                           const std::vector<graph::SimilarPair>& pairs) {
  const graph::FrameNumbers before({whole.clips.data(), whole.recorded_clips()});
  const graph::FrameNumbers after({part.clips.data(), part.recorded_clips()});
  constexpr std::uint32_t kGone = ~std::uint32_t{0};
  std::vector<std::uint32_t> to(whole.recorded_clips(), kGone);
  std::uint32_t next = 0;
  for (std::uint32_t c = 0; c < to.size() && next < part.recorded_clips(); ++c) {
    const take::Stretch &here = whole.clips[c], &there = part.clips[next];
    if (here == there) to[c] = next++;
  }
  const auto moved = [&](std::uint32_t frame) {
    const std::uint32_t clip = before.clip_of(frame);
    return to[clip] == kGone ? kGone : after.first(to[clip]) + (frame - before.first(clip));
  };
  std::vector<graph::SimilarPair> left;
  for (graph::SimilarPair pair : pairs) {
    pair.a = moved(pair.a);
    pair.b = moved(pair.b);
    if (pair.a != kGone && pair.b != kGone) left.push_back(pair);
  }
  return left;
}

/// What an earlier selection has and asks for comes first.
Result<void> take_over(const library::Library& library, const graph::MotionGraph& whole, SelectSettings& settings) {
  const auto earlier = select_settings_of(library, settings.add_to);
  if (!earlier) return fail_from(earlier);
  if (earlier->graph != settings.graph) {
    return fail_as(ErrorKind::kBadInput, fmt::format("graph '{}' was selected from '{}', not from '{}'",
                                                     settings.add_to, earlier->graph, settings.graph));
  }
  const auto artefact = library.get_artefact(graph::kGraphKind, settings.add_to);
  if (!artefact) return fail_from(artefact);
  const auto part = graph::graph_from_bytes(artefact->data);
  if (!part) return fail_from(part);
  auto nodes = nodes_in_whole(*part, whole);
  if (!nodes) {
    return fail_because(nodes.error(), fmt::format("graph '{}' has frames that '{}' has not; select it again",
                                                   settings.add_to, settings.graph));
  }
  settings.options.start = std::move(*nodes);
  std::vector<std::string> keys = earlier->keys;
  for (const std::string& key : settings.keys) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  settings.keys = std::move(keys);
  settings.picked.insert(settings.picked.begin(), earlier->picked.begin(), earlier->picked.end());
  settings.between.insert(settings.between.begin(), earlier->between.begin(), earlier->between.end());
  return {};
}

Result<void> check_between(const SelectSettings& settings) {
  for (const graph::RequirementBetween& between : settings.between) {
    for (const std::string& name : {between.from, between.to}) {
      if (std::find(settings.keys.begin(), settings.keys.end(), name) != settings.keys.end()) continue;
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("something is asked of the ways between '{}' and '{}', but '{}' is no key motion",
                                 between.from, between.to, name));
    }
  }
  return {};
}

/// Adds the frames that were picked to those the selection begins with.
Result<void> begin_with_picked(const graph::MotionGraph& whole, const std::vector<graph::SimilarPair>& pairs,
                               SelectSettings& settings, std::vector<std::string>& notes) {
  const auto picked = graph::read_keys(whole, pairs, settings.picked);
  if (!picked) return fail_from(picked);
  for (const graph::KeyMotion& motion : picked->keys) {
    for (graph::Node node = motion.begin; node < motion.end; ++node) settings.options.start.push_back(node);
  }
  notes.insert(notes.end(), picked->notes.begin(), picked->notes.end());
  return {};
}

/// Of some nodes of a graph, ascending, those that lead to one of them and that it leads to, so that a walk never ends
/// in a corner.
std::vector<graph::Node> without_dead_ends(const graph::MotionGraph& whole, const std::vector<graph::Node>& nodes,
                                           graph::Node centre) {
  const graph::MotionGraph part = graph::sub_graph(whole, nodes);
  std::vector<std::uint32_t> first{0}, targets;
  for (graph::Node node = 0; node < part.nodes(); ++node) {
    if (part.goes_on(node)) targets.push_back(node + 1);
    for (const graph::Transition& transition : part.transitions_of(node)) targets.push_back(transition.to);
    first.push_back(static_cast<std::uint32_t>(targets.size()));
  }
  const graph::Components components = graph::find_components({first, targets});
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), centre) - nodes.begin();
  const std::uint32_t wanted = components.of[static_cast<std::size_t>(at)];
  std::vector<graph::Node> left;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (components.of[i] == wanted) left.push_back(nodes[i]);
  }
  return left;
}

}  // namespace

Result<std::vector<graph::Node>> nodes_in_whole(const graph::MotionGraph& part, const graph::MotionGraph& whole) {
  std::vector<std::uint32_t> clip_to(part.clips.size());
  const auto same = [&](const graph::GraphClip& here, const graph::GraphClip& there) {
    if (here.mix.has_value() != there.mix.has_value()) return false;
    if (!here.mix) return static_cast<const take::Stretch&>(here) == there;
    take::Mix mix = *here.mix;
    mix.a = clip_to[mix.a];
    mix.b = clip_to[mix.b];
    return mix == *there.mix;
  };
  std::uint32_t next = 0;
  for (std::size_t c = 0; c < part.clips.size(); ++c, ++next) {
    while (next < whole.clips.size() && !same(part.clips[c], whole.clips[next])) ++next;
    if (next == whole.clips.size()) return fail_as(ErrorKind::kNotFound, "a clip is not in the whole graph");
    clip_to[c] = next;
  }
  std::vector<graph::Node> nodes;
  for (graph::Node n = 0; n < part.nodes(); ++n) {
    const auto node = whole.node_at(clip_to[part.clip_of(n)], part.frame_of(n));
    if (!node) return fail_as(ErrorKind::kNotFound, "a frame is not in the whole graph");
    nodes.push_back(*node);
  }
  return nodes;
}

Result<SelectSettings> select_settings_of(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(graph::kGraphKind, name);
  if (!artefact) return fail_from(artefact);
  const json told = parse_json(artefact->info.parameters);
  const bool selected = told.is_object() && told.contains("selected_from") && told["selected_from"].is_string() &&
                        told.contains("keys") && told["keys"].is_array();
  if (!selected) return fail_as(ErrorKind::kBadInput, fmt::format("graph '{}' was not selected from another", name));
  SelectSettings settings;
  settings.graph = told["selected_from"].get<std::string>();
  for (const json& key : told["keys"]) {
    if (key.is_string()) settings.keys.push_back(key.get<std::string>());
  }
  if (told.contains("picked") && told["picked"].is_array()) {
    for (const json& stretch : told["picked"]) {
      if (stretch.is_string()) settings.picked.push_back(stretch.get<std::string>());
    }
  }
  if (told.contains("asked")) settings.usual = requirement_from(told["asked"]);
  if (told.contains("asked_between") && told["asked_between"].is_array()) {
    for (const json& entry : told["asked_between"]) {
      if (!entry.is_object() || !entry.contains("from") || !entry.contains("to")) continue;
      if (!entry["from"].is_string() || !entry["to"].is_string()) continue;
      settings.between.push_back(
          {entry["from"].get<std::string>(), entry["to"].get<std::string>(), requirement_from(entry)});
    }
  }
  return settings;
}

Result<SelectedGraph> select_graph(library::Library& library, const std::string& name, const SelectSettings& given,
                                   const Progress& progress) {
  SelectSettings settings = given;
  if (name == settings.graph) {
    return fail_setting({"name"}, "a selected graph needs another name than the graph it is selected from");
  }
  const auto whole_artefact = library.get_artefact(graph::kGraphKind, settings.graph);
  if (!whole_artefact) return fail_from(whole_artefact);
  auto told = graph::load_told(library, settings.graph);
  if (!told) return fail_from(told);
  const graph::MotionGraph& whole = told->graph;
  take::AgainOptions again;
  again.input_hash = whole_artefact->info.input_hash;
  again.made = fmt::format("the graph '{}' was built", settings.graph);
  again.remedy = "build it again";
  const auto unchanged = take::check_unchanged(library, graph::stretches_of(whole.clips), whole.rate, again);
  if (!unchanged) return fail_from(unchanged);
  if (!settings.add_to.empty()) {
    if (const auto taken = take_over(library, whole, settings); !taken) return fail_from(taken);
  }
  if (const auto sound = check_between(settings); !sound) return fail_from(sound);

  SelectedGraph selected;
  auto keys = graph::read_keys(whole, told->pairs, settings.keys);
  if (!keys) return fail_from(keys);
  selected.keys = std::move(*keys);
  if (const auto added = begin_with_picked(whole, told->pairs, settings, selected.keys.notes); !added) {
    return fail_from(added);
  }
  const graph::SelectionTask task{selected.keys.keys, settings.usual, settings.between, settings.strict};
  auto selection = graph::select(whole, task, settings.options, part_of(progress, 0, 0.9));
  if (!selection) return fail_from(selection);
  selected.selection = std::move(*selection);
  if (!settings.picked.empty()) {
    std::vector<graph::Node>& nodes = selected.selection.nodes;
    auto left = without_dead_ends(whole, nodes, selected.keys.keys.front().begin);
    selected.left_out = nodes.size() - left.size();
    nodes = std::move(left);
  }
  const auto judge = graph::SelectionJudge::make(whole, task, part_of(progress, 0.9, 1));
  if (!judge) return fail_from(judge);
  selected.judgement = judge->judge(selected.selection.nodes);
  selected.whole_nodes = whole.nodes();
  selected.whole_edges = whole.edges();
  selected.graph = graph::sub_graph(whole, selected.selection.nodes);

  graph::Built built;
  built.graph = selected.graph;
  built.pairs = pairs_left(whole, selected.graph, told->pairs);
  const auto hash = take::check_unchanged(library, graph::stretches_of(selected.graph.clips), whole.rate);
  if (!hash) return fail_from(hash);
  take::Gathered source;
  source.input_hash = *hash;
  const auto stored =
      graph::store(library, name, built, source, parameters_of(whole_artefact->info.parameters, settings));
  if (!stored) return fail_from(stored);
  return selected;
}

}  // namespace loom::project
