// SPDX-License-Identifier: MIT
// New motion from a graph: behaviors in order, a path drawn on the floor, and a walk that is played live.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/follow.h>
#include <loom/graph/keys.h>
#include <loom/graph/made_labels.h>
#include <loom/graph/walk.h>
#include <loom/play/planting.h>
#include <loom/polish/plant_feet.h>

#include "studio/pieces.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kLongestSeconds = 600;    ///< of a motion made for a page
constexpr double kFarthest = 1e5;          ///< metres from the origin to a point of a path
constexpr double kFastest = 4;             ///< times as fast as recorded
constexpr std::size_t kMostPoints = 4000;  ///< of a drawn path

/// Records what a feed plays, for `seconds` at most and until `stopped`, with its feet planted, and hands it over.
Result<Response> hand_over(Studio& studio, const graph::StoredGraph& stored, std::unique_ptr<play::SegmentFeed> feed,
                           const std::stop_token& stopped, const std::string& name, const json& how, json facts,
                           double seconds = kLongestSeconds) {
  play::SegmentPlayer player(stored.motion, std::move(feed));
  auto recorded = motion::record(player, seconds, {}, until(stopped));
  if (!recorded) return fail_from(recorded);
  if (const auto planted = polish::plant_feet(*recorded); !planted) return fail_from(planted);
  recorded->clip.name = name;
  recorded->clip.labels = graph::labels_of(*stored.graph, *recorded);
  facts["pieces"] = pieces_json(*stored.graph, *stored.motion, *recorded);
  return made_response(studio, std::move(recorded->clip), std::move(recorded->contacts), how, std::move(facts));
}

/// {"keys": ["idle", "walk@3", "jump"]}.
Result<Response> keys(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  const auto texts = body.texts("keys");
  std::vector<graph::Key> wanted;
  for (const std::string& text : texts) {
    auto key = graph::parse_key(*(*stored)->graph, *(*stored)->motion, text);
    if (!key) return fail_from(key);
    wanted.push_back(std::move(*key));
  }
  if (wanted.empty()) return fail("say where the motion is to come by");
  const auto path = graph::find_path(*(*stored)->graph, wanted, {}, until(body.stopped()));
  if (!path) return fail_from(path);
  auto segments = graph::to_segments(*(*stored)->graph, *(*stored)->motion, path->nodes);
  return hand_over(studio, **stored, std::make_unique<play::SegmentList>(std::move(segments)), body.stopped(), "keys",
                   {{"graph", name}, {"keys", texts}}, json::object());
}

Result<graph::FloorPath> read_path(const Fields& body) {
  graph::FloorPath path;
  const json& points = body.at("points");
  if (!points.is_null() && !points.is_array()) return fail("'points' must be a list of points");
  if (points.size() > kMostPoints) return fail("the path has too many points");
  for (const json& point : points) {
    const auto is_place = [](const json& value) {
      return value.is_number() && std::abs(value.get<double>()) <= kFarthest;
    };
    if (!point.is_array() || point.size() != 2 || !is_place(point[0]) || !is_place(point[1])) {
      return fail("a point of the path is [x, z], in metres");
    }
    path.points.push_back({point[0].get<float>(), 0, point[1].get<float>()});
  }
  const std::string label = body.text("label");
  if (!label.empty()) path.labels.assign(path.points.size(), label);
  return path;
}

/// {"points": [[x, z], ...], "label": "walk"}.
Result<Response> follow(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  const auto path = read_path(body);
  if (!path) return fail_from(path);
  auto followed = graph::follow(*(*stored)->graph, *(*stored)->motion, *path, {}, until(body.stopped()));
  if (!followed) return fail_from(followed);
  const json facts = {{"length_m", followed->length_m},
                      {"mean_error_m", followed->mean_error_m},
                      {"max_error_m", followed->max_error_m},
                      {"end_error_m", followed->end_error_m},
                      {"followed", followed->max_error_m <= graph::kFarOff},
                      {"off_label_share", followed->off_label_share}};
  return hand_over(studio, **stored, std::make_unique<play::SegmentList>(std::move(followed->segments)), body.stopped(),
                   "follow", {{"graph", name}, {"path", body.all()}}, facts);
}

/// An endless walk on a graph. Values: the frames it has gone so far, that which it is on its way to counted.
class WalkScene final : public Scene {
 public:
  WalkScene(std::shared_ptr<const graph::StoredGraph> stored, EnsemblePlayer walker)
      : walker_(std::move(walker)),
        teller_(walker_.ensemble().source_names(0), [stored = std::move(stored)](std::size_t, auto left, auto entered) {
          return PieceTeller::Why{
              seam_json(graph::seam_between(*stored->graph, *stored->motion, left, entered), *stored->motion)};
        }) {}

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return walker_.bodies();
  }
  [[nodiscard]] std::vector<std::string> sources() const override { return teller_.names(); }
  [[nodiscard]] json describe() const override { return {{"kind", "walk"}, {"rate", walker_.ensemble().rate()}}; }
  void hear(const json& message) override {
    speed_ = std::clamp(Fields(message).number("speed", speed_), 0.0, kFastest);
  }
  bool step(double seconds, SceneFrame& frame) override {
    if (!walker_.step(seconds * speed_, {}, frame.characters)) return false;
    frame.values = {static_cast<float>(walker_.steps())};
    return true;
  }
  /// Which clip is being played, whenever it changes.
  std::vector<json> news() override {
    std::vector<json> told;
    teller_.look(walker_, 1, told);
    return told;
  }

 private:
  EnsemblePlayer walker_;
  PieceTeller teller_;
  double speed_ = 1;
};

graph::WalkOptions walk_options(const Fields& body) {
  graph::WalkOptions options;
  options.seed = body.whole("seed", 1);
  options.wanted = body.texts("want");
  return options;
}

/// {"seed": 7, "want": ["walk"]}: live, without end.
Result<Response> walk(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  auto feed = graph::Walk::create((*stored)->graph, *(*stored)->motion, walk_options(body));
  if (!feed) return fail_from(feed);
  auto planted =
      play::planted(std::make_unique<play::SegmentPlayer>((*stored)->motion, std::move(*feed)), *(*stored)->motion);
  if (!planted) return fail_from(planted);
  auto walker = EnsemblePlayer::of(std::move(*planted));
  if (!walker) return fail_from(walker);
  return scene_response(studio, std::make_unique<WalkScene>(*stored, std::move(*walker)));
}

/// {"seed": 7, "want": ["walk"], "seconds": 12.3}: so much of the walk, from its start, as `loom graph walk` makes it.
Result<Response> walked(Studio& studio, const std::string& name, const Fields& body) {
  const double seconds = body.number("seconds", 0);
  if (!(seconds > 0 && seconds <= kLongestSeconds)) {
    return fail(
        fmt::format("of a walk {:.0f} seconds can be kept here; `loom graph walk` makes longer ones", kLongestSeconds));
  }
  const auto stored = studio.project().graph(name);
  if (!stored) return fail_from(stored);
  auto feed = graph::Walk::create((*stored)->graph, *(*stored)->motion, walk_options(body));
  if (!feed) return fail_from(feed);
  return hand_over(studio, **stored, std::move(*feed), body.stopped(), "walk", {{"graph", name}, {"walk", body.all()}},
                   json::object(), seconds);
}

}  // namespace

void add_graph_play_routes(Router& router, Studio& studio) {
  const auto add = [&](const char* pattern, auto make) {
    router.add_post(
        pattern, [&studio, make](const Fields& body, const auto& parts) { return make(studio, parts[0], body); },
        Lane::kLong);
  };
  add("api/graphs/*/keys", keys);
  add("api/graphs/*/follow", follow);
  add("api/graphs/*/walk", walk);
  add("api/graphs/*/walked", walked);
}

}  // namespace loom::studio
