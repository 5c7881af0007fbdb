// SPDX-License-Identifier: MIT
// Picking a small graph by hand (Zhao 2009 §5.5): how well what was picked connects the key motions.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/graph/select/select.h>

#include "studio/pick_judge.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostStretches = 2000;   ///< key motions and picked ones, each
constexpr std::size_t kMostKeyFrames = 5000;   ///< a search each
constexpr std::uint64_t kLongestWay = 100000;  ///< frames

/// A stretch of a clip of the library, seconds.
struct PickRange {
  std::string clip;
  double begin = 0, end = 0;
};

std::vector<PickRange> read_ranges(const Fields& body, const char* name) {
  const json& list = body.at(name);
  if (!list.is_null() && !list.is_array()) throw WrongField(fmt::format("'{}' must be a list", name));
  if (list.size() > kMostStretches) throw WrongField(fmt::format("'{}' has too many entries", name));
  std::vector<PickRange> ranges;
  for (const json& entry : list) {
    if (!entry.is_object()) throw WrongField(fmt::format("an entry of '{}' must be an object", name));
    const Fields fields(entry);
    ranges.push_back({fields.text("clip"), fields.number("begin", 0), fields.number("end", 0)});
  }
  return ranges;
}

/// The nodes of a stretch, as the graph has them: none of what was lost to pruning.
std::vector<PickedNodes> nodes_of(const graph::MotionGraph& graph, const PickRange& range) {
  const auto frame = [&](double seconds) { return to_whole<std::uint32_t>(std::round(seconds * graph.rate)); };
  const std::uint32_t begin = frame(range.begin), end = frame(range.end);
  std::vector<PickedNodes> nodes;
  for (const graph::Run& run : graph.runs) {
    const graph::GraphClip& clip = graph.clips[run.clip];
    if (clip.name != range.clip || clip.mirrored || clip.mix) continue;
    const std::uint32_t first = std::max(begin, clip.begin + run.begin), last = std::min(end, clip.begin + run.end);
    if (first < last)
      nodes.push_back({run.node_at(first - clip.begin), run.node_at(first - clip.begin) + (last - first)});
  }
  return nodes;
}

double share(std::size_t part, std::size_t all) {
  return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
}

/// {"keys": [{"clip": "16_11", "begin": 0.6, "end": 2}], "picked": [...], "within": 40}.
Result<Response> judge(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  const graph::MotionGraph& graph = *(*stored)->graph;
  std::vector<std::vector<PickedNodes>> keys;
  std::size_t key_frames = 0;
  json key_sizes = json::array();
  for (const PickRange& range : read_ranges(body, "keys")) {
    keys.push_back(nodes_of(graph, range));
    std::size_t frames = 0;
    for (const PickedNodes& nodes : keys.back()) frames += nodes.end - nodes.begin;
    key_frames += frames;
    key_sizes.push_back(frames);
  }
  if (key_frames > kMostKeyFrames) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("{} key frames are too many; choose shorter key motions", key_frames));
  }
  std::vector<PickedNodes> picked;
  for (const PickRange& range : read_ranges(body, "picked")) {
    const auto nodes = nodes_of(graph, range);
    picked.insert(picked.end(), nodes.begin(), nodes.end());
  }
  const auto within = static_cast<std::uint32_t>(std::min(kLongestWay, body.whole("within", 40)));
  const PickJudgement judged = judge_picked(graph, keys, picked, within);
  json pairs = json::array();
  for (const PickedPair& pair : judged.pairs) {
    pairs.push_back({{"from", pair.from},
                     {"to", pair.to},
                     {"connected_share", share(pair.connected, pair.asked)},
                     {"satisfied_share", share(pair.quick, pair.asked)},
                     {"mean_frames", pair.connected == 0 ? json() : json(pair.mean_frames)}});
  }
  return json_response({{"rate", graph.rate},
                        {"graph_frames", graph.nodes()},
                        {"frames", judged.frames},
                        {"edges", judged.edges},
                        {"key_frames", judged.key_frames},
                        {"frames_of_keys", key_sizes},
                        {"connected_share", share(judged.connected, judged.asked)},
                        {"satisfied_share", share(judged.quick, judged.asked)},
                        {"mean_frames", judged.connected == 0 ? json() : json(judged.mean_frames)},
                        {"pairs", std::move(pairs)}});
}

/// The key motions of a request, a piece of a run each.
std::vector<graph::KeyMotion> key_motions(const graph::MotionGraph& graph, const std::vector<PickRange>& ranges) {
  std::vector<graph::KeyMotion> keys;
  for (const PickRange& range : ranges) {
    for (const PickedNodes& nodes : nodes_of(graph, range)) {
      keys.push_back({fmt::format("{} from {:.1f} s on", range.clip, range.begin), nodes.begin, nodes.end});
    }
  }
  return keys;
}

/// Recorded nodes as stretches of clips, those that follow each other as one.
json stretches_json(const graph::MotionGraph& graph, const std::vector<graph::Node>& nodes) {
  json list = json::array();
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1 &&
           graph.run_of[nodes[end]] == graph.run_of[nodes[i]]) {
      ++end;
    }
    const graph::GraphClip& clip = graph.clips[graph.clip_of(nodes[i])];
    const std::uint32_t first = clip.begin + graph.frame_of(nodes[i]);
    if (!clip.mix && !clip.mirrored) {
      list.push_back({{"clip", clip.name},
                      {"begin", first / graph.rate},
                      {"end", static_cast<double>(first + (end - i)) / graph.rate}});
    }
    i = end;
  }
  return list;
}

/// What the program picks so that key motions lead to each other in time: {"keys": ..., "picked": ..., "within": 40}.
/// What was picked is kept and costs nothing.
Result<Response> finish(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  const graph::MotionGraph& graph = *(*stored)->graph;
  graph::SelectionTask task;
  task.keys = key_motions(graph, read_ranges(body, "keys"));
  task.usual.within = static_cast<double>(std::min(kLongestWay, body.whole("within", 40)));
  graph::SelectOptions options;
  options.bound = false;
  for (const PickRange& range : read_ranges(body, "picked")) {
    for (const PickedNodes& nodes : nodes_of(graph, range)) {
      for (graph::Node node = nodes.begin; node < nodes.end; ++node) options.start.push_back(node);
    }
  }
  std::vector<std::vector<PickedNodes>> keys;
  for (const graph::KeyMotion& key : task.keys) keys.push_back({{key.begin, key.end}});
  const PickedNodes whole{0, static_cast<graph::Node>(graph.nodes())};
  const PickJudgement best =
      judge_picked(graph, keys, std::span(&whole, 1), to_whole<std::uint32_t>(task.usual.within));
  const auto selected = graph::select(graph, task, options, until(body.stopped()));
  if (!selected) return fail_from(selected);
  std::vector<bool> is_key(graph.nodes());
  for (const graph::KeyMotion& key : task.keys) std::fill(is_key.begin() + key.begin, is_key.begin() + key.end, true);
  std::vector<graph::Node> between;
  for (const graph::Node node : selected->nodes) {
    if (!is_key[node]) between.push_back(node);
  }
  return json_response({{"picked", stretches_json(graph, between)},
                        {"frames", selected->nodes.size()},
                        {"best_share", share(best.quick, best.asked)}});
}

}  // namespace

void add_pick_routes(Router& router, Studio& studio) {
  router.add_post(
      "api/graphs/*/finish",
      [&studio](const Fields& body, const auto& parts) { return finish(studio, parts[0], body); }, Lane::kLong);
  router.add_post(
      "api/graphs/*/pick", [&studio](const Fields& body, const auto& parts) { return judge(studio, parts[0], body); },
      Lane::kLong);
}

}  // namespace loom::studio
