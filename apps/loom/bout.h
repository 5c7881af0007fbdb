// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/fight/arena.h>
#include <loom/take/take_set.h>

#include "loom/onto.h"

namespace loom::app {

/// A bout that was fought: what happened, and the motion of all fighters, feet planted where asked for.
struct Bout {
  std::vector<std::string> styles;  ///< as written, one a fighter
  std::vector<fight::BoutEvent> events;
  std::vector<fight::Tally> tallies;
  std::vector<motion::Recording> recordings;
  float nearest_m = 0;
};

struct BoutOptions {
  std::string styles = "aggressive,defensive";  ///< see fight::parse_styles
  double seconds = 30;
  std::uint64_t seed = 1;
  bool polish = true;
  std::vector<fight::TimedWish> wishes;  ///< of players
};

/// Fights a bout and keeps the motion.
Result<Bout> fight_bout(const std::shared_ptr<const behavior::StateGraph>& states,
                        const std::shared_ptr<const take::TakeSet>& motion, const BoutOptions& options,
                        const Progress& progress);

/// All fighters in one scene, each in a colour of its own, or all on one character.
Result<void> write_scene(const Bout& bout, const std::string& path, const std::optional<Onto>& onto = {});

/// Moments of the bout from the side and from above: the hits, and what was done between them.
Result<void> draw_bout(const Bout& bout, const behavior::StateGraph& states, const std::string& path);

/// `events` and `fighters` as JSON.
nlohmann::json bout_json(const Bout& bout, const behavior::StateGraph& states);

}  // namespace loom::app
