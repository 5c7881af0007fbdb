// SPDX-License-Identifier: MIT
// Two characters who fight (Chiu 2007 §6), live, each in a style of its own.
#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/control/arena.h>
#include <loom/polish/polished_stream.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using behavior::Setting;
using library::Library;
using nlohmann::json;

constexpr std::size_t kMostFighters = 20;
constexpr const char* kStatesName = "fighting";  ///< under which the state graph is kept in the library

/// What the sliders of one fighter say, each in [0, 1], as a style of the machine.
behavior::Style style_of(const behavior::StateMachine& machine, const json& sliders, const std::string& name) {
  behavior::Style style;
  style.name = name;
  const auto slider = [&](const char* key) { return std::clamp(sliders.value(key, 0.5f), 0.0f, 1.0f); };
  for (std::size_t a = 0; a < machine.activities.size(); ++a) {
    const behavior::Activity& activity = machine.activities[a];
    switch (activity.kind) {
      case behavior::ActivityKind::kAttack: {
        // Whatever the machine calls its attacks, kicks are those that are called so.
        const float eager = slider(activity.name.find("kick") != std::string::npos ? "kick" : "punch");
        style.changes.push_back({a, Setting::kEager, eager});
        style.changes.push_back({a, Setting::kPriority, 10 + 40 * eager});
        break;
      }
      case behavior::ActivityKind::kEvade:
        style.changes.push_back({a, Setting::kEager, slider("evade")});
        style.changes.push_back({a, Setting::kPriority, 10 + 45 * slider("evade")});
        break;
      case behavior::ActivityKind::kShadow:
        style.changes.push_back({a, Setting::kDistance, 0.7f + 0.8f * slider("distance")});  // metres
        break;
    }
  }
  return style;
}

/// A bout being fought.
class FightScene final : public Scene {
 public:
  FightScene(std::shared_ptr<control::Arena> arena, std::vector<std::unique_ptr<motion::MotionStream>> streams)
      : arena_(std::move(arena)) {
    for (auto& stream : streams) fighters_.emplace_back(std::move(stream));
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override {
    return std::vector(fighters_.size(), arena_->skeleton());
  }
  [[nodiscard]] json describe() const override { return {{"kind", "fight"}}; }
  void hear(const json& message) override { speed_ = std::clamp(message.value("speed", speed_), 0.0, 2.0); }

  /// Values: for every fighter attacks, punches, kicks, evasions and hits so far.
  bool step(double seconds, SceneFrame& frame) override {
    frame.characters.resize(fighters_.size());
    for (std::size_t f = 0; f < fighters_.size(); ++f) {
      if (!fighters_[f].step(seconds * speed_, {}, frame.characters[f])) return false;
      const control::Tally& tally = arena_->tally(f);
      for (const std::uint32_t count : {tally.attacks, tally.punches, tally.kicks, tally.evasions, tally.hits}) {
        frame.values.push_back(static_cast<float>(count));
      }
    }
    return true;
  }

  std::vector<json> news() override {
    std::vector<json> told;
    const auto events = arena_->events();
    for (; told_ < events.size(); ++told_) {
      const control::BoutEvent& event = events[told_];
      told.push_back({{"event", "bout"},
                      {"kind", control::to_string(event.kind)},
                      {"fighter", event.fighter},
                      {"seconds", event.seconds},
                      {"limb", to_string(event.limb)},
                      {"part", to_string(event.part)}});
    }
    return told;
  }

 private:
  std::shared_ptr<control::Arena> arena_;
  std::vector<StreamCharacter> fighters_;
  std::size_t told_ = 0;
  double speed_ = 1;
};

/// Builds the state graph of the built-in fighting machine, in the background.
Result<Response> prepare(Studio& studio, const json&) {
  const auto id = studio.jobs().start("states", kStatesName, [&studio](const Progress& progress) -> Result<json> {
    auto library = Library::open(studio.project().path(), library::Access::kWrite);
    if (!library) return fail_from(library);
    const auto machine = behavior::parse_machine(behavior::fighting_machine_text(), "built-in fighting machine");
    if (!machine) return fail_from(machine);
    const auto build = behavior::build_states(*library, *machine, {}, progress);
    if (!build) return fail_from(build);
    const json parameters = {{"machine", machine->name}};
    const auto stored = behavior::store_states(*library, kStatesName, *build, parameters.dump());
    if (!stored) return fail_from(stored);
    studio.tell_changed();
    return json{{"name", kStatesName}, {"frames", build->frames}, {"seconds", build->seconds}};
  });
  return json_response({{"job", id}});
}

Result<Response> state(Studio& studio) {
  const auto known =
      studio.project().with([](const Library& library) { return library.artefacts(behavior::kStatesKind); });
  if (!known) return fail_from(known);
  const bool ready =
      std::any_of(known->begin(), known->end(), [](const auto& info) { return info.name == kStatesName; });
  return json_response({{"ready", ready}, {"name", kStatesName}});
}

/// {"fighters": [{"punch": 0.5, "kick": 0.5, "evade": 0.5, "distance": 0.5}, ...], "seed": 1}.
Result<Response> fight(Studio& studio, const json& body) {
  const json sliders = body.value("fighters", json::array());
  if (!sliders.is_array() || sliders.size() < 2 || sliders.size() > kMostFighters) return fail("2 to 20 can fight");
  const auto stored =
      studio.project().with([](const Library& library) { return behavior::load_states(library, kStatesName); });
  if (!stored) return fail_from(stored);
  auto states = std::make_shared<behavior::StateGraph>(*stored->states);
  std::vector<std::vector<std::string>> styles;
  for (const json& entry : sliders) {
    const std::string name = "fighter " + std::to_string(styles.size() + 1);
    states->machine.styles.push_back(style_of(states->machine, entry.is_object() ? entry : json::object(), name));
    styles.push_back({name});
  }
  control::ArenaOptions options;
  options.seed = body.value("seed", std::uint64_t{1});
  auto made = control::Arena::create(states, stored->motion, styles, options);
  if (!made) return fail_from(made);
  const auto arena = std::make_shared<control::Arena>(std::move(*made));
  std::vector<std::unique_ptr<motion::MotionStream>> streams;
  for (std::size_t f = 0; f < arena->size(); ++f) {
    auto stream = polish::PolishedStream::create(std::make_unique<control::FighterStream>(arena, f));
    if (!stream) return fail_from(stream);
    streams.push_back(std::move(*stream));
  }
  return scene_response(studio, std::make_unique<FightScene>(arena, std::move(streams)));
}

}  // namespace

void add_fight_routes(Router& router, Studio& studio) {
  router.add("GET", "api/fights", [&](const Request&, const auto&) { return state(studio); });
  router.add_post("api/fights/prepare", [&](const json& body, const auto&) { return prepare(studio, body); });
  router.add_post("api/fights", [&](const json& body, const auto&) { return fight(studio, body); });
}

}  // namespace loom::studio
