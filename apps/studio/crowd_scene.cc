// SPDX-License-Identifier: MIT
#include "studio/crowd_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/base/math.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;
using world::Placement;

constexpr double kFastestCrowd = 4;     ///< times as fast as recorded
constexpr double kGlide = 0.9;          ///< metres a second at which an obstacle is moved
constexpr double kTurn = 1.0;           ///< radians a second
constexpr float kPress = 0.12f;         ///< metres that it may be in the room of somebody before it waits
constexpr double kWait = 0.3;           ///< seconds that it then does
constexpr double kFarthestPoint = 1e5;  ///< metres

double wrapped(double angle) { return std::remainder(angle, 2 * 3.14159265358979323846); }

class CrowdScene final : public Scene {
 public:
  CrowdScene(world::World world, std::shared_ptr<const crowd::Walls> walls, std::unique_ptr<crowd::Crowd> crowd,
             float radius)
      : world_(std::move(world)),
        walls_(std::move(walls)),
        crowd_(crowd.get()),
        radius_(radius),
        shown_(std::move(crowd)) {
    for (const world::Obstacle& o : world_.obstacles) drawn_.push_back(o.place(0));
    for (std::size_t i = 0; i < crowd_->size(); ++i) goals_.push_back(crowd_->goal(i));
  }

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override { return shown_.bodies(); }
  [[nodiscard]] json describe() const override {
    json goals = json::array();
    for (const crowd::Flat& goal : goals_) goals.push_back(json::array({goal.x, goal.z}));
    return {{"kind", "crowd"}, {"rate", crowd_->rate()}, {"goals", std::move(goals)}};
  }

  void hear(const json& message) override {
    const Fields said(message);
    speed_ = std::clamp(said.number("speed", speed_), 0.0, kFastestCrowd);
    if (!said.has("move")) return;
    const std::string name = said.text("move");
    for (std::size_t i = 0; i < world_.obstacles.size(); ++i) {
      if (world_.obstacles[i].name != name) continue;
      const Placement to{std::clamp(said.number("x", 0), -kFarthestPoint, kFarthestPoint),
                         std::clamp(said.number("z", 0), -kFarthestPoint, kFarthestPoint),
                         said.number("turn", 0) / kDegreesARadian};
      send(i, to);
    }
  }

  bool step(double seconds, SceneFrame& frame) override {
    if (turned_) find_ways();
    if (!shown_.step(seconds * speed_, {}, frame.characters)) return false;
    if (presses_somebody()) wait();
    std::size_t arrived = 0;
    for (std::size_t i = 0; i < crowd_->size(); ++i) arrived += crowd_->arrived(i) ? 1 : 0;
    frame.values = {static_cast<float>(crowd_->seconds()), static_cast<float>(arrived),
                    static_cast<float>(crowd_->size())};
    for (std::size_t i = 0; i < world_.obstacles.size(); ++i) {
      const Placement at = world_.obstacles[i].place(crowd_->seconds());
      if (at.x == drawn_[i].x && at.z == drawn_[i].z && at.heading == drawn_[i].heading) continue;
      for (const double value : {static_cast<double>(i), at.x, at.z, at.heading * kDegreesARadian}) {
        frame.values.push_back(static_cast<float>(value));
      }
    }
    return true;
  }

  std::vector<json> news() override { return {}; }

 private:
  /// Sends an obstacle on its way from where it is now.
  void send(std::size_t which, const Placement& to) {
    world::Obstacle& o = world_.obstacles[which];
    const double now = crowd_->seconds();
    const Placement from = o.place(now);
    const double turn = wrapped(to.heading - from.heading);
    const double takes = std::max({std::hypot(to.x - from.x, to.z - from.z) / kGlide, std::fabs(turn) / kTurn, 1e-3});
    o.path = {{now, from}, {now + takes, {to.x, to.z, from.heading + turn}}};
    o.loops = false;
    turned_ = true;
  }

  /// Whether something that glides has come nearer to somebody than bodies may.
  [[nodiscard]] bool presses_somebody() const {
    std::array<crowd::WallPoint, 4> walls;
    for (std::size_t i = 0; i < crowd_->size(); ++i) {
      const std::size_t count = walls_->near(crowd_->seen(i).place, radius_ - kPress, crowd_->seconds(), walls);
      for (std::size_t w = 0; w < count; ++w) {
        if (length(walls[w].velocity) > 0) return true;
      }
    }
    return false;
  }

  /// What glides stands for a moment.
  void wait() {
    const double now = crowd_->seconds();
    for (world::Obstacle& o : world_.obstacles) {
      if (o.loops || o.path.size() != 2 || o.path[0].seconds > now || o.path[1].seconds <= now) continue;
      const double left = o.path[1].seconds - now;
      o.path[0] = {now + kWait, o.place(now)};
      o.path[1].seconds = now + kWait + left;
    }
    if (const auto ground = crowd::WorldGround::of(world_, radius_)) take(*ground);
  }

  void take(const crowd::WorldGround& ground) {
    walls_ = ground.walls;
    crowd_->rebuild(ground.walls, ground.ways);
  }

  /// The walls as they are about to be, and a way around them for everybody who is still on its way. Ways are found as
  /// if obstacles were already where they are going; who has none for now keeps the one it had.
  void find_ways() {
    turned_ = false;
    world::World then = world_;
    for (world::Obstacle& o : then.obstacles) {
      if (!o.moves() || o.loops) continue;
      o.at = o.path.back().at;
      o.path.clear();
    }
    const auto now = crowd::WorldGround::of(world_, radius_), later = crowd::WorldGround::of(then, radius_);
    if (!now || !later) return;
    take(*now);
    for (std::size_t i = 0; i < crowd_->size(); ++i) {
      if (crowd_->arrived(i)) continue;
      if (auto route = later->ways->find(crowd_->seen(i).place, goals_[i])) crowd_->send(i, std::move(*route));
    }
  }

  world::World world_;
  std::shared_ptr<const crowd::Walls> walls_;
  crowd::Crowd* crowd_;  ///< which `shown_` plays
  float radius_;
  EnsemblePlayer shown_;
  std::vector<Placement> drawn_;
  std::vector<crowd::Flat> goals_;
  double speed_ = 1;
  bool turned_ = false;  ///< an obstacle was sent somewhere
};

}  // namespace

Result<std::unique_ptr<Scene>> make_crowd_scene(world::World world, const crowd::StoredGait& walks,
                                                std::shared_ptr<const crowd::SteeringModel> model,
                                                const crowd::WorldCrowdOptions& members,
                                                const crowd::CrowdOptions& options) {
  const auto ground = crowd::WorldGround::of(world, options.radius);
  if (!ground) return fail_from(ground);
  auto who = crowd::members_in(world, *ground, members);
  if (!who) return fail_from(who);
  auto crowd = crowd::Crowd::create(walks.gait, std::move(model), std::move(*who), ground->walls, options);
  if (!crowd) return fail_from(crowd);
  (*crowd)->rebuild(ground->walls, ground->ways);
  return std::make_unique<CrowdScene>(std::move(world), ground->walls, std::move(*crowd), options.radius);
}

}  // namespace loom::studio
