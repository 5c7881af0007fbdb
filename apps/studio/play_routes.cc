// SPDX-License-Identifier: MIT
// A character in the player's hand: by motion matching at once, by a policy once one is trained (McCann & Pollard
// 2007).
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <loom/control/drive.h>
#include <loom/control/fragment_stream.h>
#include <loom/control/matching_controller.h>
#include <loom/control/policy.h>
#include <loom/control/simulated_player.h>
#include <loom/control/train.h>
#include <loom/polish/polished_stream.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostPlayers = 20;   ///< characters in one scene
constexpr double kSimulatedSeconds = 420;  ///< of play to learn from where nobody has played: the work's seven minutes
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

control::CutOptions cut_options(const Library& library) {
  control::CutOptions options;
  if (const auto totals = library.label_totals()) {
    for (const library::LabelTotal& total : *totals) {
      if (std::find(std::begin(kPlayful), std::end(kPlayful), total.name) != std::end(kPlayful)) {
        options.labels.push_back(total.name);
      }
    }
  }
  return options;
}

/// What characters are made of, loaded once for all of a scene.
struct Cast {
  control::FragmentMotion fragments;
  std::shared_ptr<const control::Policy> policy;  ///< null: by matching
  std::unique_ptr<control::MatchingController> matching;
};

Result<Cast> cast_of(const Library& library, const std::string& policy) {
  if (policy.empty()) {
    auto fragments = control::cut_fragments(library, cut_options(library));
    if (!fragments) return fail_from(fragments);
    auto controller = control::MatchingController::create(*fragments);
    if (!controller) return fail_from(controller);
    return Cast{std::move(*fragments), nullptr, std::move(*controller)};
  }
  auto loaded = control::load_policy(library, policy);
  if (!loaded) return fail_from(loaded);
  return Cast{std::move(loaded->fragments), std::move(loaded->policy), nullptr};
}

std::unique_ptr<control::Controller> controller_of(const Cast& cast) {
  if (cast.matching) return cast.matching->clone();
  return std::make_unique<control::TableController>(
      cast.policy->space, std::shared_ptr<const control::Solution>(cast.policy, &cast.policy->solution));
}

/// A character and who steers it.
struct Played {
  StreamCharacter character;
  const control::FragmentStream* stream = nullptr;  ///< within `character`
  control::ControlSignal wanted;
};

/// Hears {"left": m/s, "forward": m/s, "turn": rad/s, "jump": bool}: the wish of the player, for the first character.
/// The others wander about by themselves. Values: place (x, z) and heading of each.
class PlayScene final : public Scene {
 public:
  explicit PlayScene(std::vector<Played> players) : players_(std::move(players)) {}

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    std::vector<std::shared_ptr<const motion::Skeleton>> bodies;
    for (const Played& player : players_) bodies.push_back(player.character.stream().skeleton());
    return bodies;
  }
  [[nodiscard]] json describe() const override { return {{"kind", "play"}}; }

  void hear(const json& message) override {
    const auto number = [&](const char* name, float most) {
      const float value = message.value(name, 0.0f);
      return std::isfinite(value) ? std::clamp(value, -most, most) : 0.0f;
    };
    players_[0].wanted = {number("left", 4), number("forward", 4), number("turn", 4),
                          message.value("jump", false) ? 1U : 0U};
  }

  bool step(double seconds, SceneFrame& frame) override {
    time_ += seconds;
    frame.characters.resize(players_.size());
    for (std::size_t p = 0; p < players_.size(); ++p) {
      Played& player = players_[p];
      if (p > 0) player.wanted = stroll(p);
      const motion::Control control = control::to_world(player.wanted, player.stream->place().heading);
      if (!player.character.step(seconds, control, frame.characters[p])) return false;
      const motion::GroundFrame place = player.stream->place();
      // Others start on a grid of their own, since every stream starts at the origin.
      const Vec3 shift = stand_of(p);
      frame.characters[p].root += shift;
      frame.values.insert(frame.values.end(), {place.x + shift.x, place.z + shift.z, place.heading});
    }
    return true;
  }

  std::vector<json> news() override { return {}; }

 private:
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
  double time_ = 0;
};

Result<Played> player_of(const Cast& cast, const std::shared_ptr<const control::TrackedMotion>& motion) {
  auto stream = control::FragmentStream::create(cast.fragments, motion, controller_of(cast));
  if (!stream) return fail_from(stream);
  const control::FragmentStream* character = stream->get();
  polish::FootPlanterOptions options;
  options.max_wander = kWander;
  auto planted = polish::PolishedStream::create(std::move(*stream), options);
  if (!planted) return fail_from(planted);
  return Played{StreamCharacter(std::move(*planted)), character, {}};
}

/// {"policy": name or nothing, "characters": 1}.
Result<Response> play(Studio& studio, const json& body) {
  const std::string policy = body.value("policy", "");
  const auto count = std::clamp(body.value("characters", std::size_t{1}), std::size_t{1}, kMostPlayers);
  auto library = Library::open(studio.project().path());
  if (!library) return fail_from(library);
  const auto cast = cast_of(*library, policy);
  if (!cast) return fail_from(cast);
  const auto motion = control::track(cast->fragments);
  std::vector<Played> players;
  for (std::size_t p = 0; p < count; ++p) {
    auto player = player_of(*cast, motion);
    if (!player) return fail_from(player);
    players.push_back(std::move(*player));
  }
  return scene_response(studio, std::make_unique<PlayScene>(std::move(players)));
}

Result<std::vector<control::Trace>> traces_of(const json& body) {
  std::vector<control::Trace> traces;
  for (const json& text : body.value("traces", json::array())) {
    if (!text.is_string()) return fail("a trace is the text of a CSV file");
    auto trace = control::parse_trace(text.get<std::string>(), "trace");
    if (!trace) return fail_from(trace);
    traces.push_back(std::move(*trace));
  }
  if (traces.empty()) traces.push_back(control::simulate_player(control::habits_of(0), kSimulatedSeconds, 1));
  return traces;
}

/// {"name": ..., "traces": [CSV, ...]}: trains a policy on what was played; on a simulated player where nothing was.
Result<Response> train(Studio& studio, const json& body) {
  const std::string name = body.value("name", "");
  if (name.empty() || name.size() > 100) return fail("say what the policy is to be called");
  auto traces = traces_of(body);
  if (!traces) return fail_from(traces);
  const auto id = studio.jobs().start(
      "policy", name, [&studio, name, traces = std::move(*traces)](const Progress& progress) -> Result<json> {
        auto library = Library::open(studio.project().path(), library::Access::kWrite);
        if (!library) return fail_from(library);
        auto fragments = control::cut_fragments(*library, cut_options(*library), progress);
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
  const auto found =
      studio.project().with([](const Library& library) { return library.artefacts(control::kPolicyKind); });
  if (!found) return fail_from(found);
  json names = json::array();
  for (const library::ArtefactInfo& info : *found) names.push_back(info.name);
  return json_response({{"policies", names}});
}

}  // namespace

void add_play_routes(Router& router, Studio& studio) {
  router.add("GET", "api/policies", [&](const Request&, const auto&) { return list(studio); });
  router.add_post("api/policies", [&](const json& body, const auto&) { return train(studio, body); });
  router.add_post("api/play", [&](const json& body, const auto&) { return play(studio, body); });
}

}  // namespace loom::studio
