// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <nlohmann/json_fwd.hpp>

#include <loom/plan/walk_plan.h>

#include "studio/project.h"
#include "studio/scene.h"

namespace loom::studio {

/// What a page wants planned.
struct PlanWish {
  std::shared_ptr<const plan::UnrolledGraph> graph;
  world::World world;  ///< from its first start to its first goal
  plan::WalkPlanOptions options;
  std::string how;  ///< as MadeMotion has it
};

/// A search that is looked at while it goes on, on a thread of its own; a scene without characters.
///
/// Hears {"enough": true}: what it has is taken. News: "search", ten times a second, with what of the tree has grown
/// since (centimetres: x, z, x, z of each line) and the bound; at last "planned", with the walk's number among what was
/// made (see Project::keep) and what is to be told of it, or why there is none. Then it is over.
std::unique_ptr<Scene> make_plan_scene(PlanWish wish, std::function<std::uint64_t(MadeMotion)> keep);

}  // namespace loom::studio
