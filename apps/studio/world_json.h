// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/world/world.h>

#include "studio/fields.h"

namespace loom::studio {

/// A world as the page draws it: metres and degrees (WorldDrawing in web/src/routes.ts). Meshes are left out.
nlohmann::json world_json(const world::World& world);

/// The world that a page has drawn, as it will be read from the file it is saved to: what is done with it here is what
/// a command does with that file. Fails, saying why, on what no file could hold: names that come twice, outlines that
/// cross themselves, no ground.
Result<world::World> world_from(const Fields& drawn);

}  // namespace loom::studio
