// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include <fmt/format.h>
#include <recastnavigation/DetourCrowd.h>

#include <loom/crowd/detour_steering.h>

namespace loom::crowd {
namespace {

constexpr float kHeight = 1.8f, kAcceleration = 8, kRange = 12, kPathRange = 30;  ///< as Detour's samples have them
constexpr float kSeparation = 2;
constexpr unsigned char kFinest = 3;  ///< of the sets of avoidance that Detour makes: 7 × 3 × 3 samples

std::array<float, 3> upright(Flat p) { return {p.x, 0, p.z}; }

struct FreeCrowd {
  void operator()(dtCrowd* crowd) const { dtFreeCrowd(crowd); }
};

class DetourSteering final : public OtherSteering {
 public:
  DetourSteering(std::shared_ptr<const world::NavigationMesh> mesh, std::unique_ptr<dtCrowd, FreeCrowd> crowd,
                 std::vector<int> agents)
      : mesh_(std::move(mesh)), crowd_(std::move(crowd)), agents_(std::move(agents)) {}

  void choose(std::span<const Seen> now, std::span<const Flat> wanted, float seconds, std::span<Flat> chosen) override {
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      dtCrowdAgent& agent = *crowd_->getEditableAgent(agents_[i]);
      const auto place = upright(now[i].place), velocity = upright(now[i].velocity), wish = upright(wanted[i]);
      std::copy(place.begin(), place.end(), agent.npos);
      std::copy(velocity.begin(), velocity.end(), agent.vel);
      crowd_->requestMoveVelocity(agents_[i], wish.data());
    }
    crowd_->update(seconds, nullptr);
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      const float* velocity = crowd_->getAgent(agents_[i])->nvel;
      chosen[i] = {velocity[0], velocity[2]};
    }
  }

 private:
  std::shared_ptr<const world::NavigationMesh> mesh_;
  std::unique_ptr<dtCrowd, FreeCrowd> crowd_;  ///< looks at the mesh
  std::vector<int> agents_;
};

}  // namespace

Result<std::shared_ptr<OtherSteering>> detour_steering(std::shared_ptr<const world::NavigationMesh> mesh,
                                                       std::span<const Member> members, float radius) {
  std::unique_ptr<dtCrowd, FreeCrowd> crowd(dtAllocCrowd());
  if (!crowd || !crowd->init(static_cast<int>(members.size()), radius, &mesh->detour()))
    return fail_as(ErrorKind::kOutOfMemory, "no memory for a crowd of Detour's");
  std::vector<int> agents;
  for (const Member& member : members) {
    dtCrowdAgentParams params{};
    params.radius = radius;
    params.height = kHeight;
    params.maxAcceleration = kAcceleration;
    params.maxSpeed = member.speed;
    params.collisionQueryRange = kRange * radius;
    params.pathOptimizationRange = kPathRange * radius;
    params.separationWeight = kSeparation;
    params.updateFlags = DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION;
    params.obstacleAvoidanceType = kFinest;
    const Flat start{member.start.x, member.start.z};
    const auto place = upright(start);
    const int agent = crowd->addAgent(place.data(), &params);
    if (agent < 0 || !mesh->holds({static_cast<double>(start.x), static_cast<double>(start.z)})) {
      return fail_as(ErrorKind::kBadInput, fmt::format("nobody can stand at {:.2f}, {:.2f}", start.x, start.z));
    }
    agents.push_back(agent);
  }
  return std::make_shared<DetourSteering>(std::move(mesh), std::move(crowd), std::move(agents));
}

}  // namespace loom::crowd
