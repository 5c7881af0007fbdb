// SPDX-License-Identifier: MIT
// Two characters who fight (Chiu 2007 §6), live, each in a style of its own or in the hand of a player.
#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/behavior/style_sliders.h>

#include "studio/fight_scene.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr const char* kStatesName = "fighting";  ///< under which the state graph is kept in the library

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

/// The styles there are to choose from, with where their sliders stand; the first is the machine as it is.
Result<json> known_styles() {
  const auto machine = behavior::parse_machine(behavior::fighting_machine_text(), "built-in fighting machine");
  if (!machine) return fail_from(machine);
  std::vector<std::string> names = {std::string(behavior::kPlainStyle)};
  for (const behavior::Style& style : machine->styles) names.push_back(style.name);
  json styles = json::array();
  for (const std::string& name : names) {
    const auto activities = machine->activities_in({name});
    if (!activities) return fail_from(activities);
    json sliders = json::object();
    const auto values = behavior::sliders_of(*activities);
    for (std::size_t s = 0; s < values.size(); ++s) {
      if (values[s]) sliders[behavior::kSliders[s]] = *values[s];
    }
    styles.push_back({{"name", name}, {"sliders", std::move(sliders)}});
  }
  return styles;
}

Result<Response> state(Studio& studio) {
  const auto known =
      studio.project().with([](const Library& library) { return library.artefacts(behavior::kStatesKind); });
  if (!known) return fail_from(known);
  const bool ready =
      std::any_of(known->begin(), known->end(), [](const auto& info) { return info.name == kStatesName; });
  auto styles = known_styles();
  if (!styles) return fail_from(styles);
  return json_response({{"ready", ready}, {"name", kStatesName}, {"styles", std::move(*styles)}});
}

/// {"styles": "aggressive+kick=0.2,defensive", "seed": 1, "player": 0 or 1 or null}.
Result<Response> fight(Studio& studio, const json& body) {
  const json styles = body.value("styles", json("aggressive,defensive")), seed = body.value("seed", json(1U)),
             player = body.value("player", json());
  if (!styles.is_string()) return fail("styles is a text: one style a fighter, with commas between");
  if (!seed.is_number_unsigned()) return fail("seed is a whole number");
  if (!player.is_null() && !player.is_number_unsigned()) return fail("player is the number of a fighter, or null");
  FightOptions options{styles.get<std::string>(), seed.get<std::uint64_t>(), {}};
  if (!player.is_null()) options.player = player.get<std::size_t>();
  const auto stored =
      studio.project().with([](const Library& library) { return behavior::load_states(library, kStatesName); });
  if (!stored) return fail_from(stored);
  auto scene = FightScene::create(*stored, options);
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

}  // namespace

void add_fight_routes(Router& router, Studio& studio) {
  router.add("GET", "api/fights", [&](const Request&, const auto&) { return state(studio); });
  router.add_post("api/fights/prepare", [&](const json& body, const auto&) { return prepare(studio, body); });
  router.add_post("api/fights", [&](const json& body, const auto&) { return fight(studio, body); });
}

}  // namespace loom::studio
