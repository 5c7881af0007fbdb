// SPDX-License-Identifier: MIT
// Two characters who fight (Chiu 2007 §6), live, each in a style of its own or in the hand of a player.
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <span>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_machine.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/bout.h>
#include <loom/fight/fighting_machine.h>
#include <loom/fight/style_sliders.h>
#include <loom/project/build.h>

#include "loom/bout_characters.h"
#include "studio/fight_scene.h"
#include "studio/left_out.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr const char* kStatesName = "fighting";  ///< under which the state graph is kept in the library
constexpr double kLongestBout = 600;             ///< seconds of a bout that is written to a file

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

/// What the machine asks of a library, state by state, and what of it is there: the labels that would do, and the clips
/// and seconds that carry one of those.
json needs_of(const behavior::StateMachine& machine, std::span<const library::LabelTotal> totals) {
  json needs = json::array();
  for (const behavior::MachineState& state : machine.states) {
    std::size_t clips = 0;
    double seconds = 0;
    bool met = false;
    json labels = json::array();
    for (const auto& set : state.takes) {  // of several sets the first of which there is anything counts
      std::size_t in_set = 0;
      bool lacking = false;
      for (const behavior::TakenMotion& taken : set) {
        labels.push_back(taken.name);
        const auto total =
            std::find_if(totals.begin(), totals.end(), [&](const auto& t) { return t.name == taken.name; });
        lacking |= total == totals.end() && !taken.optional;
        if (met || total == totals.end()) continue;
        in_set += total->clips;
        clips += total->clips;
        seconds += total->seconds;
      }
      met = met || (in_set > 0 && !lacking);
    }
    needs.push_back({{"state", state.name},
                     {"labels", std::move(labels)},
                     {"clips", clips},
                     {"seconds", seconds},
                     {"met", met},
                     {"optional", state.optional}});
  }
  return needs;
}

Result<Response> state(Studio& studio) {
  const auto known =
      studio.project().with([](const Library& library) { return library.artefacts(behavior::kStatesKind); });
  if (!known) return fail_from(known);
  const auto totals = studio.project().with([](const Library& library) { return library.label_totals(); });
  if (!totals) return fail_from(totals);
  const bool ready =
      std::any_of(known->begin(), known->end(), [](const auto& info) { return info.name == kStatesName; });
  auto styles = known_styles();
  if (!styles) return fail_from(styles);
  return json_response({{"ready", ready},
                        {"name", kStatesName},
                        {"styles", std::move(*styles)},
                        {"needs", needs_of(fight::fighting_machine(), *totals)}});
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

/// Bouts that were fought once more, as files to be fetched; the last few are kept.
class BoutFiles {
 public:
  std::uint64_t keep(std::string bytes) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= kKept) kept_.pop_front();
    kept_.emplace_back(++last_, std::move(bytes));
    return last_;
  }
  [[nodiscard]] Result<std::string> find(const std::string& number) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, bytes] : kept_) {
      if (std::to_string(id) == number) return bytes;
    }
    return fail_as(ErrorKind::kNotFound, "this bout is no longer kept; save it again");
  }

 private:
  static constexpr std::size_t kKept = 4;
  mutable std::mutex mutex_;
  std::deque<std::pair<std::uint64_t, std::string>> kept_;
  std::uint64_t last_ = 0;
};

/// {"styles", "seed", "seconds", "wishes": the text of a file of wishes}: the bout once more, as `loom fight` fights
/// it, to be saved as a file.
Result<Response> fought(Studio& studio, const Fields& body, BoutFiles& files) {
  fight::BoutOptions options;
  options.styles = body.text("styles", options.styles);
  options.seed = body.whole("seed", 1);
  options.seconds = body.number("seconds", 0);
  if (!(options.seconds > 0 && options.seconds <= kLongestBout)) {
    return fail("a bout of up to 10 minutes can be saved here; `loom fight` makes longer ones");
  }
  if (const std::string text = body.text("wishes"); !text.empty()) {
    auto wishes = fight::parse_wishes(text, "wishes");
    if (!wishes) return fail_from(wishes);
    options.wishes = std::move(*wishes);
  }
  const auto stored =
      studio.project().with([](const Library& library) { return behavior::load_states(library, kStatesName); });
  if (!stored) return fail_from(stored);
  const auto bout = fight::fight_bout(stored->states, stored->motion, options, until(body.stopped()));
  if (!bout) return fail_from(bout);
  auto bytes = io::format_glb(app::characters_of(*bout));
  if (!bytes) return fail_from(bytes);
  json hits = json::array();
  for (const fight::Tally& tally : bout->tallies) hits.push_back(tally.hits);
  return json_response({{"bout", files.keep(std::move(*bytes))}, {"hits", std::move(hits)}});
}

Result<Response> bout_file(const BoutFiles& files, const std::string& number) {
  auto bytes = files.find(number);
  if (!bytes) return fail_from(bytes);
  Response response;
  response.type = "model/gltf-binary";
  response.body = std::move(*bytes);
  response.download = "bout.glb";
  return response;
}

}  // namespace

void add_fight_routes(Router& router, Studio& studio) {
  router.add("GET", "api/fights", [&](const Request&, const auto&) { return state(studio); });
  router.add_post("api/fights/prepare", [&](const Fields& body, const auto&) { return prepare(studio, body); });
  router.add_post(
      "api/fights", [&](const Fields& body, const auto&) { return fight(studio, body); }, Lane::kLong);
  const auto files = std::make_shared<BoutFiles>();
  router.add_post(
      "api/fights/fought", [&studio, files](const Fields& body, const auto&) { return fought(studio, body, *files); },
      Lane::kLong);
  router.add("GET", "api/fights/fought/*",
             [files](const Request&, const auto& parts) { return bout_file(*files, parts[0]); });
}

}  // namespace loom::studio
