// SPDX-License-Identifier: MIT
// What there is to say about a graph: how well it is connected, why, and what another threshold would give.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/hash.h>
#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/graph/build.h>
#include <loom/graph/told_graph.h>
#include <loom/picture/png.h>
#include <loom/project/dependents.h>

#include "studio/measure_cache.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kSources = 200;  ///< searches the measures are made from: a page should not wait long
constexpr std::size_t kClosurePixels = 480;
constexpr std::size_t kThresholds = 24;  ///< at which the share of the frames is told

Result<graph::ToldGraph> load_graph(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) { return graph::load_told(library, name); });
}

/// What share of all frames would be connected at other thresholds, from the smallest distance found to the largest.
json shares_json(const graph::ToldGraph& told) {
  json list = json::array();
  if (told.pairs.empty()) return list;
  const graph::FrameNumbers numbers(std::span(told.graph.clips).first(told.graph.recorded_clips()));
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

/// What is known of a graph without measuring anything: enough to walk on it.
Result<Response> outline(Studio& studio, const std::string& name, const Request&) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  const graph::MotionGraph& graph = *(*stored)->graph;
  std::size_t frames = 0;
  for (std::size_t c = 0; c < graph.recorded_clips(); ++c) frames += graph.clips[c].frames;
  return json_response({{"name", name},
                        {"frames", frames},
                        {"nodes", graph.recorded_nodes()},
                        {"transitions", graph.transitions.size()},
                        {"threshold", graph.threshold},
                        {"behaviors", graph.labels()}});
}

/// Names all that measures of a graph are made of.
std::string key_of(const graph::ToldGraph& told) {
  constexpr const char* kFormat = "measures 1";  // counted up when other things are measured, or otherwise
  const auto bytes = graph::to_bytes(told.graph);
  std::string all = kFormat + std::string(1, '\0') + (told.in_square_metres ? 'm' : 'r');
  for (const std::string& gone : told.gone) all += gone + '\0';
  all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const graph::GraphClip& clip : told.graph.clips) {  // which they have now, whatever they had when it was built
    for (const motion::Label& label : clip.labels)
      all += fmt::format("{}\n{} {}\n", label.name, label.begin, label.end);
  }
  static_assert(sizeof(graph::SimilarPair) == 12, "no bytes between its members");
  all.append(reinterpret_cast<const char*>(told.pairs.data()), told.pairs.size() * sizeof(graph::SimilarPair));
  return content_hash(std::as_bytes(std::span(all)));
}

/// What was measured of graphs, as it was told: it takes seconds of a graph of hundreds of clips, and is asked for with
/// every visit of the page. A graph that was built anew, or whose labels have changed, is another object. What was
/// measured by an earlier studio is found in the user's cache.
class Measured {
 public:
  [[nodiscard]] const MeasureCache& cache() const { return cache_; }
  [[nodiscard]] std::string find(const std::string& name,
                                 const std::shared_ptr<const graph::StoredGraph>& graph) const {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(name);
    return found != kept_.end() && found->second.graph.lock() == graph ? found->second.told : "";
  }
  void keep(const std::string& name, const std::shared_ptr<const graph::StoredGraph>& graph, std::string told) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= kKept) kept_.clear();
    kept_[name] = {graph, std::move(told)};
  }

 private:
  static constexpr std::size_t kKept = 64;  ///< some kilobytes each
  struct Told {
    std::weak_ptr<const graph::StoredGraph> graph;
    std::string told;
  };
  const MeasureCache cache_ = MeasureCache::of_user();
  mutable std::mutex mutex_;
  std::map<std::string, Told> kept_;
};

/// Everything that is measured of a graph; fails when it is stopped, since what was found by then is not all.
Result<json> measure(const graph::ToldGraph& told, const std::stop_token& stopped) {
  const Progress progress = until(stopped);
  const graph::GraphMeasures measures = graph::measure(told.graph, {kSources}, progress);
  if (stopped.stop_requested()) return fail_as(ErrorKind::kStopped, "stopped while measuring");
  json about = parse_json(graph::measures_json(told.graph, measures));
  about["shares"] = shares_json(told);
  about["lost"] = parse_json(graph::losses_json(told, progress));
  if (stopped.stop_requested()) return fail_as(ErrorKind::kStopped, "stopped while measuring");
  return about;
}

Result<Response> describe(Studio& studio, const std::string& name, const Request& request, Measured& measured) {
  // Telling of a graph takes no motion: where that is damaged, it is told of all the same, and not kept.
  const auto stored = studio.project().graph(name);
  if (stored) {
    if (std::string known = measured.find(name, *stored); !known.empty()) {
      Response response;
      response.body = std::move(known);
      return response;
    }
  }
  const auto told = load_graph(studio, name);
  if (!told) return fail_from(told);
  const std::string key = key_of(*told);
  const auto kept = measured.cache().find(key);
  json about = kept ? parse_json(*kept) : json();
  if (!about.is_object()) {
    auto made = measure(*told, request.stopped);
    if (!made) return fail_from(made);
    about = std::move(*made);
    measured.cache().keep(key, json_text(about));
  }
  about["name"] = name;
  Response response = json_response(about);
  if (stored) measured.keep(name, *stored, response.body);
  return response;
}

/// The transitive closure (Zhao 2009 figure 4.6): what can be reached in the colour of the page's accent, on nothing.
Result<Response> closure(Studio& studio, const std::string& name, const Request&) {
  const auto told = load_graph(studio, name);
  if (!told) return fail_from(told);
  const auto pixels = graph::closure_picture(told->graph, told->pairs, kClosurePixels);
  picture::Raster raster;
  raster.width = raster.height = to_whole<std::size_t>(std::round(std::sqrt(static_cast<double>(pixels.size()))));
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

Result<Response> explain(Studio& studio, const std::string& name, const Request& request) {
  const auto told = load_graph(studio, name);
  if (!told) return fail_from(told);
  const auto there = graph::explain(told->graph, told->pairs, request.ask("from"), request.ask("to"), {6, 3});
  if (!there) return fail_from(there);
  const auto back = graph::explain(told->graph, told->pairs, request.ask("to"), request.ask("from"), {6, 3});
  if (!back) return fail_from(back);
  const auto way = [&](const auto& told_way) { return parse_json(graph::explanation_json(told->graph, told_way)); };
  return json_response({{"threshold", told->graph.threshold}, {"there", way(*there)}, {"back", way(*back)}});
}

Result<Response> remove(Studio& studio, const std::string& name, const Request& request) {
  const auto gone = studio.project().change(
      request.stopped, [&](Library& library) { return project::remove_artefact(library, graph::kGraphKind, name); });
  if (!gone) return fail_from(gone);
  studio.tell_changed();
  return json_response({{"removed", name}});
}

}  // namespace

void add_graph_routes(Router& router, Studio& studio) {
  const auto add = [&](const char* method, const char* pattern, Lane lane, auto act) {
    router.add(
        method, pattern,
        [&studio, act](const Request& request, const auto& parts) { return act(studio, parts[0], request); }, lane);
  };
  const auto measured = std::make_shared<Measured>();
  add("GET", "api/graphs/*", Lane::kLong, [measured](Studio& asked, const std::string& name, const Request& request) {
    return describe(asked, name, request, *measured);
  });
  add("GET", "api/graphs/*/outline", Lane::kLong, outline);
  add("GET", "api/graphs/*/closure", Lane::kLong, closure);
  add("GET", "api/graphs/*/explain", Lane::kLong, explain);
  add("DELETE", "api/graphs/*", Lane::kChange, remove);
}

}  // namespace loom::studio
