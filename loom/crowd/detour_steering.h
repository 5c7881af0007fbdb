// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <loom/base/result.h>
#include <loom/crowd/crowd.h>
#include <loom/world/navigation_mesh.h>

namespace loom::crowd {

/// Detour's crowd as the steering of ours, to be compared with: velocities are sampled for the least time to collision
/// (dtObstacleAvoidanceQuery, as its samples set it, with separation).
///
/// Detour would move its agents itself. Here ours are where their steps have brought them, so in every step its agents
/// are put where ours are, told what velocity each wants, and asked for what they choose. Priorities are nothing to it.
/// Fails where a character does not stand on the mesh.
Result<std::shared_ptr<OtherSteering>> detour_steering(std::shared_ptr<const world::NavigationMesh> mesh,
                                                       std::span<const Member> members, float radius);

}  // namespace loom::crowd
