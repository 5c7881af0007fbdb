// SPDX-License-Identifier: MIT
// Machines of behaviors (Srinivasan 2009 ch. 3, 4): mined or read from a file, compared, and put right by saying which
// ways are to be the cheapest.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/graph/motion_graph.h>
#include <loom/machine/build.h>
#include <loom/machine/prefer.h>
#include <loom/machine/stored_machine.h>
#include <loom/machine/ways.h>
#include <loom/project/dependents.h>
#include <loom/project/machines.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

using behavior::StateMachine;
using library::Library;
using nlohmann::json;

constexpr std::size_t kMostWays = 100;     ///< of one question
constexpr std::size_t kLongestWay = 1000;  ///< states

Result<machine::StoredMachine> load_machine(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) { return machine::load_machine(library, name); });
}

/// What a state takes, as the machine file writes it.
std::string told_motion(const behavior::TakenMotion& taken) {
  const char* kind = taken.holding == behavior::Holding::kClip     ? "clip "
                     : taken.holding == behavior::Holding::kFamily ? "family "
                                                                   : "";
  return fmt::format("{}{}{}", kind, taken.name, taken.optional ? "?" : "");
}

json edges_json(const StateMachine& machine, const std::vector<machine::Edge>& edges) {
  json list = json::array();
  for (const machine::Edge& edge : edges) {
    list.push_back({{"from", machine.states[edge.from].name},
                    {"to", machine.states[edge.to].name},
                    {"probability", edge.probability}});
  }
  return list;
}

/// Whether its states were filled with motion.
bool is_built(const Library& library, const std::string& name) {
  const auto built = library.artefacts(machine::kBuiltMachineKind);
  return built && std::any_of(built->begin(), built->end(), [&](const auto& info) { return info.name == name; });
}

json about(const Library& library, const std::string& name, const machine::StoredMachine& stored) {
  const StateMachine& machine = stored.machine.machine;
  json states = json::array(), edits = json::array();
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    const behavior::MachineState& state = machine.states[s];
    json takes = json::array();
    for (const auto& set : state.takes) {
      for (const behavior::TakenMotion& taken : set) takes.push_back(told_motion(taken));
    }
    states.push_back({{"name", state.name},
                      {"cyclic", machine.keeps_itself(s)},
                      {"default", s == machine.default_state},
                      {"takes", std::move(takes)},
                      {"after", state.after ? json(machine.states[*state.after].name) : json()}});
  }
  for (const machine::MachineEdit& edit : stored.machine.edits) edits.push_back(edit.what);
  return {{"name", name},
          {"states", std::move(states)},
          {"edges", edges_json(machine, machine::edges_of(machine))},
          {"edits", std::move(edits)},
          {"built", is_built(library, name)},
          {"parameters", parse_json(stored.parameters)}};
}

Result<Response> list_machines(Studio& studio) {
  const auto found =
      studio.project().with([](const Library& library) { return library.artefacts(machine::kMachineKind); });
  if (!found) return fail_from(found);
  json machines = json::array();
  for (const library::ArtefactInfo& info : *found) {
    machines.push_back({{"name", info.name}, {"created", info.created}, {"parameters", parse_json(info.parameters)}});
  }
  return json_response({{"machines", std::move(machines)}});
}

Result<Response> describe_machine(Studio& studio, const std::string& name) {
  return studio.project().with([&](const Library& library) -> Result<Response> {
    const auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    return json_response(about(library, name, *stored));
  });
}

Result<void> check_name(const std::string& name) {
  if (name.empty() || name.size() > 100) return fail("say what the machine is to be called");
  return {};
}

/// {"name": ..., "graph": ..., "against": name of a machine of the library, or ""}: mines a graph, with the states of
/// the other machine where there is one.
Result<Response> mine(Studio& studio, const Fields& body) {
  if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
  const std::string name = body.text("name");
  if (const auto fine = check_name(name); !fine) return fail_from(fine);
  const std::string graph = body.text("graph"), against = body.text("against");
  if (against == name) return fail("give it another name than that of the machine it is compared with");
  const auto work = [name, graph, against](Library& library, const Progress& progress) -> Result<json> {
    std::optional<StateMachine> hand;
    if (!against.empty()) {
      auto stored = machine::load_machine(library, against);
      if (!stored) return fail_from(stored);
      hand = std::move(stored->machine.machine);
    }
    const auto mined = project::mine_machine(library, name, graph, {}, hand ? &*hand : nullptr, false, progress);
    if (!mined) return fail_from(mined);
    return json{{"name", name},
                {"states", mined->machine.states.size()},
                {"edges", mined->mined.edges()},
                {"chi", mined->likeness ? json(mined->likeness->chi) : json()},
                {"rho", mined->likeness ? json(mined->likeness->rho) : json()},
                {"seconds", mined->mined.seconds}};
  };
  const auto id = studio.start_change("machine", name, work);
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// {"file": name of the file, "text": what it says}: as `loom machine read` reads it.
Result<Response> read(Studio& studio, const std::string& name, const Fields& body) {
  if (const auto fine = check_name(name); !fine) return fail_from(fine);
  const std::string file = body.text("file", "machine");
  auto machine = behavior::parse_machine(body.text("text"), file);
  if (!machine) return fail_from(machine);
  const auto kept = studio.project().change(body.stopped(), [&](Library& library) {
    return project::put_machine(library, name, *machine, json_text({{"file", file}}));
  });
  if (!kept) return fail_from(kept);
  return describe_machine(studio, name);
}

Result<Response> as_file(Studio& studio, const std::string& name) {
  const auto stored = load_machine(studio, name);
  if (!stored) return fail_from(stored);
  Response response;
  response.type = "text/plain; charset=utf-8";
  response.body = behavior::format_machine(stored->machine.machine);
  response.download = name + ".machine";
  return response;
}

json missing_json(const std::vector<behavior::MachineState>& states, const project::MachineGaps& gaps) {
  json list = json::array();
  const graph::FrameNumbers numbers(gaps.graph.clips);
  for (const machine::MissingEdge& edge : gaps.missing) {
    json nearest;
    if (edge.nearest) {
      const project::ClipFrame from = project::clip_frame(gaps.graph, numbers, edge.nearest->a);
      const project::ClipFrame to = project::clip_frame(gaps.graph, numbers, edge.nearest->b);
      nearest = {{"from", from.clip},
                 {"from_frame", from.frame},
                 {"to", to.clip},
                 {"to_frame", to.frame},
                 {"distance", edge.nearest->distance}};
    }
    list.push_back({{"from", states[edge.from].name},
                    {"to", states[edge.to].name},
                    {"why", machine::to_string(edge.why)},
                    {"no_way", edge.no_way},
                    {"nearest", std::move(nearest)}});
  }
  return list;
}

/// What a machine lacks, of all pairs of its states or, with `against` in the query, of the transitions of a machine
/// drawn by hand, and how it compares with that one.
Result<Response> gaps(Studio& studio, const std::string& name, const Request& request) {
  const std::string against = request.ask("against");
  return studio.project().with([&](const Library& library) -> Result<Response> {
    const auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    std::optional<StateMachine> hand;
    std::optional<machine::Likeness> likeness;
    if (!against.empty()) {
      auto other = machine::load_machine(library, against);
      if (!other) return fail_from(other);
      hand = std::move(other->machine.machine);
      const auto alike = machine::compare_machines(stored->machine.machine, *hand);
      if (!alike) return fail_from(alike);
      likeness = *alike;
    }
    const auto found = project::find_gaps(library, name, hand ? &*hand : nullptr, until(request.stopped));
    if (!found) return fail_from(found);
    return json_response({{"mined", found->mined},
                          {"missing", missing_json(stored->machine.machine.states, *found)},
                          {"chi", likeness ? json(likeness->chi) : json()},
                          {"rho", likeness ? json(likeness->rho) : json()},
                          {"common_edges", likeness ? json(likeness->common_edges) : json()},
                          {"hand_edges", likeness ? json(likeness->hand_edges) : json()}});
  });
}

/// {"ways": [["stand", "start", "turn-left"]]}.
Result<std::vector<machine::StateWay>> read_ways(const StateMachine& machine, const Fields& body) {
  const json& lists = body.at("ways");
  if (!lists.is_array() || lists.size() > kMostWays) throw WrongField("'ways' must be a list of ways");
  std::vector<machine::StateWay> ways;
  for (const json& names : lists) {
    if (!names.is_array() || names.size() > kLongestWay) throw WrongField("a way is a list of states");
    machine::StateWay way;
    for (const json& name : names) {
      if (!name.is_string()) throw WrongField("a way is a list of states");
      const auto state = machine.find_state(name.get<std::string>());
      if (!state) {
        return fail_as(ErrorKind::kBadInput, fmt::format("there is no state '{}'", name.get<std::string>()));
      }
      way.push_back(*state);
    }
    ways.push_back(std::move(way));
  }
  if (ways.empty()) return fail_as(ErrorKind::kBadInput, "say which way is to be the cheapest");
  return ways;
}

/// The states of the cheapest way between the ends of `way`.
json cheapest_json(const StateMachine& machine, const machine::StateWay& way) {
  const std::vector<machine::Edge> edges = machine::edges_of(machine);
  const machine::Ways ways(machine.states.size(), edges);
  std::vector<double> costs;
  for (const machine::Edge& edge : edges) costs.push_back(edge.cost);
  json names = json::array();
  const auto cheapest = ways.cheapest(way.front(), way.back(), costs);
  if (!cheapest || way.size() < 2) return names;
  names.push_back(machine.states[way.front()].name);
  for (const std::size_t edge : *cheapest) names.push_back(machine.states[edges[edge].to].name);
  return names;
}

json answer_json(const StateMachine& machine, machine::PreferMethod method, const Result<machine::Preferred>& answer) {
  json told = {{"method", machine::to_string(method)},
               {"refused", nullptr},
               {"edges_changed", 0},
               {"ways_changed", 0},
               {"relative_change", 0},
               {"seconds", 0},
               {"edges", json::array()}};
  if (!answer) {
    told["refused"] = answer.error().message;
    return told;
  }
  told["edges_changed"] = answer->measures.edges_changed;
  told["ways_changed"] = answer->measures.ways_changed;
  told["relative_change"] = answer->measures.relative_change;
  told["seconds"] = answer->measures.seconds;
  told["edges"] = edges_json(machine, answer->edges);
  return told;
}

/// What both methods would make of ways; nothing is changed.
Result<Response> answers(Studio& studio, const std::string& name, const Fields& body) {
  const auto stored = load_machine(studio, name);
  if (!stored) return fail_from(stored);
  const StateMachine& machine = stored->machine.machine;
  const auto ways = read_ways(machine, body);
  if (!ways) return fail_from(ways);
  json told = json::array(), now = json::array();
  for (const machine::StateWay& way : *ways) now.push_back(way.empty() ? json::array() : cheapest_json(machine, way));
  for (const auto method : {machine::PreferMethod::kLeast, machine::PreferMethod::kQuadratic}) {
    told.push_back(answer_json(machine, method, machine::prefer(machine, *ways, method)));
  }
  return json_response({{"answers", std::move(told)}, {"now", std::move(now)}});
}

/// With "method" besides: takes what that one makes of it, as an edit that can be taken back.
Result<Response> prefer(Studio& studio, const std::string& name, const Fields& body) {
  const std::string wanted = body.text("method");
  const auto method = wanted == machine::to_string(machine::PreferMethod::kQuadratic)
                          ? machine::PreferMethod::kQuadratic
                          : machine::PreferMethod::kLeast;
  if (wanted != machine::to_string(method)) throw WrongField("'method' must be least or quadratic");
  return studio.project().change(body.stopped(), [&](Library& library) -> Result<Response> {
    auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    const auto ways = read_ways(stored->machine.machine, body);
    if (!ways) return fail_from(ways);
    const auto answer = machine::prefer(stored->machine.machine, *ways, method);
    if (!answer) return fail_from(answer);
    std::vector<std::string> what;
    for (const auto& way : *ways) what.push_back(machine::describe_way(stored->machine.machine, way));
    machine::take(stored->machine, *answer, fmt::format("{}", fmt::join(what, "; ")));
    const auto kept = machine::store_machine(library, name, stored->machine, stored->parameters);
    if (!kept) return fail_from(kept);
    return json_response(about(library, name, *stored));
  });
}

/// {"what": the edit that is to be taken back}: refused where another was made since.
Result<Response> undo(Studio& studio, const std::string& name, const Fields& body) {
  return studio.project().change(body.stopped(), [&](Library& library) -> Result<Response> {
    auto stored = machine::load_machine(library, name);
    if (!stored) return fail_from(stored);
    const auto undone = machine::undo(stored->machine);
    if (!undone) return fail_from(undone);
    if (undone->what != body.text("what")) {
      return fail_as(ErrorKind::kBadInput, fmt::format("the last change is another: {}", undone->what));
    }
    const auto kept = machine::store_machine(library, name, stored->machine, stored->parameters);
    if (!kept) return fail_from(kept);
    return json_response(about(library, name, *stored));
  });
}

Result<Response> remove_machine(Studio& studio, const std::string& name, const std::stop_token& stopped) {
  const auto gone = studio.project().change(
      stopped, [&](Library& library) { return project::remove_artefact(library, machine::kMachineKind, name); });
  if (!gone) return fail_from(gone);
  studio.tell_changed();
  return json_response({{"removed", name}});
}

}  // namespace

void add_machine_routes(Router& router, Studio& studio) {
  router.add("GET", "api/machines", [&](const Request&, const auto&) { return list_machines(studio); });
  router.add("GET", "api/machines/*",
             [&](const Request&, const auto& parts) { return describe_machine(studio, parts[0]); });
  router.add("GET", "api/machines/*/file",
             [&](const Request&, const auto& parts) { return as_file(studio, parts[0]); });
  router.add(
      "GET", "api/machines/*/gaps",
      [&](const Request& request, const auto& parts) { return gaps(studio, parts[0], request); }, Lane::kLong);
  router.add(
      "DELETE", "api/machines/*",
      [&](const Request& request, const auto& parts) { return remove_machine(studio, parts[0], request.stopped); },
      Lane::kChange);
  router.add_post("api/machines", [&](const Fields& body, const auto&) { return mine(studio, body); });
  router.add_post(
      "api/machines/*/ways", [&](const Fields& body, const auto& parts) { return answers(studio, parts[0], body); },
      Lane::kLong);
  const auto change = [&](const char* pattern, auto act) {
    const auto told = [&studio, act](const Fields& body, const auto& parts) {
      auto response = act(studio, parts[0], body);
      if (response) studio.tell_changed();
      return response;
    };
    router.add_post(pattern, told, Lane::kChange);
  };
  change("api/machines/*/prefer", prefer);
  change("api/machines/*/undo", undo);
  change("api/machines/*/read", read);
}

}  // namespace loom::studio
