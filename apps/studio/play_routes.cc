// SPDX-License-Identifier: MIT
// A character in the player's hand: by motion matching at once, by a policy once one is trained (McCann & Pollard
// 2007).
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/motion/carried_labels.h>
#include <loom/policy/drive.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>
#include <loom/policy/stored_traces.h>
#include <loom/policy/trace_file.h>
#include <loom/policy/train.h>
#include <loom/project/build.h>
#include <loom/project/dependents.h>

#include "studio/cast.h"
#include "studio/left_out.h"
#include "studio/pieces.h"
#include "studio/play_scene.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostPlayers = 20;   ///< characters in one scene
constexpr double kLongestPlay = 600;       ///< seconds that are made once more
constexpr double kSimulatedSeconds = 420;  ///< of play to learn from where nobody has played: the work's seven minutes

Result<play::RootFollow> root_of(const Fields& body) {
  const std::string named = body.text("root", to_string(play::RootFollow{}.source));
  play::RootFollow root;
  for (root.source = play::RootSource::kMotion; named != to_string(root.source);) {
    if (root.source == play::RootSource::kControl) return fail("the root comes from motion, between or control");
    root.source = root.source == play::RootSource::kMotion ? play::RootSource::kBetween : play::RootSource::kControl;
  }
  return root;
}

/// What characters are made of that are asked for by {"policy": name or nothing, "root": "motion", "between" or
/// "control"}; of a part of the motion where all of it would keep a player waiting (`Casting::cast_soon`).
Result<Cast> cast_for(Studio& studio, const Fields& body, std::optional<std::size_t> at_once = std::nullopt) {
  const auto root = root_of(body);
  if (!root) return fail_from(root);
  const std::string policy = body.text("policy");
  auto library = Library::open(studio.project().path());
  if (!library) return fail_from(library);
  Casting& casting = studio.casting();
  auto cast = at_once ? casting.cast_soon(*library, policy, *root, kPoseRate, *at_once, until(body.stopped()))
                      : casting.cast(*library, policy, *root, kPoseRate, until(body.stopped()));
  if (!cast) return fail_from(cast);
  cast->command.push_back(fmt::format("--rate={:g}", kPoseRate));
  if (root->source != play::RootFollow{}.source) {
    cast->command.push_back("--root");
    cast->command.push_back(to_string(root->source));
  }
  return cast;
}

Result<PlayScene::Troupe> troupe_of(const Cast& cast, std::size_t count) {
  PlayScene::Troupe troupe;
  for (std::size_t p = 0; p < count; ++p) {
    auto character = character_of(cast);
    if (!character) return fail_from(character);
    troupe.characters.push_back(std::move(character->stream));
    if (p == 0) troupe.explain = std::move(character->explain);
  }
  return troupe;
}

/// Measures all motion in the background, that of so many clips, unless that is under way.
void measure_all(Studio& studio, std::size_t clips) {
  auto announced = studio.casting().announce();
  if (!announced) return;
  studio.jobs().start("motion", "all that can be played",
                      [&studio, clips, announced = std::move(announced)](const Progress& progress) -> Result<json> {
                        const auto library = Library::open(studio.project().path());
                        if (!library) return fail_from(library);
                        const auto done = studio.casting().measure(*library, progress);
                        if (!done) return fail_from(done);
                        return json{{"clips", clips}};
                      });
}

/// {"policy", "root", "characters": 1, "at_once": frames that may be measured before anything moves}.
Result<Response> play_policy(Studio& studio, const Fields& body) {
  const auto count = std::clamp<std::size_t>(body.whole("characters", 1), 1, kMostPlayers);
  const auto cast = cast_for(studio, body, body.whole("at_once", Casting::kAtOnce));
  if (!cast) return fail_from(cast);
  auto troupe = troupe_of(*cast, count);
  if (!troupe) return fail_from(troupe);
  json about = {{"command", cast->command}};
  PlayScene::Later later;
  if (cast->part) {
    about["part"] = {{"clips", cast->part->clips}, {"of", cast->part->of}};
    const auto root = root_of(body);
    later = [&studio, stamp = cast->part->stamp, root = *root, count]() -> std::optional<PlayScene::Troupe> {
      const auto all = studio.casting().if_measured(stamp, root, kPoseRate);
      if (!all) return std::nullopt;
      auto made = troupe_of(*all, count);
      if (!made) return std::nullopt;
      return std::move(*made);
    };
    measure_all(studio, cast->part->of);
  }
  auto scene = PlayScene::create(std::move(*troupe), std::move(about), std::move(later));
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

/// {"policy", "root", "csv": a trace}: what the player's character did, made once more of what it was asked for, as the
/// command that the page shows makes it.
Result<Response> played(Studio& studio, const Fields& body) {
  auto trace = policy::parse_trace(body.text("csv"), "trace");
  if (!trace) return fail_from(trace);
  if (!(trace->seconds() > 0 && trace->seconds() <= kLongestPlay)) {
    return fail("up to 10 minutes of play can be saved here; the command makes longer motion of the trace");
  }
  const auto cast = cast_for(studio, body);
  if (!cast) return fail_from(cast);
  const auto character = character_of(*cast);
  if (!character) return fail_from(character);
  motion::MotionStream& stream = *character->stream;
  const auto stick = [&](double time) { return policy::to_world(trace->at(time), stream.place().heading); };
  auto recorded = motion::record(stream, trace->seconds(), stick, until(body.stopped()));
  if (!recorded) return fail_from(recorded);
  recorded->clip.name = body.text("policy").empty() ? "matching" : "fragments";  // as the commands call it
  recorded->clip.labels = motion::carried_labels(*recorded, [&](std::uint32_t clip) -> std::span<const motion::Label> {
    if (clip >= cast->motion->clips.size()) return {};
    return cast->motion->clips[clip].labels;
  });
  return made_response(studio, std::move(recorded->clip), std::move(recorded->contacts), {{"played", body.text("csv")}},
                       json::object());
}

/// The traces of the library that are named; a simulated player's where none is.
Result<std::vector<policy::Trace>> traces_of(Studio& studio, const Fields& body) {
  std::vector<policy::Trace> traces;
  for (const std::string& name : body.texts("traces")) {
    auto trace = studio.project().with([&](const Library& library) { return policy::load_trace(library, name); });
    if (!trace) return fail_from(trace);
    traces.push_back(std::move(*trace));
  }
  if (traces.empty()) traces.push_back(policy::simulate_player(policy::habits_of(0), kSimulatedSeconds, 1));
  return traces;
}

/// {"name": ..., "traces": [name, ...]}: trains a policy on what was played; on a simulated player where nothing was.
Result<Response> train(Studio& studio, const Fields& body) {
  const std::string name = body.text("name");
  if (name.empty() || name.size() > 100) return fail("say what the policy is to be called");
  auto traces = traces_of(studio, body);
  if (!traces) return fail_from(traces);
  const auto playful = studio.project().with(
      [](const Library& library) -> Result<std::vector<std::string>> { return playful_labels(library); });
  if (!playful) return fail_from(playful);
  const std::vector<std::string>& labels = *playful;
  const auto id = studio.start_change(
      "policy", name,
      [name, labels, traces = std::move(*traces)](Library& library, const Progress& progress) -> Result<json> {
        policy::CutOptions cut{.length_seconds = project::kPlayedFragmentSeconds};
        cut.labels = labels;
        const auto fragments = project::cut_fragments(library, name, cut, part_of(progress, 0, 0.1));
        if (!fragments) return fail_from(fragments);
        project::PolicyOptions options;
        options.fragments = name;
        const auto trained = project::train_policy(library, name, options, traces, part_of(progress, 0.1, 1));
        if (!trained) return fail_from(trained);
        if (!trained->policy.solution.converged) {
          const bool wanted = !progress.report(1, "");
          return fail_as(wanted ? ErrorKind::kStopped : ErrorKind::kOther, "stopped; what there is was kept");
        }
        return json{
            {"name", name}, {"fragments", fragments->set->size()}, {"left_out", left_out_json(fragments->left_out)}};
      });
  if (!id) return fail_from(id);
  json cut = {"fragments", "cut", "LIBRARY", "--name=" + name};
  json learn = {"fragments", "train", "LIBRARY", {{"given", name}}};
  if (!labels.empty()) cut.push_back("--label");
  for (const std::string& label : labels) cut.push_back(label);
  for (const std::string& trace : body.texts("traces")) learn.push_back("--traces=" + trace);
  return json_response({{"job", *id}, {"commands", {cut, learn}}});
}

Result<Response> list_playable(Studio& studio) {
  return studio.project().with([](const Library& library) -> Result<Response> {
    const auto found = library.artefacts(policy::kPolicyKind);
    if (!found) return fail_from(found);
    const auto played = policy::stored_traces(library);
    if (!played) return fail_from(played);
    json names = json::array(), traces = json::array();
    for (const library::ArtefactInfo& info : *found) names.push_back(info.name);
    for (const policy::StoredTrace& trace : *played) {
      traces.push_back({{"name", trace.name}, {"seconds", trace.seconds}, {"created", trace.created}});
    }
    return json_response({{"policies", names}, {"traces", traces}});
  });
}

/// {"name": ..., "csv": ..., "again": ...}: keeps what was played. A name that is taken gets a number; `again` is the
/// name under which the beginning of the same play was kept, which this replaces.
Result<Response> keep_trace(Studio& studio, const Fields& body) {
  const std::string wanted = body.text("name", "played");
  if (wanted.empty() || wanted.size() > 100) return fail("say what the trace is to be called");
  const auto trace = policy::parse_trace(body.text("csv"), "trace");
  if (!trace) return fail_from(trace);
  const auto kept = studio.project().change(body.stopped(), [&](Library& library) -> Result<std::string> {
    const auto known = policy::stored_traces(library);
    if (!known) return fail_from(known);
    std::string name = body.text("again");
    const auto is_taken = [&](const policy::StoredTrace& other) { return other.name == name; };
    if (std::none_of(known->begin(), known->end(), is_taken)) {
      name = wanted;
      for (int n = 2; std::any_of(known->begin(), known->end(), is_taken); ++n) name = wanted + "-" + std::to_string(n);
    }
    if (const auto ok = policy::store_trace(library, name, *trace); !ok) return fail_from(ok);
    return name;
  });
  if (!kept) return fail_from(kept);
  return json_response({{"name", *kept}});
}

Result<Response> forget_trace(Studio& studio, const std::string& name, const std::stop_token& stopped) {
  const auto gone = studio.project().change(
      stopped, [&](Library& library) { return project::remove_artefact(library, policy::kTraceKind, name); });
  if (!gone) return fail_from(gone);
  return json_response(json::object());
}

}  // namespace

void add_play_routes(Router& router, Studio& studio) {
  router.add("GET", "api/policies", [&](const Request&, const auto&) { return list_playable(studio); });
  router.add(
      "DELETE", "api/traces/*",
      [&](const Request& request, const auto& parts) { return forget_trace(studio, parts[0], request.stopped); },
      Lane::kChange);
  const auto add = [&](const char* pattern, Lane lane, auto act) {
    router.add_post(
        pattern, [&studio, act](const Fields& body, const auto&) { return act(studio, body); }, lane);
  };
  add("api/traces", Lane::kChange, keep_trace);
  add("api/policies", Lane::kQuick, train);
  add("api/play", Lane::kLong, play_policy);
  add("api/play/played", Lane::kLong, played);
}

}  // namespace loom::studio
