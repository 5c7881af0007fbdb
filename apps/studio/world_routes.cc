// SPDX-License-Identifier: MIT
// Worlds that are drawn, ways that are searched through them, and crowds that walk in them (the page World).
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/text.h>
#include <loom/crowd/stored_gait.h>
#include <loom/crowd/world_crowd.h>
#include <loom/plan/walk_plan.h>
#include <loom/world/grid_map.h>

#include "studio/crowd_scene.h"
#include "studio/plan_scene.h"
#include "studio/studio.h"
#include "studio/world_json.h"

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

constexpr double kLongestSearch = 600;      ///< seconds
constexpr std::size_t kMostWalkers = 200;   ///< that a page is shown
constexpr std::size_t kMostOfAFile = 5000;  ///< obstacles that a page draws
constexpr std::string_view kGraph = "graph:";

/// The graph that was unrolled last: the next search is usually on the same.
class LastUnrolled {
 public:
  Result<std::shared_ptr<const plan::UnrolledGraph>> of(const std::shared_ptr<const graph::StoredGraph>& stored) {
    const std::lock_guard lock(mutex_);
    if (stored_.lock() == stored && unrolled_) return unrolled_;
    auto made = plan::unroll(stored->graph, stored->motion);
    if (!made) return fail_from(made);
    stored_ = stored;
    unrolled_ = std::make_shared<const plan::UnrolledGraph>(std::move(*made));
    return unrolled_;
  }

 private:
  std::mutex mutex_;
  std::weak_ptr<const graph::StoredGraph> stored_;
  std::shared_ptr<const plan::UnrolledGraph> unrolled_;
};

/// {"file": "hall.world", "text": "world hall …", "cell": 0.5}: a file that was opened in the page.
Result<Response> read(const Fields& body) {
  const std::string file = body.text("file", "a.world"), text = body.text("text");
  if (!lower_case(file).ends_with(".map")) {
    const auto no_mesh = [](const std::string& mesh) -> Result<io::TriangleMesh> {
      return fail_as(ErrorKind::kBadInput, fmt::format("a page cannot read the mesh '{}' beside a world", mesh));
    };
    const auto world = world::parse_world(text, file, no_mesh);
    if (!world) return fail_from(world);
    if (world->obstacles.size() > kMostOfAFile) return fail("the world has more obstacles than a page can draw");
    return json_response(world_json(*world));
  }
  const double cell = body.number("cell", 0.5);
  if (!(cell >= 0.01 && cell <= 100)) return fail("a cell is from 0.01 to 100 metres");
  const auto map = world::read_map(text, file, cell);
  if (!map) return fail_from(map);
  const world::World world = world::world_of(*map, file.substr(0, file.size() - 4));
  if (world.obstacles.size() > kMostOfAFile) return fail("the map has more walls than a page can draw");
  return json_response(world_json(world));
}

/// {"world": …}: the same as the text of a file.
Result<Response> text(const Fields& body) {
  const auto world = world_from(body);
  if (!world) return fail_from(world);
  return json_response({{"text", world::format_world(*world)}});
}

/// {"world": …, "with": "graph:main", "seconds": 5, "bound": 1.2}.
Result<Response> plan(Studio& studio, LastUnrolled& last, const Fields& body) {
  auto world = world_from(body);
  if (!world) return fail_from(world);
  if (world->starts.empty() || world->goals.empty()) return fail("the world needs a start and a goal");
  PlanWish wish;
  wish.options.search.seconds = body.number("seconds", 5);
  wish.options.search.bound = body.number("bound", 1.2);
  if (!(wish.options.search.seconds > 0 && wish.options.search.seconds <= kLongestSearch))
    return fail(fmt::format("a search takes up to {:.0f} seconds here", kLongestSearch));
  if (!(wish.options.search.bound >= 1)) return fail("a bound is 1 or more");
  const std::string with = body.text("with");
  if (!with.starts_with(kGraph)) return fail("say what to search: graph:NAME");
  const auto stored = studio.project().graph(with.substr(kGraph.size()));
  if (!stored) return fail_from(stored);
  auto unrolled = last.of(*stored);
  if (!unrolled) return fail_from(unrolled);
  wish.graph = std::move(*unrolled);
  wish.how = json_text({{"with", with}, {"world", world::format_world(*world)}});
  wish.world = std::move(*world);
  return scene_response(studio, make_plan_scene(std::move(wish), [&studio](MadeMotion made) {
                          return studio.project().keep(std::move(made));
                        }));
}

/// {"world": …, "characters": 20, "seed": 1, "steering": "reciprocal", "anywhere": true}.
Result<Response> walkers(Studio& studio, const Fields& body) {
  auto world = world_from(body);
  if (!world) return fail_from(world);
  crowd::WorldCrowdOptions members;
  members.characters = body.whole("characters", members.characters);
  members.seed = body.whole("seed", 1);
  members.anywhere = body.flag("anywhere");
  if (members.characters < 1 || members.characters > kMostWalkers)
    return fail(fmt::format("1 to {} can walk here; the command takes more", kMostWalkers));
  crowd::CrowdOptions options;
  const auto steering = crowd::steering_named(body.text("steering", "reciprocal"));
  if (!steering) return fail("'steering' is none that there is");
  options.steering = *steering;
  const auto walks = studio.project().with(
      [&](const Library& library) { return crowd::load_gait(library, body.text("family"), until(body.stopped())); });
  if (!walks) return fail_from(walks);
  auto model = crowd::LearnedSteering::learn(crowd::sample_gait(*walks->gait));
  if (!model) return fail_from(model);
  auto scene = make_crowd_scene(std::move(*world), *walks, std::move(*model), members, options);
  if (!scene) return fail_from(scene);
  return scene_response(studio, std::move(*scene));
}

}  // namespace

void add_world_routes(Router& router, Studio& studio) {
  router.add_post("api/worlds/read", [](const Fields& body, const auto&) { return read(body); });
  router.add_post("api/worlds/text", [](const Fields& body, const auto&) { return text(body); });
  const auto last = std::make_shared<LastUnrolled>();
  router.add_post(
      "api/worlds/plan", [&studio, last](const Fields& body, const auto&) { return plan(studio, *last, body); },
      Lane::kLong);
  router.add_post(
      "api/worlds/crowd", [&studio](const Fields& body, const auto&) { return walkers(studio, body); }, Lane::kLong);
}

}  // namespace loom::studio
