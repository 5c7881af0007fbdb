// SPDX-License-Identifier: MIT
// Picking a small graph by hand (Zhao 2009 §5.5): how well what was picked connects the key motions, what the program
// adds to it, and keeping what came of it as a graph.
#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/graph/select/judge.h>
#include <loom/graph/select/select.h>
#include <loom/project/select_graph.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostStretches = 2000;   ///< key motions and picked ones, each
constexpr std::size_t kMostKeyFrames = 5000;   ///< a search each
constexpr double kLongestSearchedWay = 10000;  ///< frames

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

/// Frames of a stretch, [first, second), counted at the graph's rate from the beginning of the library's clip.
std::pair<std::uint32_t, std::uint32_t> frames_of(const graph::MotionGraph& graph, const PickRange& range) {
  const auto frame = [&](double seconds) { return to_whole<std::uint32_t>(std::round(seconds * graph.rate)); };
  return {frame(range.begin), frame(range.end)};
}

/// A stretch as `graph::read_keys` reads it, with the last frame named.
std::string text_of(const graph::MotionGraph& graph, const PickRange& range) {
  const auto [begin, end] = frames_of(graph, range);
  return fmt::format("{}:{}-{}", range.clip, begin, std::max(begin + 1, end) - 1);
}

/// A stretch as the graph has it, a piece of a run each: nothing of what was lost to pruning.
std::vector<graph::KeyMotion> motions_of(const graph::MotionGraph& graph, const PickRange& range) {
  const auto [begin, end] = frames_of(graph, range);
  std::vector<graph::KeyMotion> motions;
  for (const graph::Run& run : graph.runs) {
    const graph::GraphClip& clip = graph.clips[run.clip];
    if (clip.name != range.clip || clip.mirrored || clip.mix) continue;
    const std::uint32_t first = std::max(begin, clip.begin + run.begin), last = std::min(end, clip.begin + run.end);
    if (first >= last) continue;
    const graph::Node node = run.node_at(first - clip.begin);
    motions.push_back({text_of(graph, range), node, node + (last - first)});
  }
  return motions;
}

/// 1 to 4 as Zhao 2009 §5.2 numbers them, and frames (for the fourth: of eq. 5.2).
graph::Requirement read_requirement(const Fields& body) {
  graph::Requirement requirement;
  const std::uint64_t number = body.whole("requirement", 1);
  if (number < 1 || number > 4) throw WrongField("'requirement' must be 1, 2, 3 or 4");
  requirement.need = static_cast<graph::Need>(number);
  requirement.within = body.number("within", requirement.within);
  if (!(requirement.within >= 1 && requirement.within <= kLongestSearchedWay)) {
    throw WrongField(fmt::format("'within' must be 1 to {:.0f} frames", kLongestSearchedWay));
  }
  return requirement;
}

/// What a page asks: {"keys": [{"clip": "16_11", "begin": 0.6, "end": 2}], "picked": [...], "requirement": 1,
/// "within": 40}.
struct PickAsked {
  std::shared_ptr<const graph::StoredGraph> stored;
  graph::SelectionTask task;
  std::vector<std::uint32_t> range_of;    ///< of each key motion, the stretch that it is of
  std::vector<std::size_t> key_sizes;     ///< of each stretch: frames that the graph has
  std::vector<graph::Node> picked;        ///< nodes, as they were named
  std::vector<std::string> keys, others;  ///< as `graph::read_keys` reads them; of what was picked, what the graph has

  [[nodiscard]] const graph::MotionGraph& graph() const { return *stored->graph; }
};

Result<PickAsked> read_asked(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  PickAsked asked;
  asked.stored = *stored;
  asked.task.usual = read_requirement(body);
  std::size_t key_frames = 0;
  for (const PickRange& range : read_ranges(body, "keys")) {
    const auto stretch = static_cast<std::uint32_t>(asked.key_sizes.size());
    asked.key_sizes.push_back(0);
    asked.keys.push_back(text_of(asked.graph(), range));
    for (graph::KeyMotion& motion : motions_of(asked.graph(), range)) {
      asked.key_sizes.back() += motion.frames();
      asked.range_of.push_back(stretch);
      asked.task.keys.push_back(std::move(motion));
    }
    key_frames += asked.key_sizes.back();
  }
  if (key_frames > kMostKeyFrames) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("{} key frames are too many; choose shorter key motions", key_frames));
  }
  for (const PickRange& range : read_ranges(body, "picked")) {
    const auto motions = motions_of(asked.graph(), range);
    if (!motions.empty()) asked.others.push_back(text_of(asked.graph(), range));
    for (const graph::KeyMotion& motion : motions) {
      for (graph::Node node = motion.begin; node < motion.end; ++node) asked.picked.push_back(node);
    }
  }
  return asked;
}

/// The judge that was needed last. It stays for as long as the graph, the key motions and what is asked of them do, so
/// that what the whole graph can do is found once, however often something else is picked.
class LastJudge {
 public:
  /// One at a time: who asks for the same meanwhile finds it made.
  Result<std::shared_ptr<const graph::SelectionJudge>> of(const PickAsked& asked, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    if (judge_ && stored_ == asked.stored && same(task_, asked.task)) return judge_;
    auto made = graph::SelectionJudge::make(asked.graph(), asked.task, progress);
    if (!made) return fail_from(made);
    // It goes by the graph, which therefore stays with it.
    judge_ = std::shared_ptr<const graph::SelectionJudge>(
        new graph::SelectionJudge(std::move(*made)),
        [stored = asked.stored](const graph::SelectionJudge* judge) { delete judge; });
    stored_ = asked.stored;
    task_ = asked.task;
    return judge_;
  }

 private:
  static bool same(const graph::SelectionTask& a, const graph::SelectionTask& b) {
    return a.usual.need == b.usual.need && a.usual.within == b.usual.within &&
           std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                      [](const auto& x, const auto& y) { return x.begin == y.begin && x.end == y.end; });
  }

  std::mutex mutex_;
  std::shared_ptr<const graph::StoredGraph> stored_;
  graph::SelectionTask task_;
  std::shared_ptr<const graph::SelectionJudge> judge_;
};

/// Of all ways, those that the whole graph cannot make as short as asked either.
double beyond_share(const graph::Judgement& judged) {
  std::size_t asked = 0;
  for (const graph::PairJudgement& pair : judged.pairs) asked += pair.asked;
  return asked == 0 ? 0 : static_cast<double>(judged.beyond) / static_cast<double>(asked);
}

Result<Response> judge(Studio& studio, LastJudge& judges, const std::string& name, const Fields& body) {
  const auto asked = read_asked(studio, name, body);
  if (!asked) return fail_from(asked);
  const auto judge = judges.of(*asked, until(body.stopped()));
  if (!judge) return fail_from(judge);
  const graph::Judgement judged = (*judge)->judge(asked->picked);
  json pairs = json::array();
  for (const graph::PairJudgement& pair : judged.pairs) {
    const double connected = static_cast<double>(pair.connected) / static_cast<double>(pair.asked);
    pairs.push_back({{"from", asked->range_of[pair.from]},
                     {"to", asked->range_of[pair.to]},
                     {"connected_share", connected},
                     {"satisfied_share", pair.share()},
                     {"mean_frames", pair.connected == 0 ? json() : json(pair.mean_frames)},
                     {"best_frames", pair.best_frames}});
  }
  return json_response({{"rate", asked->graph().rate},
                        {"graph_frames", asked->graph().nodes()},
                        {"frames", judged.frames},
                        {"edges", judged.edges},
                        {"key_frames", judged.key_frames},
                        {"frames_of_keys", asked->key_sizes},
                        {"key_texts", asked->keys},
                        {"picked_texts", asked->others},
                        {"connected_share", judged.connected_share},
                        {"satisfied_share", judged.satisfied_share},
                        {"beyond_share", beyond_share(judged)},
                        {"mean_frames", judged.connected_share > 0 ? json(judged.mean_frames) : json()},
                        {"best_frames", judged.best_frames},
                        {"pairs", std::move(pairs)}});
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

/// As a page and a job select; what it adds depends on nothing else.
graph::SelectOptions select_options() {
  graph::SelectOptions options;
  options.bound = false;
  return options;
}

/// What the program picks so that what is asked is met. What was picked is kept and costs nothing.
Result<Response> finish(Studio& studio, LastJudge& judges, const std::string& name, const Fields& body) {
  const auto asked = read_asked(studio, name, body);
  if (!asked) return fail_from(asked);
  const graph::MotionGraph& graph = asked->graph();
  graph::SelectOptions options = select_options();
  options.start = asked->picked;
  const auto selected = graph::select(graph, asked->task, options, until(body.stopped()));
  if (!selected) return fail_from(selected);
  const auto judge = judges.of(*asked, until(body.stopped()));
  if (!judge) return fail_from(judge);
  std::vector<bool> is_key(graph.nodes());
  for (const graph::KeyMotion& key : asked->task.keys) {
    std::fill(is_key.begin() + key.begin, is_key.begin() + key.end, true);
  }
  std::vector<graph::Node> between;
  for (const graph::Node node : selected->nodes) {
    if (!is_key[node]) between.push_back(node);
  }
  return json_response({{"picked", stretches_json(graph, between)},
                        {"frames", selected->nodes.size()},
                        {"key_texts", asked->keys},
                        {"picked_texts", asked->others},
                        {"beyond_share", beyond_share((*judge)->judge(selected->nodes))}});
}

/// With "name": finishes it likewise and keeps it as a graph of that name. Says what to call the stretches in a command
/// that does the same.
Result<Response> start_select(Studio& studio, const std::string& whole, const Fields& body) {
  if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
  const std::string name = body.text("name");
  if (name.empty() || name.size() > 100) return fail("say what the graph is to be called");
  if (name == whole) return fail("give it another name than that of the graph it is picked from");
  const auto asked = read_asked(studio, whole, body);
  if (!asked) return fail_from(asked);
  project::SelectSettings settings;
  settings.graph = whole;
  settings.keys = asked->keys;
  settings.picked = asked->others;
  settings.usual = asked->task.usual;
  settings.options = select_options();
  const auto work = [name, settings](Library& library, const Progress& progress) -> Result<json> {
    const auto made = project::select_graph(library, name, settings, progress);
    if (!made) return fail_from(made);
    const graph::Selection& selection = made->selection;
    return json{{"name", name},
                {"nodes", made->graph.nodes()},
                {"whole_nodes", made->whole_nodes},
                {"transitions", made->graph.transitions.size()},
                {"satisfied_share", made->judgement.satisfied_share},
                {"left_out_nodes", made->left_out},
                {"seconds", selection.core_seconds + selection.required_seconds + selection.select_seconds +
                                selection.search_seconds}};
  };
  const auto id = studio.start_change("selection", name, work);
  if (!id) return fail_from(id);
  return json_response({{"job", *id}, {"key_texts", asked->keys}, {"picked_texts", asked->others}});
}

}  // namespace

void add_pick_routes(Router& router, Studio& studio) {
  const auto judges = std::make_shared<LastJudge>();
  const auto add = [&](const char* pattern, auto act) {
    router.add_post(
        pattern,
        [&studio, judges, act](const Fields& body, const auto& parts) { return act(studio, *judges, parts[0], body); },
        Lane::kLong);
  };
  add("api/graphs/*/finish", finish);
  add("api/graphs/*/pick", judge);
  router.add_post(
      "api/graphs/*/select",
      [&studio](const Fields& body, const auto& parts) { return start_select(studio, parts[0], body); }, Lane::kLong);
}

}  // namespace loom::studio
