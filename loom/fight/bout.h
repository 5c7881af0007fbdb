// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/fight/arena.h>
#include <loom/motion/stream.h>
#include <loom/take/take_set.h>

namespace loom::fight {

/// A bout that was fought: what happened, and the motion of all fighters, feet planted where asked for.
struct Bout {
  std::vector<std::string> styles;  ///< as written, one a fighter
  std::vector<BoutEvent> events;
  std::vector<Tally> tallies;
  std::vector<motion::Recording> recordings;
  float nearest_m = 0;  ///< two fighters came to each other, metres
};

struct BoutOptions {
  std::string styles = "aggressive,defensive";  ///< see parse_styles
  double seconds = 30;
  std::uint64_t seed = 1;
  bool polish = true;
  std::vector<TimedWish> wishes;  ///< of players
};

/// Fights a bout and keeps the motion: same states, options and wishes, same bout.
Result<Bout> fight_bout(const std::shared_ptr<const behavior::StateGraph>& states,
                        const std::shared_ptr<const take::TakeSet>& motion, const BoutOptions& options,
                        const Progress& progress);

}  // namespace loom::fight
