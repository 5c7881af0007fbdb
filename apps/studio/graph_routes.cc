// SPDX-License-Identifier: MIT
// What there is to say about a graph: how well it is connected, why, and what another threshold would give.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/graph/build.h>
#include <loom/graph/explain.h>
#include <loom/graph/measures.h>
#include <loom/picture/png.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kSources = 200;  ///< searches the measures are made from: a page should not wait long
constexpr std::size_t kClosurePixels = 480;
constexpr std::size_t kThresholds = 24;  ///< at which the share of the frames is told

/// A graph without its motion, and the pairs it was chosen from.
struct Told {
  graph::MotionGraph graph;
  std::vector<graph::SimilarPair> pairs;
};

Result<Told> load(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) -> Result<Told> {
    const auto artefact = library.get_artefact(graph::kGraphKind, name);
    if (!artefact) return fail_from(artefact);
    auto graph = graph::graph_from_bytes(artefact->data);
    if (!graph) return fail_from(graph);
    auto pairs = graph::load_pairs(library, name, *graph);
    if (!pairs) return fail_from(pairs);
    return Told{std::move(*graph), std::move(*pairs)};
  });
}

/// What share of all frames would be connected at other thresholds, from the smallest distance found to the largest.
json shares_json(const Told& told) {
  json list = json::array();
  if (told.pairs.empty()) return list;
  const graph::FrameNumbers numbers(told.graph.clips);
  const auto [least, most] = std::minmax_element(told.pairs.begin(), told.pairs.end(),
                                                 [](const auto& a, const auto& b) { return a.distance < b.distance; });
  const double low = std::max(static_cast<double>(least->distance), 1e-9), high = static_cast<double>(most->distance);
  for (std::size_t i = 0; i < kThresholds; ++i) {
    const double t = static_cast<double>(i) / (kThresholds - 1);
    const double threshold = low * std::pow(high / low, t);
    list.push_back({threshold, graph::component_share(numbers, told.pairs, threshold)});
  }
  return list;
}

Result<Response> describe(Studio& studio, const std::string& name) {
  const auto told = load(studio, name);
  if (!told) return fail_from(told);
  const graph::GraphMeasures m = graph::measure(told->graph, {kSources});
  json lost = json::array();
  for (const graph::LostClip& entry : graph::explain_losses(told->graph, told->pairs)) {
    lost.push_back({{"clip", told->graph.clips[entry.clip].title()},
                    {"frames_lost", entry.frames_lost},
                    {"frames", told->graph.clips[entry.clip].frames},
                    {"joins_at", entry.joins_at},
                    {"reason", entry.reason}});
  }
  return json_response({{"name", name},
                        {"rate", told->graph.rate},
                        {"threshold", told->graph.threshold},
                        {"clips", told->graph.clips.size()},
                        {"frames", m.frames},
                        {"nodes", m.nodes},
                        {"transitions", m.transitions},
                        {"component_share", m.component_share},
                        {"mean_transition_s", m.mean_transition_s},
                        {"local_maneuverability_s", m.local_maneuverability_s},
                        {"memory_bytes", m.memory_bytes},
                        {"histogram_bin_s", graph::GraphMeasures::kHistogramBin},
                        {"histogram", m.histogram},
                        {"behaviors", m.behaviors},
                        {"between_s", m.between_s},
                        {"maneuverability_s", m.maneuverability_s},
                        {"shares", shares_json(*told)},
                        {"lost", lost}});
}

/// The transitive closure (Zhao 2009 figure 4.6): what can be reached in the colour of the page's accent, on nothing.
Result<Response> closure(Studio& studio, const std::string& name) {
  const auto told = load(studio, name);
  if (!told) return fail_from(told);
  const auto pixels = graph::closure_picture(told->graph, told->pairs, kClosurePixels);
  picture::Raster raster;
  raster.width = raster.height = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels.size()))));
  for (const std::uint8_t reached : pixels) {
    raster.rgba.insert(raster.rgba.end(), {picture::kCool.r, picture::kCool.g, picture::kCool.b, reached});
  }
  const auto png = picture::to_png(raster);
  if (!png) return fail_from(png);
  Response response;
  response.type = "image/png";
  response.body.assign(png->begin(), png->end());
  return response;
}

json explanation_json(const graph::MotionGraph& graph, const graph::Explanation& e) {
  json best = json::array();
  for (const graph::PossibleTransition& t : e.best) {
    best.push_back({{"from_clip", graph.clips[t.from_clip].name},
                    {"from_title", graph.clips[t.from_clip].title()},
                    {"from_frame", t.from_frame + graph.clips[t.from_clip].offset},
                    {"to_clip", graph.clips[t.to_clip].name},
                    {"to_title", graph.clips[t.to_clip].title()},
                    {"to_frame", t.to_frame + graph.clips[t.to_clip].offset},
                    {"distance", t.distance},
                    {"cost", t.cost},
                    {"in_graph", t.in_graph}});
  }
  return {{"from", e.from},
          {"to", e.to},
          {"connected", e.connected},
          {"quickest_s", e.quickest_s},
          {"mean_s", e.mean_s},
          {"connects_at", e.connects_at},
          {"best", best}};
}

Result<Response> explain(Studio& studio, const std::string& name, const Request& request) {
  const auto told = load(studio, name);
  if (!told) return fail_from(told);
  const auto there = graph::explain(told->graph, told->pairs, request.ask("from"), request.ask("to"), {6, 3});
  if (!there) return fail_from(there);
  const auto back = graph::explain(told->graph, told->pairs, request.ask("to"), request.ask("from"), {6, 3});
  if (!back) return fail_from(back);
  return json_response({{"threshold", told->graph.threshold},
                        {"there", explanation_json(told->graph, *there)},
                        {"back", explanation_json(told->graph, *back)}});
}

Result<Response> remove(Studio& studio, const std::string& name) {
  const auto gone = studio.project().with([&](Library& library) {
    return library.transact([&]() -> Result<void> {
      if (auto ok = library.remove_artefact(graph::kGraphKind, name); !ok) return ok;
      return library.remove_artefact(graph::kPairsKind, name);
    });
  });
  if (!gone) return fail_from(gone);
  studio.tell_changed();
  return json_response({{"removed", name}});
}

}  // namespace

void add_graph_routes(Router& router, Studio& studio) {
  router.add("GET", "api/graphs/*", [&](const Request&, const auto& parts) { return describe(studio, parts[0]); });
  router.add("GET", "api/graphs/*/closure",
             [&](const Request&, const auto& parts) { return closure(studio, parts[0]); });
  router.add("GET", "api/graphs/*/explain",
             [&](const Request& request, const auto& parts) { return explain(studio, parts[0], request); });
  router.add("DELETE", "api/graphs/*", [&](const Request&, const auto& parts) { return remove(studio, parts[0]); });
}

}  // namespace loom::studio
