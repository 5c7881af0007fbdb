// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/stored_gait.h>
#include <loom/crowd/world_crowd.h>
#include <loom/world/world.h>

#include "studio/scene.h"

namespace loom::studio {

/// A crowd among the obstacles of a world, some of which a hand moves.
///
/// Hears {"speed": number} and {"move": obstacle, "x": metres, "z": metres, "turn": degrees}: the obstacle glides there
/// no faster than somebody walks, so that those in its way get out of it, and waits for those who cannot; everybody
/// then looks for a new way. An outline's place is how far it is from where it was drawn.
///
/// Values: seconds, how many have arrived, how many there are; then index, x, z and turn (degrees) of each obstacle
/// that is not where it was drawn.
Result<std::unique_ptr<Scene>> make_crowd_scene(world::World world, const crowd::StoredGait& walks,
                                                std::shared_ptr<const crowd::SteeringModel> model,
                                                const crowd::WorldCrowdOptions& members,
                                                const crowd::CrowdOptions& options);

}  // namespace loom::studio
