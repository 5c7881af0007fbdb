// SPDX-License-Identifier: MIT
// Machines of behaviors that are built (Srinivasan 2009 ch. 5, 6.1): their transitions looked at, changed by hand and
// played, and a character that plays them live.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/whole.h>
#include <loom/machine/build.h>
#include <loom/machine/crossing_matrix.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/stored_machine.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/machines.h>

#include "studio/machine_scene.h"
#include "studio/matrix_response.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

using behavior::MachineWarp;
using library::Library;
using machine::BuiltMachine;
using nlohmann::json;

constexpr std::size_t kMostWarps = 200;  ///< of two states
constexpr std::size_t kMostKnots = 200;  ///< of a warp
constexpr float kUnlikely = 1e-6f;
constexpr double kLongestCrossing = 30;      ///< seconds until a transition that is looked at must have come
constexpr double kBefore = 1, kAfter = 1.5;  ///< seconds that are shown of it before and after

using Built = std::shared_ptr<const BuiltMachine>;

Result<Built> load_built(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) { return machine::load_built_machine(library, name); });
}

/// {}: fills the states with motion and finds the transitions, in the background; as it was built before, if it was.
Result<Response> build(Studio& studio, const std::string& name, const Fields&) {
  if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
  const auto work = [name](Library& library, const Progress& progress) -> Result<json> {
    const auto begin = std::chrono::steady_clock::now();
    const auto options = project::built_with(library, name);
    if (!options) return fail_from(options);
    const auto built = project::build_machine(library, name, *options, progress);
    if (!built) return fail_from(built);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return json{{"name", name},
                {"states", built->states.size()},
                {"transitions", built->transitions.size()},
                {"seconds", took.count()}};
  };
  const auto id = studio.start_change("built", name, work);
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// The states between which something is asked about.
struct StatePair {
  std::size_t from = 0, to = 0;
};
Result<StatePair> find_pair(const behavior::StateMachine& machine, const std::string& from, const std::string& to) {
  const auto a = machine.find_state(from), b = machine.find_state(to);
  if (!a || !b) return fail_as(ErrorKind::kNotFound, fmt::format("there is no state '{}'", a ? to : from));
  return StatePair{*a, *b};
}

/// Warps in the order of the machine's, as the page has them: knots in seconds of both reference motions.
json warps_json(const behavior::StateMachine& machine, const StatePair& pair) {
  json list = json::array();
  for (const MachineWarp& warp : machine.warps) {
    if (warp.from != pair.from || warp.to != pair.to) continue;
    json knots = json::array();
    for (const behavior::WarpKnot& knot : warp.knots) knots.push_back({knot.from, knot.to});
    list.push_back({{"knots", std::move(knots)}, {"pinned", warp.pinned}, {"out", warp.out}});
  }
  return list;
}

json transitions_json(const BuiltMachine& built, const StatePair& pair) {
  json list = json::array();
  const machine::BuiltState &from = built.states[pair.from], &to = built.states[pair.to];
  for (const machine::BuiltTransition& transition : built.between(pair.from, pair.to)) {
    json knots = json::array();
    for (const behavior::WarpKnot& knot : transition.knots) {
      knots.push_back({from.begin + knot.from * (from.end - from.begin), to.begin + knot.to * (to.end - to.begin)});
    }
    list.push_back({{"knots", std::move(knots)}, {"cost", transition.cost}, {"pinned", transition.pinned}});
  }
  return list;
}

/// What the states of a built machine vary in.
Result<Response> states(Studio& studio, const std::string& name, const Request&) {
  const auto built = load_built(studio, name);
  if (!built) return fail_from(built);
  return json_response({{"states", built_states_json(**built)}});
}

/// What leads from one state to another: the distances of their reference motions, the transitions that were found, and
/// the warps that the machine has, those thrown out included.
Result<Response> crossings(Studio& studio, const std::string& name, const Request& request) {
  const auto built = load_built(studio, name);
  if (!built) return fail_from(built);
  const auto pair = find_pair((*built)->machine, request.ask("from"), request.ask("to"));
  if (!pair) return fail_from(pair);
  const auto matrix = machine::crossing_matrix(**built, pair->from, pair->to);
  if (!matrix) return fail_from(matrix);
  return matrix_response(matrix->distances, (*built)->rate(),
                         {{"minima", json::array()},
                          {"from_seconds", {matrix->from_begin, matrix->from_end}},
                          {"to_seconds", {matrix->to_begin, matrix->to_end}},
                          {"transitions", transitions_json(**built, *pair)},
                          {"warps", warps_json((*built)->machine, *pair)}});
}

/// The machine with one transition alone between two states, so that it is this one that is taken.
Result<Built> with_one(const BuiltMachine& built, const StatePair& pair, std::size_t index) {
  BuiltMachine one = built;
  const auto between = built.between(pair.from, pair.to);
  if (index >= between.size()) return fail_as(ErrorKind::kNotFound, "there is no such transition");
  const machine::BuiltTransition& kept = between[index];
  std::erase_if(one.transitions, [&](const auto& t) { return t.from == pair.from && t.to == pair.to; });
  const auto place = std::find_if(one.transitions.begin(), one.transitions.end(), [&](const auto& t) {
    return std::pair(t.from, t.to) > std::pair(pair.from, pair.to);
  });
  one.transitions.insert(place, kept);
  // Straight there, however unlikely that is.
  for (behavior::MachineTransition& transition : one.machine.transitions) {
    if (transition.from == pair.from) transition.weight = transition.to == pair.to ? 1.0f : kUnlikely;
  }
  return std::make_shared<const BuiltMachine>(std::move(one));
}

/// One transition, played: a second before it, and a second and a half after.
Result<Response> crossing(Studio& studio, const std::string& name, const Request& request) {
  const auto built = load_built(studio, name);
  if (!built) return fail_from(built);
  const auto pair = find_pair((*built)->machine, request.ask("from"), request.ask("to"));
  if (!pair) return fail_from(pair);
  const std::string number = request.ask("index", "0");
  if (number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos) {
    return fail_as(ErrorKind::kBadInput, "'index' must be a number");
  }
  const auto alone = with_one(**built, *pair, static_cast<std::size_t>(std::strtoul(number.c_str(), nullptr, 10)));
  if (!alone) return fail_from(alone);
  machine::PlayerOptions options;
  options.start = pair->from;
  auto player = machine::MachinePlayer::create(*alone, options);
  if (!player) return fail_from(player);
  const double rate = (*player)->rate();
  std::optional<double> began, ended;
  bool wished = false;
  // Steps of the player are heard before each pose: when it goes over, and when it has.
  const auto control = [&](double seconds) {
    if (!wished && seconds >= kBefore / 2) {
      machine::Wish wish;
      wish.state = pair->to;
      wished = (*player)->wish(wish);
    }
    const bool over = (*player)->mode() == machine::Mode::kTransition;
    if (over && !began) began = seconds;
    if (!over && began && !ended) ended = seconds;
    return motion::Control{};
  };
  motion::Recording made;
  for (double seconds = 4; seconds <= kLongestCrossing; seconds *= 2) {
    began.reset();
    ended.reset();
    wished = false;
    auto fresh = machine::MachinePlayer::create(*alone, options);
    if (!fresh) return fail_from(fresh);
    *player = std::move(*fresh);
    auto recorded = motion::record(**player, seconds, control, until(request.stopped));
    if (!recorded) return fail_from(recorded);
    made = std::move(*recorded);
    if (ended && *ended + kAfter <= seconds) break;
  }
  if (!began) return fail("the transition is not come to");
  if (const auto planted = polish::plant_feet(made); !planted) return fail_from(planted);
  const auto frame = [&](double seconds) {
    return std::min(made.clip.frames(), to_whole<std::size_t>(std::round(std::max(0.0, seconds) * rate)));
  };
  const std::size_t first = frame(*began - kBefore), last = frame(ended.value_or(*began) + kAfter);
  auto clip = motion::cut(made.clip, first, last);
  if (!clip) return fail_from(clip);
  clip->name = fmt::format("{} to {}", request.ask("from"), request.ask("to"));
  auto contacts = motion::find_contacts(*clip);
  if (!contacts) return fail_from(contacts);
  return made_response(
      studio, std::move(*clip), std::move(*contacts),
      {{"machine", name}, {"from", request.ask("from")}, {"to", request.ask("to")}},
      {{"change_frame", frame(*began) - first}, {"changed_frame", frame(ended.value_or(*began)) - first}});
}

Result<std::vector<MachineWarp>> read_warps(const Fields& body, const StatePair& pair) {
  const json& list = body.at("warps");
  if (!list.is_array() || list.size() > kMostWarps) throw WrongField("'warps' must be a list of warps");
  std::vector<MachineWarp> warps;
  for (const json& entry : list) {
    if (!entry.is_object()) throw WrongField("a warp must be an object");
    const Fields fields(entry);
    MachineWarp warp;
    warp.from = pair.from;
    warp.to = pair.to;
    warp.pinned = fields.flag("pinned");
    warp.out = fields.flag("out");
    const json& knots = fields.at("knots");
    if (!knots.is_array() || knots.size() < 2 || knots.size() > kMostKnots) {
      throw WrongField("a warp has two knots at least");
    }
    for (const json& knot : knots) {
      const auto is_time = [](const json& value) { return value.is_number() && std::isfinite(value.get<double>()); };
      if (!knot.is_array() || knot.size() != 2 || !is_time(knot[0]) || !is_time(knot[1])) {
        throw WrongField("a knot is two times in seconds");
      }
      warp.knots.push_back({knot[0].get<double>(), knot[1].get<double>()});
    }
    for (std::size_t k = 1; k < warp.knots.size(); ++k) {
      if (!(warp.knots[k].from > warp.knots[k - 1].from && warp.knots[k].to > warp.knots[k - 1].to)) {
        return fail_as(ErrorKind::kBadInput, "time goes forward along a warp, in both motions");
      }
    }
    warps.push_back(std::move(warp));
  }
  return warps;
}

/// {"from": state, "to": state, "warps": [...]}: what leads from the one to the other is this from now on, and what is
/// found beside it as the machine was built. Nothing is changed where that fails.
Result<Response> set_warps(Studio& studio, const std::string& name, const Fields& body) {
  return studio.project().change(body.stopped(), [&](Library& library) -> Result<Response> {
    const auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    const auto pair = find_pair(stored->machine.machine, body.text("from"), body.text("to"));
    if (!pair) return fail_from(pair);
    auto warps = read_warps(body, *pair);
    if (!warps) return fail_from(warps);
    const auto done =
        project::change_warps(library, name, pair->from, pair->to, std::move(*warps), until(body.stopped()));
    if (!done) return fail_from(done);
    return json_response({{"changed", name}});
  });
}

/// The built machine with the probabilities that the machine has now: ways may have been preferred since it was built.
Result<Built> load_as_it_is(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) -> Result<Built> {
    auto built = machine::load_built_machine(library, name);
    if (!built) return fail_from(built);
    const auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    BuiltMachine now = **built;
    for (behavior::MachineTransition& transition : now.machine.transitions) {
      const auto& machine = stored->machine.machine;
      const auto from = machine.find_state(now.machine.states[transition.from].name),
                 to = machine.find_state(now.machine.states[transition.to].name);
      const auto* same = from && to ? machine.find_transition(*from, *to) : nullptr;
      if (same != nullptr) transition.weight = same->weight;
    }
    return std::make_shared<const BuiltMachine>(std::move(now));
  });
}

/// {}: live.
Result<Response> play(Studio& studio, const std::string& name, const Fields&) {
  const auto built = load_as_it_is(studio, name);
  if (!built) return fail_from(built);
  machine::PlayerOptions options;
  options.rate = kPoseRate;
  auto scene = make_machine_scene(*built, options);
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

}  // namespace

void add_machine_play_routes(Router& router, Studio& studio) {
  router.add_post("api/machines/*/build",
                  [&](const Fields& body, const auto& parts) { return build(studio, parts[0], body); });
  const auto ask = [&](const char* pattern, auto tell) {
    router.add(
        "GET", pattern,
        [&studio, tell](const Request& request, const auto& parts) { return tell(studio, parts[0], request); },
        Lane::kLong);
  };
  ask("api/machines/*/states", states);
  ask("api/machines/*/crossings", crossings);
  ask("api/machines/*/crossing", crossing);
  router.add_post(
      "api/machines/*/play", [&](const Fields& body, const auto& parts) { return play(studio, parts[0], body); },
      Lane::kLong);
  router.add_post(
      "api/machines/*/warps",
      [&](const Fields& body, const auto& parts) {
        auto response = set_warps(studio, parts[0], body);
        if (response) studio.tell_changed();
        return response;
      },
      Lane::kChange);
}

}  // namespace loom::studio
