// SPDX-License-Identifier: MIT
// Somebody who walks up to a thing and shows it (the page Plan): planned anew whenever something in the room moves.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/math.h>
#include <loom/base/whole.h>
#include <loom/blend/blend_parts.h>
#include <loom/blend/family/stored_family.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/project/gather_steps.h>
#include <loom/world/world_mesh.h>

#include "studio/pieces.h"
#include "studio/studio.h"
#include "studio/world_json.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr std::size_t kMostObservers = 12;
constexpr std::size_t kMostLines = 4000;  ///< of a tree, that a page draws

/// What plans of one family need, made once.
struct Actor {
  std::string family;
  std::string stamp;  ///< tells one build of it from the next
  blend::StoredFamily stored;
  blend::MotionMaker maker;
  plan::ActionSpace space;
  std::shared_ptr<const blend::StepLibrary> steps;  ///< none: the library has no walks to cut steps from
  std::string no_steps;                             ///< and why
};

/// What changes when a family is built anew, or clips come and go.
Result<std::string> stamp_of(const Library& library, const std::string& family) {
  const auto all = library.artefacts(blend::kFamilyKind);
  if (!all) return fail_from(all);
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  for (const library::ArtefactInfo& info : *all) {
    if (info.name == family) return fmt::format("{} {} {}", info.created, info.input_hash, clips->size());
  }
  return fail_as(ErrorKind::kNotFound, fmt::format("there is no family called '{}'", family));
}

/// The family that was planned with last: the next plan is usually with the same.
class LastActor {
 public:
  Result<std::shared_ptr<const Actor>> of(Studio& studio, const std::string& family, const std::stop_token& stopped) {
    const std::lock_guard lock(mutex_);
    return studio.project().with([&](const Library& library) -> Result<std::shared_ptr<const Actor>> {
      const auto stamp = stamp_of(library, family);
      if (!stamp) return fail_from(stamp);
      if (actor_ && actor_->family == family && actor_->stamp == *stamp) return actor_;
      auto stored = blend::load_family(library, family);
      if (!stored) return fail_from(stored);
      auto maker = blend::MotionMaker::create(stored->family, stored->space, blend::Method::kCorrected);
      if (!maker) return fail_from(maker);
      auto space = plan::ActionSpace::create(stored->space);
      if (!space) return fail_from(space);
      auto steps =
          project::gather_steps(library, *stored->space->skeleton(), stored->space->rate(), {}, until(stopped));
      auto made = std::make_shared<Actor>(
          Actor{family, *stamp, std::move(*stored), std::move(*maker), std::move(*space), nullptr, {}});
      if (steps && !steps->first[0].examples.empty() && !steps->last[0].examples.empty()) {
        made->steps = std::make_shared<const blend::StepLibrary>(std::move(*steps));
      } else {
        made->no_steps = steps ? "no recorded step begins and ends standing still" : steps.error().to_string();
      }
      actor_ = std::move(made);
      return actor_;
    });
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Actor> actor_;
};

json candidate_json(const plan::Candidate& candidate) {
  return {{"x", candidate.stand.x},
          {"z", candidate.stand.z},
          {"turn", static_cast<double>(candidate.stand.heading) * kDegreesARadian},
          {"clearance", candidate.clearance},
          {"rejected", plan::to_string(candidate.why)}};
}

std::string name_of(const plan::Look& look) {
  if (look.at == plan::Look::At::kFloor) return "floor";
  return look.at == plan::Look::At::kTarget ? "target" : fmt::format("observer {}", look.observer + 1);
}

/// The trees in weights and time as lines in the room: where each node has the hand.
json tree_json(const Actor& actor, const plan::WeightSearch& search, const motion::GroundFrame& stand, int hand) {
  json lines = json::array();
  auto placed = actor.space.scratch();
  const auto place = [&](std::size_t node) {
    actor.space.place(search.nodes[node].slice, search.nodes[node].weights, stand, placed);
    return placed.positions[static_cast<std::size_t>(hand)];
  };
  for (std::size_t e = 0; e < std::min(kMostLines, search.edges.size()); ++e) {
    const Vec3 from = place(search.edges[e].first), to = place(search.edges[e].second);
    lines.push_back({from.x, from.y, from.z, to.x, to.y, to.z});
  }
  return lines;
}

/// What the motion is made of: the steps, each blended of several, then the action. Their seams are weighed by how far
/// each misses what it was made for.
json pieces_of(const Actor& actor, const plan::ShowPlan& plan) {
  const auto term = [](const char* name, const char* unit) { return json{{"name", name}, {"unit", unit}}; };
  json pieces = json::array();
  json left = nullptr;
  if (plan.approach) {
    const blend::StepWalk& walk = plan.approach->walk;
    const json terms = json::array({term("blend off the footprint", "cm"), term("its direction off", "°"),
                                    term("foot off the footprint, at last", "cm")});
    for (const blend::StepReport& step : walk.steps) {
      json taken =
          seam_choice(step.example, 0, nullptr,
                      {100 * step.blend_error, step.turn_error * kDegreesARadian, 100 * walk.errors[step.footprint]});
      json piece = piece_told(step.example, pieces.empty() ? 0 : step.begin, 0,
                              seam_told(left, terms, std::move(taken), json::array()));
      piece["what"] = fmt::format("step on footprint {}", step.footprint + 1);
      left = {{"clip", step.example}, {"frame", step.end - step.begin}};
      pieces.push_back(std::move(piece));
    }
  }
  const blend::BlendSpace& space = actor.space.space();
  const std::size_t slice = space.strokes().empty() ? actor.space.slices() / 2 : actor.space.stroke_slice(0);
  std::vector<float> weights(space.size());
  plan.action.path.at(static_cast<double>(slice), weights);
  const auto parts = blend::parts_at(space, weights, actor.space.time_of(slice));
  std::vector<std::string> names;
  for (const motion::Clip& clip : space.clips()) names.push_back(clip.name);
  const std::string heaviest = parts.empty() ? std::string() : names[parts.front().at.clip];
  json taken =
      seam_choice(heaviest, 0, nullptr,
                  {1000 * plan.action.hand_error_m, plan.transition.seconds, 100 * plan.action.straight_touches});
  json action =
      piece_told(heaviest, to_whole<std::size_t>(std::round(plan.transition.begin * plan.action.blended.clip.rate)), 0,
                 seam_told(left,
                           json::array({term("hand off the target", "mm"), term("transition takes", "s"),
                                        term("would touch something, going straight", "%")}),
                           std::move(taken), json::array()));
  action["what"] = fmt::format("the action, by {}", plan::to_string(plan.action.by));
  action["parts"] = parts_json(parts, names);
  pieces.push_back(std::move(action));
  return pieces;
}

json place_json(Vec3 place) { return {place.x, place.y, place.z}; }

/// Where the plan has the hand, slice by slice, and where the motion has it, frame by frame from the action on.
json hand_json(const Actor& actor, const plan::ShowPlan& plan, int hand) {
  json planned = json::array(), went = json::array();
  auto placed = actor.space.scratch();
  std::vector<float> weights(actor.space.examples());
  for (std::size_t slice = 0; slice < actor.space.slices(); ++slice) {
    plan.action.path.at(static_cast<double>(slice), weights);
    actor.space.place(slice, weights, plan.candidates[plan.chosen].stand, placed);
    planned.push_back(place_json(placed.positions[static_cast<std::size_t>(hand)]));
  }
  const motion::Clip& clip = plan.action.blended.clip;
  const auto begin = std::min(to_whole<std::size_t>(std::round(plan.transition.begin * clip.rate)), clip.frames());
  for (std::size_t f = begin; f < clip.frames(); ++f) {
    went.push_back(place_json(motion::joint_frame(*clip.skeleton, hand, clip.roots[f], clip.pose(f)).position));
  }
  return {{"planned", std::move(planned)}, {"went", std::move(went)}, {"begin", begin}};
}

json told_of(const Actor& actor, const plan::ShowPlan& plan, int hand) {
  json looks = json::array(), prints = json::array(), way = json::array();
  for (const plan::Look& look : plan.looks) looks.push_back({{"at_s", look.seconds}, {"at", name_of(look)}});
  if (plan.approach) {
    const Vec3 start = plan.action.blended.clip.roots.front();
    way.push_back({start.x, start.z});
    for (const world::Point& corner : plan.approach->way) way.push_back({corner.x, corner.z});
    for (const blend::Footprint& print : plan.approach->prints) {
      prints.push_back({{"x", print.place.x},
                        {"z", print.place.z},
                        {"turn", static_cast<double>(print.place.heading) * kDegreesARadian},
                        {"left", print.left}});
    }
  }
  const plan::Candidate& chosen = plan.candidates[plan.chosen];
  return {{"chosen", plan.chosen},
          {"method", plan::to_string(plan.action.by)},
          {"hand_error_m", plan.action.hand_error_m},
          {"stop_error_m", plan.approach ? plan.approach->stop_error_m : 0.0},
          {"stop_error_deg", plan.approach ? plan.approach->stop_error_rad * kDegreesARadian : 0.0},
          {"walked_s", plan.transition.begin},
          {"sight_off_deg", plan.sight_off_deg},
          {"gaze", std::move(looks)},
          {"footprints", std::move(prints)},
          {"way", std::move(way)},
          {"hand", hand_json(actor, plan, hand)},
          {"pieces", pieces_of(actor, plan)},
          {"tree", tree_json(actor, plan.action.search, chosen.stand, hand)}};
}

Result<std::vector<plan::Observer>> observers_of(const Fields& body) {
  std::vector<plan::Observer> observers;
  const json& list = body.at("observers");
  if (!list.is_array() || list.empty() || list.size() > kMostObservers)
    return fail(fmt::format("'observers' are 1 to {} places", kMostObservers));
  for (const json& one : list) {
    if (!one.is_object()) return fail("an observer is {x, z}");
    const Fields place(one);
    observers.push_back({{place.number("x", 0), place.number("z", 0)}});
  }
  return observers;
}

/// {"world": …, "family": "reach", "target": {"x", "y", "z"}, "observers": [{"x", "z"}], "walk": true}: from the
/// world's first start.
Result<Response> show(Studio& studio, LastActor& last, const Fields& body) {
  auto world = world_from(body);
  if (!world) return fail_from(world);
  const auto actor = last.of(studio, body.text("family"), body.stopped());
  if (!actor) return fail_from(actor);
  const Actor& who = **actor;
  if (!body.at("target").is_object()) return fail("'target' is {x, y, z}");
  const Fields at(body.at("target"));
  blend::JointTarget target;
  target.joint = who.stored.family->joint;
  target.point = {static_cast<float>(at.number("x", 0)), static_cast<float>(at.number("y", 1)),
                  static_cast<float>(at.number("z", 0))};
  const auto observers = observers_of(body);
  if (!observers) return fail_from(observers);
  auto collision = world::Collision::create(*world);
  if (!collision) return fail_from(collision);

  const bool walks = body.flag("walk", true) && who.steps && !world->starts.empty();
  std::optional<plan::Approacher> approacher;
  motion::GroundFrame start;
  if (walks) {
    auto made = plan::Approacher::create(*who.steps, *world);
    if (!made) return fail_from(made);
    approacher = std::move(*made);
    const world::Spot& spot = world->starts.front();
    start = {static_cast<float>(spot.at.x), static_cast<float>(spot.at.z),
             static_cast<float>(spot.heading.value_or(0))};
  }
  const auto begin = std::chrono::steady_clock::now();
  auto plan = plan::plan_show(who.space, who.maker, *world, *collision, {&target, 1}, *observers, {},
                              approacher ? &*approacher : nullptr, start);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  json answer = {{"milliseconds", taken.count()},
                 {"candidates", json::array()},
                 {"plan", nullptr},
                 {"made", nullptr},
                 {"error", nullptr},
                 {"joint", who.space.space().skeleton()->joint(static_cast<std::size_t>(target.joint)).name},
                 {"no_walk", who.steps ? json(nullptr) : json(who.no_steps)}};
  if (!plan) {
    answer["error"] = plan.error().message;
    // Where one could stand is worth seeing all the same.
    const auto candidates = plan::place_around(who.space, *world, *collision, {&target, 1}, *observers);
    if (!candidates) return fail_from(candidates);
    for (const plan::Candidate& candidate : *candidates) answer["candidates"].push_back(candidate_json(candidate));
    return json_response(answer);
  }
  for (const plan::Candidate& candidate : plan->candidates) answer["candidates"].push_back(candidate_json(candidate));
  answer["plan"] = told_of(who, *plan, target.joint);
  motion::Clip clip = std::move(plan->action.blended.clip);
  clip.name = "show";
  const std::string how = json_text({{"family", who.family}, {"world", world::format_world(*world)}});
  answer["made"] =
      studio.project().keep({std::move(clip), std::move(plan->action.blended.contacts), how, world::props_of(*world)});
  return json_response(answer);
}

}  // namespace

void add_show_routes(Router& router, Studio& studio) {
  const auto last = std::make_shared<LastActor>();
  router.add_post(
      "api/worlds/show", [&studio, last](const Fields& body, const auto&) { return show(studio, *last, body); },
      Lane::kLong);
}

}  // namespace loom::studio
