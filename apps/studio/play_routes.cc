// SPDX-License-Identifier: MIT
// A character in the player's hand: by motion matching at once, by a policy once one is trained (McCann & Pollard
// 2007).
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/control/drive.h>
#include <loom/control/fragment_stream.h>
#include <loom/control/matching.h>
#include <loom/control/policy.h>
#include <loom/control/simulated_player.h>
#include <loom/control/stored_traces.h>
#include <loom/control/train.h>
#include <loom/graph/source.h>
#include <loom/polish/polished_stream.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostPlayers = 20;  ///< characters in one scene
constexpr double kPoseRate = 120;         ///< poses a second: twice what is shown, so that an answer waits half as long
constexpr double kSimulatedSeconds = 420;  ///< of play to learn from where nobody has played: the work's seven minutes
constexpr double kAnswerSeconds = 1;       ///< after which a wish is taken to be answered by going on
constexpr float kWander = 0.25f;           ///< metres a planted foot is held back before it is let go
/// What one does in the game; motion with other labels is left out where the library has some of these.
constexpr const char* kPlayful[] = {"walk",
                                    "run",
                                    "jog",
                                    "idle",
                                    "jump",
                                    "turn-left",
                                    "turn-right",
                                    "start",
                                    "stop",
                                    "side-step-left",
                                    "side-step-right",
                                    "turn-in-place-left",
                                    "turn-in-place-right"};

/// The labels of the library that belong in the game; none where it has none of them, and all motion is used.
std::vector<std::string> playful_labels(const Library& library) {
  std::vector<std::string> labels;
  if (const auto totals = library.label_totals()) {
    for (const library::LabelTotal& total : *totals) {
      if (std::find(std::begin(kPlayful), std::end(kPlayful), total.name) != std::end(kPlayful)) {
        labels.push_back(total.name);
      }
    }
  }
  return labels;
}

/// What characters of a scene are made of, loaded once for all, and how to make one.
struct Cast {
  using Place = std::function<motion::GroundFrame()>;
  struct Member {
    std::unique_ptr<motion::MotionStream> stream;
    Place place;  ///< where it is now
  };
  std::function<Result<Member>()> make;
  json command;  ///< words of the command that plays the same
};

template <typename Stream>
Result<Cast::Member> member_of(Result<std::unique_ptr<Stream>> made) {
  if (!made) return fail_from(made);
  const Stream* character = made->get();
  return Cast::Member{std::move(*made), [character] { return character->place(); }};
}

Result<Cast> cast_by_matching(const Library& library, control::RootFollow root) {
  graph::SourceOptions what;
  what.labels = playful_labels(library);
  auto source = graph::gather(library, what);
  if (!source) return fail_from(source);
  std::vector<std::string> names;
  for (const graph::GraphClip& clip : source->clips) names.push_back(clip.title());
  const auto motion = control::track(std::make_shared<graph::GraphMotion>(std::move(source->motion)), std::move(names));
  control::MatchOptions features;
  features.flags = {control::kAirborne};
  auto found = control::find_match_features(*motion, features);
  if (!found) return fail_from(found);
  json command = {"match", "play", "LIBRARY"};
  if (!what.labels.empty()) command.push_back("--label");
  for (const std::string& label : what.labels) command.push_back(label);
  control::MatchingOptions options;
  options.rate = kPoseRate;
  options.root = root;
  return Cast{[motion, features = *found, options] {
                return member_of(control::MotionMatcher::create(motion, features, options));
              },
              std::move(command)};
}

Result<Cast> cast_by_policy(const Library& library, const std::string& name, control::RootFollow root) {
  const auto loaded = control::load_policy(library, name);
  if (!loaded) return fail_from(loaded);
  control::FragmentStreamOptions options;
  options.rate = kPoseRate;
  options.root = root;
  return Cast{
      [fragments = loaded->fragments, policy = loaded->policy, motion = control::track(loaded->fragments), options] {
        const std::shared_ptr<const control::Solution> solution(policy, &policy->solution);
        return member_of(control::FragmentStream::create(
            fragments, motion, std::make_unique<control::TableController>(policy->space, solution), options));
      },
      {"fragments", "play", "LIBRARY", name}};
}

/// A character and who steers it.
struct Played {
  StreamCharacter character;
  Cast::Place place;  ///< of what is within `character`
  control::ControlSignal wanted;
};

/// Hears {"left": m/s, "forward": m/s, "turn": rad/s, "jump": bool}: the wish of the player, for the first character.
/// The others wander about by themselves. Values: place (x, z) and heading of each.
///
/// When the wish changes, a copy of the player's character goes on without knowing of it until the two differ: that is
/// when the player is answered.
class PlayScene final : public Scene {
 public:
  PlayScene(std::vector<Played> players, json command) : players_(std::move(players)), command_(std::move(command)) {}

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    std::vector<std::shared_ptr<const motion::Skeleton>> bodies;
    for (const Played& player : players_) bodies.push_back(player.character.stream().skeleton());
    return bodies;
  }
  [[nodiscard]] json describe() const override { return {{"kind", "play"}, {"command", command_}}; }

  void hear(const json& message) override {
    const auto number = [&](const char* name, float most) {
      const float value = message.value(name, 0.0f);
      return std::isfinite(value) ? std::clamp(value, -most, most) : 0.0f;
    };
    const control::ControlSignal wish = {number("left", 4), number("forward", 4), number("turn", 4),
                                         message.value("jump", false) ? 1U : 0U};
    Played& player = players_[0];
    if (wish == player.wanted) return;
    if (!unaware_) {
      unaware_ = player.character.clone();
      unaware_wanted_ = player.wanted;
      unaware_seconds_ = 0;
    }
    player.wanted = wish;
  }

  bool step(double seconds, SceneFrame& frame) override {
    time_ += seconds;
    frame.characters.resize(players_.size());
    for (std::size_t p = 0; p < players_.size(); ++p) {
      Played& player = players_[p];
      if (p > 0) player.wanted = stroll(p);
      const float heading = player.place().heading;
      const motion::Control control = control::to_world(player.wanted, heading);
      if (!player.character.step(seconds, control, frame.characters[p])) return false;
      if (p == 0) frame.unanswered = is_unanswered(seconds, heading, frame.characters[0]);
      const motion::GroundFrame place = player.place();
      // Others start on a grid of their own, since every stream starts at the origin.
      const Vec3 shift = stand_of(p);
      frame.characters[p].root += shift;
      frame.values.insert(frame.values.end(), {place.x + shift.x, place.z + shift.z, place.heading});
    }
    return true;
  }

  std::vector<json> news() override { return {}; }

 private:
  /// Whether the player's character still does exactly what it would have done without the last wish.
  bool is_unanswered(double seconds, float heading, const CharacterPose& shown) {
    if (!unaware_) return false;
    unaware_seconds_ += seconds;
    const bool goes_on = unaware_->step(seconds, control::to_world(unaware_wanted_, heading), unaware_pose_);
    if (goes_on && unaware_seconds_ < kAnswerSeconds && !differ(unaware_pose_, shown)) return true;
    unaware_.reset();
    return false;
  }
  /// Walking in slow curves, each in its own.
  [[nodiscard]] control::ControlSignal stroll(std::size_t p) const {
    const double phase = time_ * 0.3 + 1.7 * static_cast<double>(p);
    return {0, 1.3f + 0.4f * static_cast<float>(std::sin(phase * 0.7)), 0.7f * static_cast<float>(std::sin(phase)), 0};
  }
  [[nodiscard]] static Vec3 stand_of(std::size_t p) {
    if (p == 0) return {};
    const auto i = static_cast<float>(p - 1);
    return {2.2f * (std::fmod(i, 5.0f) - 2), 0, 2.5f + 2.2f * std::floor(i / 5)};
  }

  std::vector<Played> players_;
  json command_;
  double time_ = 0;
  std::optional<StreamCharacter> unaware_;  ///< the player's character as it would be without the last wish
  CharacterPose unaware_pose_;
  control::ControlSignal unaware_wanted_;
  double unaware_seconds_ = 0;
};

Result<Played> player_of(const Cast& cast) {
  auto member = cast.make();
  if (!member) return fail_from(member);
  polish::FootPlanterOptions options;
  options.max_wander = kWander;
  auto planted = polish::PolishedStream::create(std::move(member->stream), options);
  if (!planted) return fail_from(planted);
  return Played{StreamCharacter(std::move(*planted)), std::move(member->place), {}};
}

/// {"policy": name or nothing, "characters": 1, "root": "motion", "between" or "control"}.
Result<Response> play(Studio& studio, const json& body) {
  const std::string policy = body.value("policy", "");
  const auto count = std::clamp(body.value("characters", std::size_t{1}), std::size_t{1}, kMostPlayers);
  const std::string named = body.value("root", control::to_string(control::RootFollow{}.source));
  control::RootFollow root;
  for (root.source = control::RootSource::kMotion; named != control::to_string(root.source);) {
    if (root.source == control::RootSource::kControl) return fail("the root comes from motion, between or control");
    root.source =
        root.source == control::RootSource::kMotion ? control::RootSource::kBetween : control::RootSource::kControl;
  }
  auto library = Library::open(studio.project().path());
  if (!library) return fail_from(library);
  auto cast = policy.empty() ? cast_by_matching(*library, root) : cast_by_policy(*library, policy, root);
  if (!cast) return fail_from(cast);
  if (root.source != control::RootFollow{}.source) {
    cast->command.push_back("--root");
    cast->command.push_back(named);
  }
  std::vector<Played> players;
  for (std::size_t p = 0; p < count; ++p) {
    auto player = player_of(*cast);
    if (!player) return fail_from(player);
    players.push_back(std::move(*player));
  }
  return scene_response(studio, std::make_unique<PlayScene>(std::move(players), std::move(cast->command)));
}

/// The traces of the library that are named; a simulated player's where none is.
Result<std::vector<control::Trace>> traces_of(Studio& studio, const json& body) {
  std::vector<control::Trace> traces;
  for (const json& name : body.value("traces", json::array())) {
    if (!name.is_string()) return fail("traces are named");
    auto trace = studio.project().with(
        [&](const Library& library) { return control::load_trace(library, name.get<std::string>()); });
    if (!trace) return fail_from(trace);
    traces.push_back(std::move(*trace));
  }
  if (traces.empty()) traces.push_back(control::simulate_player(control::habits_of(0), kSimulatedSeconds, 1));
  return traces;
}

/// {"name": ..., "traces": [name, ...]}: trains a policy on what was played; on a simulated player where nothing was.
Result<Response> train(Studio& studio, const json& body) {
  const std::string name = body.value("name", "");
  if (name.empty() || name.size() > 100) return fail("say what the policy is to be called");
  auto traces = traces_of(studio, body);
  if (!traces) return fail_from(traces);
  const auto id = studio.jobs().start(
      "policy", name, [&studio, name, traces = std::move(*traces)](const Progress& progress) -> Result<json> {
        auto library = Library::open(studio.project().path(), library::Access::kWrite);
        if (!library) return fail_from(library);
        control::CutOptions cut;
        cut.labels = playful_labels(*library);
        auto fragments = control::cut_fragments(*library, cut, progress);
        if (!fragments) return fail_from(fragments);
        const auto set = fragments->set;
        if (const auto ok = control::store_fragments(*library, name, *set, "{}"); !ok) return fail_from(ok);
        control::ControlSpace space = control::usual_control_space();
        auto model = control::count_player_model(space, traces, set->seconds());
        if (!model) return fail_from(model);
        const auto ground =
            control::prepare_training(std::move(*fragments), std::move(space), std::move(*model), {}, 0.999, progress);
        if (!ground) return fail_from(ground);
        auto policy = control::train_policy(*ground, {}, nullptr, progress);
        if (!policy) return fail_from(policy);
        if (!policy->solution.converged) return fail("stopped");
        policy->fragments = name;
        const json parameters = {{"fragments", name}, {"controller", "model"}, {"traces", traces.size()}};
        const auto stored = control::store_policy(*library, name, *policy, parameters.dump());
        if (!stored) return fail_from(stored);
        studio.tell_changed();
        return json{{"name", name}, {"fragments", set->size()}};
      });
  return json_response({{"job", id}});
}

Result<Response> list(Studio& studio) {
  return studio.project().with([](const Library& library) -> Result<Response> {
    const auto found = library.artefacts(control::kPolicyKind);
    if (!found) return fail_from(found);
    const auto played = control::stored_traces(library);
    if (!played) return fail_from(played);
    json names = json::array(), traces = json::array();
    for (const library::ArtefactInfo& info : *found) names.push_back(info.name);
    for (const control::StoredTrace& trace : *played) {
      traces.push_back({{"name", trace.name}, {"seconds", trace.seconds}, {"created", trace.created}});
    }
    return json_response({{"policies", names}, {"traces", traces}});
  });
}

/// {"name": ..., "csv": ...}: keeps what was played. A name that is taken gets a number.
Result<Response> keep_trace(Studio& studio, const json& body) {
  const std::string wanted = body.value("name", "played");
  if (wanted.empty() || wanted.size() > 100) return fail("say what the trace is to be called");
  const auto trace = control::parse_trace(body.value("csv", ""), "trace");
  if (!trace) return fail_from(trace);
  const auto kept = studio.project().with([&](Library& library) -> Result<std::string> {
    const auto known = control::stored_traces(library);
    if (!known) return fail_from(known);
    std::string name = wanted;
    const auto is_taken = [&](const control::StoredTrace& other) { return other.name == name; };
    for (int n = 2; std::any_of(known->begin(), known->end(), is_taken); ++n) name = wanted + "-" + std::to_string(n);
    if (const auto ok = control::store_trace(library, name, *trace); !ok) return fail_from(ok);
    return name;
  });
  if (!kept) return fail_from(kept);
  return json_response({{"name", *kept}});
}

Result<Response> forget_trace(Studio& studio, const std::string& name) {
  const auto gone =
      studio.project().with([&](Library& library) { return library.remove_artefact(control::kTraceKind, name); });
  if (!gone) return fail_from(gone);
  return json_response(json::object());
}

}  // namespace

void add_play_routes(Router& router, Studio& studio) {
  router.add("GET", "api/policies", [&](const Request&, const auto&) { return list(studio); });
  router.add("DELETE", "api/traces/*",
             [&](const Request&, const auto& parts) { return forget_trace(studio, parts[0]); });
  router.add_post("api/traces", [&](const json& body, const auto&) { return keep_trace(studio, body); });
  router.add_post("api/policies", [&](const json& body, const auto&) { return train(studio, body); });
  router.add_post("api/play", [&](const json& body, const auto&) { return play(studio, body); });
}

}  // namespace loom::studio
