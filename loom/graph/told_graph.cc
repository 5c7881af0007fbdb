// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/memory.h>
#include <loom/graph/build.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/stored_labels.h>
#include <loom/graph/told_graph.h>

namespace loom::graph {
namespace {

using nlohmann::json;

constexpr double kFrameBytes = 40;  ///< taken by what is told: numbers of frames, edges, components, searches

/// Names come from files and need not be valid UTF-8; a bad byte is replaced rather than thrown over.
std::string text(const json& value) { return json_text(value); }

json or_null(double value) { return std::isfinite(value) ? json(value) : json(); }
/// Of a clip that is gone the graph's own word must do for how many frames it had, and a damaged one may say anything.
Result<void> require_room(const MotionGraph& graph) {
  double frames = 0;
  for (const GraphClip& clip : graph.clips) frames += clip.frames;
  return require_memory(frames * kFrameBytes, fmt::format("telling of a graph of {:.0f} frames", frames),
                        "build a smaller one");
}

json or_null(bool there, double value) { return there ? or_null(value) : json(); }

/// Whether the parameters a graph was built with name joint angles as its metric.
bool compares_joints(const std::string& parameters) {
  const json read = parse_json(parameters);
  return read.is_object() && read.contains("metric") && read["metric"] == "joints";
}

}  // namespace

std::string ToldGraph::distance(double value) const {
  if (!in_square_metres) return fmt::format("{:.4g} radians", value);
  return fmt::format("{:.4g} ({:.2f} cm)", value, centimetres_of(value));
}

Result<BareGraph> load_bare(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kGraphKind, name);
  if (!artefact) return fail_from(artefact);
  auto graph = graph_from_bytes(artefact->data);
  if (!graph)
    return fail_because(graph.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("graph '{}': {}", name, graph.error().message), library.path());
  auto gone = look_up_known_labels(library, *graph);
  if (!gone) return fail_from(gone);
  if (const auto room = require_room(*graph); !room) return fail_from(room);
  return BareGraph{std::move(*graph), std::move(*gone), artefact->info.parameters};
}

Result<ToldGraph> load_told(const library::Library& library, const std::string& name) {
  auto bare = load_bare(library, name);
  if (!bare) return fail_from(bare);
  auto pairs = load_pairs(library, name, bare->graph);
  if (!pairs) return fail_from(pairs);
  return ToldGraph{std::move(bare->graph), std::move(*pairs), std::move(bare->gone),
                   !compares_joints(bare->parameters)};
}

std::string measures_json(const MotionGraph& graph, const GraphMeasures& m) {
  json between = json::object(), maneuverability = json::object(), waits = json::object();
  for (std::size_t r = 0; r < m.behaviors.size(); ++r) {
    for (std::size_t c = 0; c < m.behaviors.size(); ++c) {
      between[m.behaviors[r]][m.behaviors[c]] = or_null(m.between_s[r * m.behaviors.size() + c]);
      waits[m.behaviors[r]][m.behaviors[c]] = or_null(m.maneuverability_between_s[r * m.behaviors.size() + c]);
    }
    maneuverability[m.behaviors[r]] = or_null(m.maneuverability_s[r]);
  }
  return text({{"clip_count", graph.recorded_clips()},
               {"rate", graph.rate},
               {"threshold", graph.threshold},
               {"frames", m.frames},
               {"nodes", m.nodes},
               {"recorded_nodes", m.recorded_nodes},
               {"edges", m.edges},
               {"transitions", m.transitions},
               {"component_share", m.component_share},
               {"memory_bytes", m.memory_bytes},
               {"mean_time_s", or_null(m.mean_transition_s)},
               {"mean_transition_s", or_null(m.mean_transition_s)},
               {"sources", m.sources},
               {"histogram_bin_s", GraphMeasures::kHistogramBin},
               {"histogram", m.histogram},
               {"behaviors", m.behaviors},
               {"missing_behaviors", m.missing},
               {"between_s", between},
               {"maneuverability_s", maneuverability},
               {"maneuverability_between_s", waits},
               {"maneuverability_histogram", m.maneuverability_histogram},
               {"local_maneuverability_s", or_null(m.local_maneuverability_s)}});
}

std::string losses_json(const ToldGraph& told, const Progress& progress) {
  json lost = json::array();
  for (const LostClip& entry : explain_losses(told.graph, told.pairs, progress)) {
    const GraphClip& clip = told.graph.clips[entry.clip];
    lost.push_back({{"clip", clip.title()},
                    {"frames_lost", entry.frames_lost},
                    {"frames", clip.frames},
                    {"joins_at", or_null(entry.joins_at >= 0, entry.joins_at)},
                    {"reason", entry.reason}});
  }
  return text(lost);
}

std::string explanation_json(const MotionGraph& graph, const Explanation& e) {
  json best = json::array();
  for (const PossibleTransition& t : e.best) {
    const GraphClip &from = graph.clips[t.from_clip], &to = graph.clips[t.to_clip];
    best.push_back({{"from_clip", from.name},
                    {"from_title", from.title()},
                    {"from_frame", t.from_frame + from.begin},
                    {"to_clip", to.name},
                    {"to_title", to.title()},
                    {"to_frame", t.to_frame + to.begin},
                    {"distance", t.distance},
                    {"cost", t.cost},
                    {"in_graph", t.in_graph}});
  }
  json route = json::array();
  for (const RouteStretch& stretch : e.route) {
    const GraphClip& clip = graph.clips[stretch.clip];
    route.push_back({{"clip", clip.name},
                     {"title", clip.title()},
                     {"from", stretch.from + clip.begin},
                     {"to", stretch.to + clip.begin}});
  }
  return text({{"from", e.from},
               {"to", e.to},
               {"connected", e.connected},
               {"quickest_s", or_null(e.connected, e.quickest_s)},
               {"mean_s", or_null(e.connected, e.mean_s)},
               {"connects_at", or_null(e.connects_at >= 0, e.connects_at)},
               {"route", route},
               {"best", best}});
}

}  // namespace loom::graph
