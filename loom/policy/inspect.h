// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/policy/policy.h>
#include <loom/policy/transition_table.h>

namespace loom::policy {

/// A decision of a policy, and how bad it is.
struct PolicyDecision {
  std::uint32_t from = 0, to = 0;  ///< fragments
  std::size_t bin = 0;
  float motion_quality = 0, control_quality = 0;
  double share = 0;  ///< of all decisions, in the long run, under the model of the player
};

/// A situation a player may come into, and what may be expected in it.
struct Situation {
  std::uint32_t fragment = 0;
  std::size_t bin = 0;
  double reward = 0;  ///< expected discounted sum of qualities
  double behind = 0;  ///< how much less than in the best fragment for this control: what it costs to be here
  double share = 0;   ///< of the time spent here, in the long run, under the model of the player
};

/// What McCann & Pollard 2007 §5 says can be known of a policy before anyone plays it.
struct Inspection {
  std::size_t reached = 0;            ///< decisions that can ever be taken, from anywhere a player may start
  std::size_t decisions = 0;          ///< of so many
  double mean_quality = 0;            ///< of a decision in the long run
  std::vector<PolicyDecision> worst;  ///< transitions that will be taken, of the lowest motion quality first
  std::vector<Situation> lowest;      ///< for each control the situation of the lowest expected reward, lowest first
};

/// Follows a policy under the model of the player it was trained with until the shares settle, and tells the `count`
/// worst of each kind among decisions that make up at least `least_share` of all. O(fragments × bins × a few hundred).
Inspection inspect(const Policy& policy, const FragmentSet& set, const TransitionTable& transitions, std::size_t count,
                   double least_share = 1e-7);

}  // namespace loom::policy
