// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/fight/bout.h>

#include "loom/onto.h"

namespace loom::app {

/// All fighters in one scene, each in a colour of its own, or all on one character.
Result<void> write_scene(const fight::Bout& bout, const std::string& path, const std::optional<Onto>& onto = {});

/// Moments of the bout from the side and from above: the hits, and what was done between them.
Result<void> draw_bout(const fight::Bout& bout, const behavior::StateGraph& states, const std::string& path);

/// `events` and `fighters` as JSON.
nlohmann::json bout_json(const fight::Bout& bout, const behavior::StateGraph& states);

}  // namespace loom::app
