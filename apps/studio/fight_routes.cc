// SPDX-License-Identifier: MIT
// Two characters who fight (Chiu 2007 §6), live, each in a style of its own or in the hand of a player.
#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/fighting_machine.h>
#include <loom/fight/style_sliders.h>
#include <loom/project/build.h>

#include "studio/fight_scene.h"
#include "studio/left_out.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr const char* kStatesName = "fighting";  ///< under which the state graph is kept in the library

/// Builds the state graph of the built-in fighting machine, in the background.
Result<Response> prepare(Studio& studio, const Fields&) {
  const auto id =
      studio.start_change("states", kStatesName, [](Library& library, const Progress& progress) -> Result<json> {
        const behavior::StateMachine machine = fight::fighting_machine();
        const auto build = project::build_states(library, kStatesName, machine, {}, progress);
        if (!build) return fail_from(build);
        return json{{"name", kStatesName},
                    {"frames", build->frames},
                    {"seconds", build->seconds},
                    {"left_out", left_out_json(build->left_out)}};
      });
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// The styles there are to choose from, with where their sliders stand; the first is the machine as it is.
Result<json> known_styles() {
  const behavior::StateMachine machine = fight::fighting_machine();
  std::vector<std::string> names = {std::string(behavior::kPlainStyle)};
  for (const behavior::Style& style : machine.styles) names.push_back(style.name);
  json styles = json::array();
  for (const std::string& name : names) {
    const auto activities = fight::activities_in(machine, {name});
    if (!activities) return fail_from(activities);
    json sliders = json::object();
    const auto values = fight::sliders_of(*activities);
    for (std::size_t s = 0; s < values.size(); ++s) {
      if (values[s]) sliders[fight::kSliders[s]] = *values[s];
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
Result<Response> fight(Studio& studio, const Fields& body) {
  FightOptions options{body.text("styles", "aggressive,defensive"), body.whole("seed", 1), {}};
  if (body.has("player")) options.player = body.whole("player", 0);
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
  router.add_post("api/fights/prepare", [&](const Fields& body, const auto&) { return prepare(studio, body); });
  router.add_post(
      "api/fights", [&](const Fields& body, const auto&) { return fight(studio, body); }, Lane::kLong);
}

}  // namespace loom::studio
