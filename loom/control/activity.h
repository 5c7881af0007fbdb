// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_graph.h>
#include <loom/control/state_body.h>
#include <loom/control/state_path.h>

namespace loom::control {

/// A blow on its way: where the limb will be, and when.
struct Blow {
  BodyPoint limb = BodyPoint::kLeftFist;
  std::uint32_t steps = 0;  ///< from now
  Vec3 place;               ///< world
};

/// What a character sees when it decides: itself and its opponent, both on the paths they are on, which is how the
/// future is predicted (Chiu 2007 §6).
struct Sight {
  const behavior::StateGraph& states;
  const StateBody& body;
  StatePlace here;                ///< of the one who decides
  const StatePath& other;         ///< the opponent's path
  std::uint32_t other_steps = 0;  ///< how far along it the opponent is
  std::optional<Blow> blow;       ///< the opponent's, if one is on its way

  /// Where the opponent is predicted to be `steps` from now.
  [[nodiscard]] StatePlace opponent(std::uint32_t steps) const { return other.at(states.graph, other_steps + steps); }
};

/// What an activity controller reports to the supervisor: the best way to do its part, and whether it is worth it.
struct Offer {
  bool reasonable = false;
  float cost = 0;  ///< of the best way, in the measure of the activity; lower is better
  StatePath path;
  std::uint32_t node = 0;           ///< the action at the heart of it; meaningless for shadowing
  std::uint32_t contact_steps = 0;  ///< an attack's first contact, steps from now
};

/// Finds the best way to do an activity: looks ahead on both characters' paths, no deeper than one action.
///
/// Shadow: of the ways on within the state, the one at whose end distance and facing are best. Attack: of the actions
/// that can be had in time, the one whose limb comes nearest to a target at the first contact. Evade: where a blow is
/// coming or the opponent is too near, the action at whose end the opponent is farthest and whose body is out of the
/// blow's way. `actions` are the nodes of the activity's state that have routes. O(actions) or O(transitions ahead).
Offer consider(const behavior::Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions,
               Random& random);

/// A way to stay in a state for a moment without any purpose: what one does when there is nobody to fight.
StatePath idle_path(const behavior::StateGraph& states, const StatePlace& here, Random& random);

}  // namespace loom::control
