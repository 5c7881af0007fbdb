// SPDX-License-Identifier: MIT
#include "studio/plan_scene.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include <nlohmann/json.hpp>

#include <loom/base/math.h>
#include <loom/base/whole.h>
#include <loom/polish/plant_feet.h>
#include <loom/world/world_mesh.h>

#include "studio/fields.h"
#include "studio/pieces.h"

namespace loom::studio {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenNews = std::chrono::milliseconds(100);
constexpr std::size_t kDenser = 3000;  ///< lines of the tree after which only every other one is shown
constexpr std::size_t kWayStep = 3;    ///< frames between two points of a way that are told

int centimetres(double metres) { return to_whole<int>(std::round(std::clamp(metres, -1e5, 1e5) * 100)); }

/// Every few points of a way, and its last.
json way_json(std::span<const world::Point> way) {
  json points = json::array();
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (i % kWayStep == 0 || i + 1 == way.size()) points.push_back({way[i].x, way[i].z});
  }
  return points;
}

/// The search, seen from the thread on which it runs and from that of the stage.
class Search {
 public:
  explicit Search(PlanWish wish) : wish_(std::move(wish)) {
    watch_.looked = [this](world::Point from, world::Point to) { looked(from, to); };
    watch_.better = [this](const plan::SearchStep& step) {
      const std::lock_guard lock(mutex_);
      step_ = step;
    };
    watch_.enough = [this] { return enough_.load(); };
  }

  /// Finds the walk and makes motion of it, feet planted, as `loom plan walk` does; what a page is told of it.
  Result<json> run(const std::function<std::uint64_t(MadeMotion)>& keep) {
    wish_.options.search.watch = &watch_;
    const world::Spot &start = wish_.world.starts[0], &goal = wish_.world.goals[0];
    const Progress progress([this](double, std::string_view) { return !leaving_.load(); });
    auto plan = plan::plan_walk(*wish_.graph, wish_.world, {start.at, start.heading}, {goal.at, goal.heading},
                                wish_.options, progress);
    if (!plan) return fail_from(plan);
    motion::Recording recording = *plan->recording;
    if (const auto planted = polish::plant_feet(recording); !planted) return fail_from(planted);
    const auto collided = plan::find_collisions(recording.clip, wish_.world);
    if (!collided) return fail_from(collided);
    recording.clip.name = "plan";
    json told = {{"seconds", plan->seconds},
                 {"length_m", plan->length_m},
                 {"floor_m", plan->floor_m},
                 {"bound", plan->search.bound},
                 {"searched_s", plan->search.seconds},
                 {"first_s", plan->search.seconds_first},
                 {"expanded", plan->search.expanded},
                 {"end_error_m", plan->end_error_m},
                 {"end_error_deg", plan->end_error_rad * kDegreesARadian},
                 {"collisions", collided->size()},
                 {"way", way_json(plan->way)},
                 {"pieces", pieces_json(*wish_.graph->graph, *wish_.graph->motion, recording)}};
    told["made"] =
        keep({std::move(recording.clip), std::move(recording.contacts), wish_.how, world::props_of(wish_.world)});
    return told;
  }

  void finish(Result<json> told) {
    const std::lock_guard lock(mutex_);
    planned_ = {{"event", "planned"},
                {"plan", told ? std::move(*told) : json(nullptr)},
                {"error", told ? json(nullptr) : json(told.error().to_string())}};
  }

  /// What has grown since it was last asked, and what came of it at last.
  std::vector<json> news() {
    const std::lock_guard lock(mutex_);
    std::vector<json> told;
    if (over_ || (!planned_ && Clock::now() - told_ < kBetweenNews)) return told;
    told_ = Clock::now();
    json search = {{"event", "search"},     {"tree", std::exchange(tree_, {})},
                   {"expanded", expanded_}, {"at_s", std::chrono::duration<double>(told_ - begun_).count()},
                   {"bound", nullptr},      {"cost_s", nullptr}};
    if (step_) search["bound"] = step_->bound;
    if (step_) search["cost_s"] = step_->cost;
    told.push_back(std::move(search));
    if (!planned_) return told;
    told.push_back(std::move(*planned_));
    over_ = true;
    return told;
  }
  [[nodiscard]] bool over() const { return over_; }
  void enough() { enough_ = true; }
  void leave() { leaving_ = true; }

 private:
  void looked(world::Point from, world::Point to) {
    const std::lock_guard lock(mutex_);
    if (expanded_++ % every_ != 0) return;
    for (const double value : {from.x, from.z, to.x, to.z}) tree_.push_back(centimetres(value));
    if (++lines_ % kDenser == 0) every_ *= 2;
  }

  PlanWish wish_;
  plan::SearchWatch watch_;
  std::atomic<bool> enough_{false}, leaving_{false};
  bool over_ = false;  ///< of the stage's thread alone
  const Clock::time_point begun_ = Clock::now();
  std::mutex mutex_;  ///< of what follows
  std::vector<int> tree_;
  std::size_t expanded_ = 0, every_ = 1, lines_ = 0;
  std::optional<plan::SearchStep> step_;
  std::optional<json> planned_;
  Clock::time_point told_;
};

class PlanScene final : public Scene {
 public:
  PlanScene(PlanWish wish, std::function<std::uint64_t(MadeMotion)> keep)
      : search_(std::make_shared<Search>(std::move(wish))),
        thread_([search = search_, keep = std::move(keep)] { search->finish(search->run(keep)); }) {}
  ~PlanScene() override {
    search_->leave();
    thread_.join();
  }
  PlanScene(const PlanScene&) = delete;
  PlanScene& operator=(const PlanScene&) = delete;

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override { return {}; }
  [[nodiscard]] json describe() const override { return {{"kind", "plan"}}; }
  void hear(const json& message) override {
    if (Fields(message).flag("enough")) search_->enough();
  }
  bool step(double, SceneFrame&) override { return !search_->over(); }
  std::vector<json> news() override { return search_->news(); }

 private:
  std::shared_ptr<Search> search_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Scene> make_plan_scene(PlanWish wish, std::function<std::uint64_t(MadeMotion)> keep) {
  return std::make_unique<PlanScene>(std::move(wish), std::move(keep));
}

}  // namespace loom::studio
