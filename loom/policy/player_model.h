// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/control_space.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// How a player's control changes from one fragment to the next: the table T of McCann & Pollard 2007 §3.
struct PlayerModel {
  std::size_t bins = 0;
  std::vector<double> next;  ///< bins × bins, [c * bins + d]: the probability of d after c; rows sum to 1
  double seconds = 0;        ///< of traces it was counted from
  std::size_t unused = 0;    ///< bins no trace was ever in
  std::string source;        ///< "recorded: 3 traces", "simulated: 8 traces": what tables made with it must say

  friend bool operator==(const PlayerModel&, const PlayerModel&) = default;
};

/// What a model says of changes that were never seen.
enum class Smoothing {
  kWittenBell,  ///< that they may come all the same (Witten and Bell 1991)
  kNone,        ///< plain counts, as the work has them; a bin never seen is stayed in
};

/// Counts how traces go from bin to bin in `step` seconds, at every offset so that no sample is wasted.
///
/// Smoothed after Witten and Bell 1991: a bin from which n changes to d different bins were seen gives d / (n + d) of
/// its probability to what was not seen: half to staying, half to where players are in general. A bin never seen is
/// all of that. Traces must have the flags of `space` (`fit_to`). Fails without traces, or when all are shorter than a
/// step.
Result<PlayerModel> count_player_model(const ControlSpace& space, std::span<const Trace> traces, double step,
                                       Smoothing smoothing = Smoothing::kWittenBell);

}  // namespace loom::policy
